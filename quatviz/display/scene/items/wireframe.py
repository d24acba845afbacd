"""3D item that draws the body as a wireframe."""

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Line, SceneItem
from quatviz.display.view_state.theme import mix_colors

_WIREFRAME_SCALE = 1.01
"""Scale of the wireframe relative to the body, which would otherwise hide parts of the lines."""


class WireframeItem(SceneItem):
    """Meridians and parallels of an ellipsoid, or the edges of a box.

    If the body is hidden, the lines let the user see what is inside it. Over the body, they make its rotation more
    visible.
    """

    name = "wireframe"
    title = "Body as wireframe"
    summary = "lines on the body, or lines without the body"
    order = 12
    visible_by_default = False

    def make(self) -> None:
        net = self.shape.wireframe(_WIREFRAME_SCALE)
        self._points = np.concatenate(net)
        self._split_indices = np.cumsum([len(points) for points in net])[:-1].tolist()
        # Visible on the background of each theme, and on both tones of the body.
        color = mix_colors(self.theme.body[0], self.theme.text, 0.4)
        self._lines = [self.stage.add(Line(color, 1.2)) for _ in net]

    def show(self, frame: Frame) -> None:
        if frame.pose is not None:
            line_points = np.split(self._points @ frame.pose.rotation.T, self._split_indices)
            for line, points in zip(self._lines, line_points, strict=True):
                line.set_points(points)
        for line in self._lines:
            line.visible = frame.shows_body
