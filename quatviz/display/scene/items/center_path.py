"""3D item that draws the path of the center of mass of a free body."""

import numpy as np

from quatviz.display.data.frame import Frame, Pose
from quatviz.display.data.lazy_columns import interpolate
from quatviz.display.scene.base import HexColor
from quatviz.display.scene.paths import PathItem
from quatviz.display.view_state.theme import Theme
from quatviz.simulation.center_of_mass_motion import is_free


class CenterPath(PathItem):
    """Path of the center of mass, relative to its present position because the view moves with it. Hidden for a body
    whose center does not move freely."""

    name = "center_path"
    title = "Path of the center of mass"
    summary = "where the center of mass has been in the last five seconds, fading with age; the view moves with the body"
    order = 64
    visible_by_default = False
    quantity = "centre"

    @classmethod
    def line_color(cls, theme: Theme) -> HexColor:
        return theme.text

    def path_points(self, rows: np.ndarray, pose: Pose, frame: Frame) -> np.ndarray:
        info = self.source.info
        if frame.body is None or not len(rows):
            return np.empty((0, 3))
        if not is_free(info.body, info.loads_of_lane(frame.body.name)):
            return np.empty((0, 3))
        values = self.source.values(frame.body.name, self.quantity)[1]
        now = interpolate(values, frame.time / info.sample_interval)
        return (np.vstack((rows, now)) - now) / self.shape.radius
