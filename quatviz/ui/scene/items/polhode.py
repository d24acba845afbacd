"""The path of the angular velocity on the body."""

from __future__ import annotations

import numpy as np

from quatviz.ui.frame import Frame, Pose
from quatviz.ui.plotting.style import mixed
from quatviz.ui.scene.path_item import PathItem
from quatviz.ui.scene.primitives import Colour
from quatviz.ui.scene.view import ARROW
from quatviz.ui.theme import Theme


class Polhode(PathItem):
    """Where the tip of omega has been on the body, with which it turns. Without torque it lies on the Poinsot
    ellipsoid and closes."""

    name = "polhode"
    title = "Path of ω on the body (polhode)"
    order = 63
    shown_at_first = False
    quantity = "omega"
    seconds = 30.0
    most_points = 500

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return mixed(theme.omega, theme.text, 0.45).name()

    def points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        scale = frame.scales.get("omega", 0.0)
        if scale == 0:
            return np.empty((0, 3))
        return ARROW / scale * np.vstack((rows @ pose.rotation.T, pose.vectors["omega"]))
