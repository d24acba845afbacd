"""The path of the angular velocity in space."""

from __future__ import annotations

import numpy as np

from quatviz.ui.frame import Frame, Pose
from quatviz.ui.scene.path_item import PathItem
from quatviz.ui.scene.primitives import Colour
from quatviz.ui.scene.view import ARROW
from quatviz.ui.theme import Theme


class Herpolhode(PathItem):
    """Where the tip of omega has been in space. Without torque it stays in the invariable plane."""

    name = "herpolhode"
    title = "Path of ω in space (herpolhode)"
    order = 64
    shown_at_first = False
    quantity = "omega_space"
    seconds = 30.0
    most_points = 500

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return theme.omega

    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        scale = frame.scales.get("omega", 0.0)
        if scale == 0:
            return np.empty((0, 3))
        return ARROW / scale * np.vstack((rows, pose.vectors["omega"]))
