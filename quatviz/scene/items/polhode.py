"""The path of the angular velocity on the body."""

import numpy as np

from quatviz.feed.frame import Pose
from quatviz.look.theme import Theme, mixed
from quatviz.scene.base import Colour
from quatviz.scene.paths import OmegaPath


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
