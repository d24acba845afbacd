"""The path of the angular velocity in space."""

from __future__ import annotations

import numpy as np

from quatviz.ui.frame import Pose
from quatviz.ui.scene.omega_path import OmegaPath
from quatviz.ui.scene.primitives import Colour
from quatviz.ui.theme import Theme


class Herpolhode(OmegaPath):
    """Where the tip of omega has been in space. Without torque it stays in the invariable plane."""

    name = "herpolhode"
    title = "Path of ω in space (herpolhode)"
    order = 64
    shown_at_first = False
    quantity = "omega_space"

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return theme.omega

    def placed(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        return rows
