"""Fading lines behind moving points: the tip of omega in space and in the body, the tips of body axes."""

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.display.data.frame import Frame, Pose
from quatviz.display.data.lazy_columns import Derived, Largest
from quatviz.display.scene.base import ARROW, Colour, Line, SceneItem
from quatviz.display.view_state.theme import Theme
from quatviz.physics.mechanics.rotations import axis_in_space


class PathItem(SceneItem):
    """Where a point of the solid lane has been in the last seconds, fading with age.

    A subclass gives `quantity`, from whose rows `points` makes the line, and its `colour`.
    """

    quantity: ClassVar[str]

    @classmethod
    @abstractmethod
    def colour(cls, theme: Theme) -> Colour:
        """Of the line."""

    @abstractmethod
    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        """The line (n + 1, 3) in space: from `rows` (n, k) of `quantity`, then where the point is now."""

    def span(self, frame: Frame) -> tuple[float, int]:
        """How far back it reaches [s], and with how many points about."""
        return 5.0, 300

    def make(self) -> None:
        self._line = self.stage.add(Line(self.colour(self.theme), 2.5, fade=True))

    def show(self, frame: Frame) -> None:
        lane = frame.body
        if lane is None or lane.pose is None:
            return
        t, values = self.source.values(lane.name, self.quantity)
        interval = self.source.info.sample_interval
        last = min(int(frame.time / interval) + 1, len(t))
        seconds, most = self.span(frame)
        first = max(0, last - int(seconds / interval))
        # Rows at multiples of the stride, so that the points kept do not change from frame to frame.
        stride = max(1, int(seconds / interval) // most)
        self._line.set_points(self.points(values[first + -first % stride : last : stride], lane.pose, frame))


_LONGEST, _SHORTEST = 30.0, 2.0
"""How far back a path reaches [s]: a polhode is slower than the rotation, and is to be seen whole."""
_POINTS = 400
_POLE_TURN = 0.1
"""Rotation from point to point [rad] at the fastest, which keeps the line round, where the samples are as dense."""


class OmegaPath(PathItem):
    """Where the tip of the arrow of omega has been. A subclass gives `quantity` and says how it is `placed` in space."""

    @abstractmethod
    def placed(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        """Angular velocities (n, 3) [rad/s, space] of `rows` of `quantity`."""

    def span(self, frame: Frame) -> tuple[float, int]:
        fastest = frame.scales.get("omega", 0.0)
        whole = _POINTS * _POLE_TURN / fastest if fastest > 0 else _LONGEST
        return min(max(whole, _SHORTEST), _LONGEST), _POINTS

    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        scale = frame.scales.get("omega", 0.0)
        if scale == 0:
            return np.empty((0, 3))
        return ARROW / scale * np.vstack((self.placed(rows, pose), pose.vectors["omega"]))


LENGTH = 1.3
"""Where on the body axis the pen is, in body radii: the tip of its arrow."""

_AXIS_TURN = 0.2
"""Rotation of the axis from point to point [rad] at the fastest: with more, the line would cut across the body."""


class AxisTrail(PathItem):
    """Where the tip of the body axis number `axis` (0, 1 or 2) has been. A subclass gives `name` and `axis` too."""

    axis: ClassVar[int]
    quantity = "p"

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return theme.components[1 + cls.axis]

    def make(self) -> None:
        super().make()
        self._lane, self._fastest = "", Largest()
        self._seen: tuple[float, int] | None = None
        """How far the body was computed and reduced when the axis was looked at last."""

    def span(self, frame: Frame) -> tuple[float, int]:
        seconds, most = super().span(frame)
        fastest = self._rate(frame)
        if not fastest > 0:
            return seconds, most
        # That of a slow axis, as of a fast top, is to be seen whole.
        turn = min(2.0 * math.pi / fastest, frame.duration)
        return min(max(seconds, turn), most * _AXIS_TURN / fastest), most

    def _rate(self, frame: Frame) -> float:
        """How fast the axis has turned at most, as far as the body is computed and reduced [rad/s]: a spin about it does not
        count."""
        assert frame.body is not None
        if frame.body.name != self._lane:
            self._lane, self._fastest, self._seen = frame.body.name, Largest(), None
        seen = frame.body.computed_to, frame.taken
        if seen != self._seen:
            self._seen = seen
            omega = self.source.values(self._lane, "omega")[1]
            self._fastest.grow(Derived((omega,), self._across, 1))
        return self._fastest.value

    def _across(self, omega: np.ndarray) -> np.ndarray:
        """Magnitudes (n, 1) of what is across the axis of angular velocities (n, 3)."""
        return np.linalg.norm(np.delete(omega, self.axis, axis=1), axis=1, keepdims=True)

    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        return LENGTH * np.vstack((axis_in_space(rows, self.axis), pose.rotation[:, self.axis]))
