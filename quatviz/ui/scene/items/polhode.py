"""The path of the angular velocity on the body."""

from __future__ import annotations

import numpy as np

from quatviz.ui.frame import Pose
from quatviz.ui.plotting.style import mixed
from quatviz.ui.scene.omega_path import OmegaPath
from quatviz.ui.scene.primitives import Colour
from quatviz.ui.theme import Theme


class Polhode(OmegaPath):
    """Where the tip of omega has been on the body, with which it turns. Without torque it lies on the Poinsot
    ellipsoid and closes."""

    name = "polhode"
    title = "Path of ω on the body (polhode)"
    order = 63
    shown_at_first = False
    quantity = "omega"

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return mixed(theme.omega, theme.text, 0.45).name()

    def placed(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        return rows @ pose.rotation.T
