"""The angular impulse of a kick that is being chosen."""

from __future__ import annotations

import numpy as np

from quatviz.ui.frame import Frame, Source
from quatviz.ui.scene.arrow import Arrow
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr


class KickArrow(SceneItem):
    """What a kick will add to h, in a scale of its own; there only while a card asks for it."""

    name = "kick"
    title = "Kick to come"
    order = 56

    def build(self, view: SceneView, theme: Theme) -> None:
        self._view = view
        self._arrow = Arrow(view, theme.torque, tr("kick"), rank=1)
        self._visible = True

    def start(self, source: Source) -> None:
        self._arrow.point(np.zeros(3))

    def show(self, frame: Frame) -> None:
        vector = self._view.proposed.get(self.name)
        self._arrow.point(np.zeros(3) if vector is None else vector)
        self._arrow.set_visible(self._visible)

    def restyle(self, theme: Theme) -> None:
        self._arrow.recolour(theme.torque)

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        self._arrow.set_visible(visible)
