"""What the trails of the three body axes share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from quatviz.core.rotations import rotate
from quatviz.ui.frame import Frame, Pose
from quatviz.ui.scene.path_item import PathItem
from quatviz.ui.scene.primitives import Colour
from quatviz.ui.theme import Theme

LENGTH = 1.3
"""Where on the body axis the pen is, in body radii: the tip of its arrow."""


class AxisTrail(PathItem):
    """Where the tip of the body axis number `axis` (0, 1 or 2) has been. A subclass gives `name` and `axis` too."""

    axis: ClassVar[int]
    quantity = "p"

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return theme.components[1 + cls.axis]

    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        pen = LENGTH * np.eye(3)[self.axis]
        return np.vstack((rotate(rows, np.broadcast_to(pen, (len(rows), 3))), pose.rotation @ pen))
