"""What joins a body to the point that it turns about."""

from __future__ import annotations

import numpy as np

from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.primitives import Line


class Stem(SceneItem):
    """A line from the fixed point to the centre of mass: a top that is drawn as the solid of its inertia would seem to fly
    around nothing."""

    name = "stem"
    title = "Line from the pivot to the centre of mass"
    told = "grey, where the body turns about a pivot"
    order = 11

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage = stage
        self._line = stage.add_line(Line(theme.muted, 3.0, visible=False))
        self._visible = True

    def start(self, source: Source) -> None:
        self._line.set_visible(False)

    def show(self, frame: Frame) -> None:
        shape = self._stage.shape
        solid = frame.body
        if shape is None or solid is None or solid.pose is None or not shape.centre.any():
            self._line.set_visible(False)
            return
        self._line.set_points(np.array((np.zeros(3), solid.pose.rotation @ shape.centre)))
        self._line.set_visible(self._visible and solid.visible and solid.drawn)

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        if not visible:
            self._line.set_visible(False)
