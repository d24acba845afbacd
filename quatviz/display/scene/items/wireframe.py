"""The body of the solid lane as a net of lines."""

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Line, SceneItem
from quatviz.display.view_state.theme import mixed

_INFLATED = 1.01
"""Just outside the solid, which would else hide parts of the lines."""


class WireframeItem(SceneItem):
    """Meridians and parallels of an ellipsoid, or the edges of a box: alone, where the body itself is hidden, they
    show what is inside it; over it they tell more of its turning."""

    name = "wireframe"
    title = "Body as wireframe"
    told = "lines on the body, or alone"
    order = 12
    shown_at_first = False

    def make(self) -> None:
        net = self.shape.net(_INFLATED)
        self._points = np.concatenate(net)
        self._cuts = np.cumsum([len(points) for points in net])[:-1].tolist()
        # Seen on the ground of either theme, and on both tones of the body.
        colour = mixed(self.theme.body[0], self.theme.text, 0.4)
        self._lines = [self.stage.add(Line(colour, 1.2)) for _ in net]

    def show(self, frame: Frame) -> None:
        if frame.pose is not None:
            placed = np.split(self._points @ frame.pose.rotation.T, self._cuts)
            for line, points in zip(self._lines, placed, strict=True):
                line.set_points(points)
        for line in self._lines:
            line.visible = frame.shows_body
