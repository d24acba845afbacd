"""What joins a body to the point that it turns about."""

from __future__ import annotations

import numpy as np

from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.primitives import Line
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme


class Stem(SceneItem):
    """A line from the fixed point to the centre of mass: a top that is drawn as the solid of its inertia would seem to fly
    around nothing."""

    name = "stem"
    title = "Line from the pivot to the centre of mass"
    order = 11

    def build(self, view: SceneView, theme: Theme) -> None:
        self._view = view
        self._line = view.add_line(Line(theme.muted, 3.0, visible=False))
        self._visible = True

    def start(self, source: Source) -> None:
        self._line.set_visible(False)

    def show(self, frame: Frame) -> None:
        shape = self._view.shape
        solid = next((lane for lane in frame.lanes if lane.solid and lane.pose is not None), None)
        if shape is None or solid is None or solid.pose is None or not shape.centre.any():
            self._line.set_visible(False)
            return
        self._line.set_points(np.array((np.zeros(3), solid.pose.rotation @ shape.centre)))
        self._line.set_visible(self._visible and solid.visible and solid.drawn)

    def restyle(self, theme: Theme) -> None:
        self._line.colour = theme.muted

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        if not visible:
            self._line.set_visible(False)
