"""The path of the angular velocity in space."""

import numpy as np

from quatviz.display.data.frame import Pose
from quatviz.display.scene.base import Colour
from quatviz.display.scene.paths import OmegaPath
from quatviz.display.view_state.theme import Theme


class Herpolhode(OmegaPath):
    """Where the tip of omega has been in space. Without torque it stays in the invariable plane."""

    name = "herpolhode"
    title = "Path of ω in space (herpolhode)"
    told = "where the tip of ω has been in space"
    order = 64
    shown_at_first = False
    quantity = "omega_space"

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return theme.omega

    def placed(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        return rows
