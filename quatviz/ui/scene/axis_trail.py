"""What the trails of the three body axes share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from quatviz.core.rotations import rotate
from quatviz.ui.frame import Frame, Pose, Source
from quatviz.ui.scene.path_item import PathItem
from quatviz.ui.scene.primitives import Colour
from quatviz.ui.theme import Theme

LENGTH = 1.3
"""Where on the body axis the pen is, in body radii: the tip of its arrow."""

_TURN = 0.2
"""Rotation of the axis from point to point [rad] at the fastest: with more, the line would cut across the body."""


class AxisTrail(PathItem):
    """Where the tip of the body axis number `axis` (0, 1 or 2) has been. A subclass gives `name` and `axis` too."""

    axis: ClassVar[int]
    quantity = "p"

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return theme.components[1 + cls.axis]

    def start(self, source: Source) -> None:
        super().start(source)
        self._lane, self._read, self._fastest = "", 0, 0.0

    def span(self, frame: Frame) -> tuple[float, int]:
        seconds, most = super().span(frame)
        fastest = self._rate(frame)
        return (min(seconds, most * _TURN / fastest) if fastest > 0 else seconds), most

    def _rate(self, frame: Frame) -> float:
        """How fast the axis has turned at most, as far as the body is computed [rad/s]: a spin about it does not count. Rows
        are read once."""
        assert self._source is not None
        lane = next(lane.name for lane in frame.lanes if lane.solid and lane.pose is not None)
        if lane != self._lane:
            self._lane, self._read, self._fastest = lane, 0, 0.0
        omega = self._source.values(lane, "omega")[1]
        rows, self._read = omega[self._read : len(omega)], len(omega)
        across = np.delete(np.nan_to_num(rows), self.axis, axis=1)
        self._fastest = max(self._fastest, float(np.hypot(across[:, 0], across[:, 1]).max(initial=0.0)))
        return self._fastest

    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        pen = LENGTH * np.eye(3)[self.axis]
        return np.vstack((rotate(rows, np.broadcast_to(pen, (len(rows), 3))), pose.rotation @ pen))
