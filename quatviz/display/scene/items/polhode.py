"""The path of the angular velocity on the body."""

import numpy as np

from quatviz.display.data.frame import Pose
from quatviz.display.scene.base import Colour
from quatviz.display.scene.paths import OmegaPath
from quatviz.display.view_state.theme import Theme, mixed


class Polhode(OmegaPath):
    """Where the tip of omega has been on the body, with which it turns. Without torque it lies on the Poinsot
    ellipsoid and closes."""

    name = "polhode"
    title = "Path of ω on the body (polhode)"
    told = "where the tip of ω has been on the body"
    order = 63
    shown_at_first = False
    quantity = "omega"

    @classmethod
    def colour(cls, theme: Theme) -> Colour:
        return mixed(theme.omega, theme.text, 0.45)

    def placed(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        return rows @ pose.rotation.T
