"""What the paths of the angular velocity share."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from quatviz.ui.frame import Frame, Pose
from quatviz.ui.scene.path_item import PathItem
from quatviz.ui.scene.view import ARROW

_LONGEST, _SHORTEST = 30.0, 2.0
"""How far back a path reaches [s]: a polhode is slower than the rotation, and is to be seen whole."""
_POINTS = 400
_TURN = 0.1
"""Rotation from point to point [rad] at the fastest, which keeps the line round, where the samples are as dense."""


class OmegaPath(PathItem):
    """Where the tip of the arrow of omega has been. A subclass gives `quantity` and says how it is `placed` in space."""

    @abstractmethod
    def placed(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        """Angular velocities (n, 3) [rad/s, space] of `rows` of `quantity`."""

    def span(self, frame: Frame) -> tuple[float, int]:
        fastest = frame.scales.get("omega", 0.0)
        whole = _POINTS * _TURN / fastest if fastest > 0 else _LONGEST
        return min(max(whole, _SHORTEST), _LONGEST), _POINTS

    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        scale = frame.scales.get("omega", 0.0)
        if scale == 0:
            return np.empty((0, 3))
        return ARROW / scale * np.vstack((self.placed(rows, pose), pose.vectors["omega"]))
