"""The body of the solid lane as a net of lines."""

from __future__ import annotations

import numpy as np

from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme, mixed
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.primitives import Colour, Line

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

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage = stage
        self._colour = _colour(theme)
        self._lines: list[Line] = []
        self._points = np.empty((0, 3))
        self._cuts: list[int] = []
        self._visible = True

    def start(self, source: Source) -> None:
        for line in self._lines:
            self._stage.remove(line)
        assert self._stage.shape is not None
        net = self._stage.shape.net(_INFLATED)
        self._points = np.concatenate(net)
        self._cuts = np.cumsum([len(points) for points in net])[:-1].tolist()
        self._lines = [self._stage.add_line(Line(self._colour, 1.2, visible=False)) for _ in net]

    def show(self, frame: Frame) -> None:
        solid = frame.body
        shown = self._visible and solid is not None and solid.visible and solid.drawn
        if solid is not None and solid.pose is not None:
            placed = np.split(self._points @ solid.pose.rotation.T, self._cuts)
            for line, points in zip(self._lines, placed, strict=True):
                line.set_points(points)
        for line in self._lines:
            line.set_visible(shown)

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        for line in self._lines:
            line.set_visible(visible and line.visible)


def _colour(theme: Theme) -> Colour:
    """Seen on the ground of either theme, and on both tones of the body."""
    return mixed(theme.body[0], theme.text, 0.4)
