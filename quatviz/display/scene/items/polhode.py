"""3D item that draws the path of the angular velocity in the body."""

import numpy as np

from quatviz.display.data.frame import Pose
from quatviz.display.scene.base import HexColor
from quatviz.display.scene.paths import OmegaPath
from quatviz.display.view_state.theme import Theme, mix_colors


class Polhode(OmegaPath):
    """Path of the tip of omega relative to the body, drawn with the body. Without torque, it is a closed curve on the
    Poinsot ellipsoid."""

    name = "polhode"
    title = "Path of ω on the body (polhode)"
    summary = "path of the tip of ω relative to the body"
    order = 63
    visible_by_default = False
    quantity = "omega"

    @classmethod
    def line_color(cls, theme: Theme) -> HexColor:
        return mix_colors(theme.omega, theme.text, 0.45)

    def to_space(self, rows: np.ndarray, pose: Pose) -> np.ndarray:
        return rows @ pose.rotation.T
