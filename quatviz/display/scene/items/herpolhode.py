"""3D item that draws the path of the angular velocity in space."""

import numpy as np

from quatviz.display.data.frame import Pose
from quatviz.display.scene.base import HexColor
from quatviz.display.scene.paths import OmegaPath
from quatviz.display.view_state.theme import Theme


class Herpolhode(OmegaPath):
    """Path of the tip of omega in space. Without torque, it lies in the invariable plane."""

    name = "herpolhode"
    title = "Path of ω in space (herpolhode)"
    summary = "path of the tip of ω in space"
    order = 64
    visible_by_default = False
    quantity = "omega_space"

    @classmethod
    def line_color(cls, theme: Theme) -> HexColor:
        return theme.omega

    def to_space(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        return rows
