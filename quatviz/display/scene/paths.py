"""Base classes of 3D items that draw fading paths of moving points: the tip of omega in space and in the
body, and the tips of body axes."""

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.display.data.frame import Frame, Pose
from quatviz.display.data.lazy_columns import DerivedColumn, RunningMaximum
from quatviz.display.scene.base import MAX_ARROW_LENGTH, HexColor, Line, SceneItem
from quatviz.display.view_state.theme import Theme
from quatviz.physics.mechanics.rotations import axis_in_space


class PathItem(SceneItem):
    """Path of a point of the lane that is drawn as the body, in the last seconds, fading with age.

    A subclass defines `quantity`, `path_points`, which computes the line from rows of it, and `line_color`.
    """

    quantity: ClassVar[str]

    @classmethod
    @abstractmethod
    def line_color(cls, theme: Theme) -> HexColor:
        """Return the color of the line."""

    @abstractmethod
    def path_points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        """Return the points (n + 1, 3) of the line in space: the points that follow from the `rows` (n, k) of
        `quantity`, and the current point."""

    def time_span(self, frame: Frame) -> tuple[float, int]:
        """Return the length of the path in time [s], and its approximate number of points."""
        return 5.0, 300

    def make(self) -> None:
        self._line = self.stage.add(Line(self.line_color(self.theme), 2.5, fade=True))

    def show(self, frame: Frame) -> None:
        lane = frame.body
        if lane is None or lane.pose is None:
            return
        t, values = self.source.values(lane.name, self.quantity)
        interval = self.source.info.sample_interval
        last = min(int(frame.time / interval) + 1, len(t))
        seconds, max_points = self.time_span(frame)
        first = max(0, last - int(seconds / interval))
        # Rows at multiples of the stride, so that the same points are used in every frame.
        stride = max(1, int(seconds / interval) // max_points)
        self._line.set_points(
            self.path_points(values[first + -first % stride : last : stride], lane.pose, frame)
        )


_MAX_SPAN, _MIN_SPAN = 30.0, 2.0
"""Longest and shortest path [s]. A polhode evolves more slowly than the body rotates, and should be visible as a whole."""
_MAX_POINTS = 400
_MAX_POLHODE_TURN = 0.1
"""Largest rotation between points [rad], if the samples are dense enough. It keeps the line round."""


class OmegaPath(PathItem):
    """Path of the tip of the arrow of omega. A subclass defines `quantity` and `to_space`."""

    @abstractmethod
    def to_space(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        """Return the angular velocities (n, 3) [rad/s] in space from `rows` of `quantity`."""

    def time_span(self, frame: Frame) -> tuple[float, int]:
        fastest = frame.scales.get("omega", 0.0)
        full_span = _MAX_POINTS * _MAX_POLHODE_TURN / fastest if fastest > 0 else _MAX_SPAN
        return min(max(full_span, _MIN_SPAN), _MAX_SPAN), _MAX_POINTS

    def path_points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        scale = frame.scales.get("omega", 0.0)
        if scale == 0:
            return np.empty((0, 3))
        return MAX_ARROW_LENGTH / scale * np.vstack((self.to_space(rows, pose), pose.vectors["omega"]))


PEN_RADIUS = 1.3
"""Distance of the drawn point from the center [body radii]. It is the tip of the arrow along the body axis."""

_MAX_AXIS_TURN = 0.2
"""Largest rotation of the axis between points [rad]. With more, the line would cut through the body."""


class AxisTrail(PathItem):
    """Path of the tip of the body axis with the index `axis` (0, 1 or 2). A subclass defines `name` and `axis`."""

    axis: ClassVar[int]
    quantity = "p"

    @classmethod
    def line_color(cls, theme: Theme) -> HexColor:
        return theme.components[1 + cls.axis]

    def make(self) -> None:
        super().make()
        self._lane, self._max_rate = "", RunningMaximum()
        self._last_state: tuple[float, int] | None = None
        """Time [s] of the last computed sample and data revision at the last update of the largest rate of the axis;
        None before the first update."""

    def time_span(self, frame: Frame) -> tuple[float, int]:
        seconds, max_points = super().time_span(frame)
        fastest = self._max_axis_rate(frame)
        if not fastest > 0:
            return seconds, max_points
        # A whole turn of a slow axis, as of a fast top, should be visible.
        turn = min(2.0 * math.pi / fastest, frame.duration)
        return min(max(seconds, turn), max_points * _MAX_AXIS_TURN / fastest), max_points

    def _max_axis_rate(self, frame: Frame) -> float:
        """Return the largest angular rate of the axis so far [rad/s]. A spin about the axis does not count."""
        assert frame.body is not None
        if frame.body.name != self._lane:
            self._lane, self._max_rate, self._last_state = frame.body.name, RunningMaximum(), None
        state = frame.body.computed_to, frame.data_revision
        if state != self._last_state:
            self._last_state = state
            omega = self.source.values(self._lane, "omega")[1]
            self._max_rate.grow(DerivedColumn((omega,), self._transverse_magnitude, 1))
        return self._max_rate.value

    def _transverse_magnitude(self, omega: np.ndarray) -> np.ndarray:
        """Return the magnitudes (n, 1) of the components of angular velocities (n, 3) perpendicular to the axis."""
        return np.linalg.norm(np.delete(omega, self.axis, axis=1), axis=1, keepdims=True)

    def path_points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        return PEN_RADIUS * np.vstack((axis_in_space(rows, self.axis), pose.rotation[:, self.axis]))
