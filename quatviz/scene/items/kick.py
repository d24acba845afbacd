"""The angular impulse of a kick that is being chosen."""

from __future__ import annotations

import numpy as np

from quatviz.base.tr import tr
from quatviz.feed.frame import Frame, Source
from quatviz.look.theme import Theme
from quatviz.scene.arrows import Arrow
from quatviz.scene.base import SceneItem, Stage


class KickArrow(SceneItem):
    """What a kick will add to h, in a scale of its own; there only while a card asks for it."""

    name = "kick"
    title = "Kick to come"
    told = "what a kick would add to h, while it is being chosen"
    order = 56

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage = stage
        self._arrow = Arrow(stage, theme.torque, tr("kick"), rank=1)
        self._visible = True

    def start(self, source: Source) -> None:
        self._arrow.point(np.zeros(3))

    def show(self, frame: Frame) -> None:
        vector = self._stage.proposed.get(self.name)
        self._arrow.point(np.zeros(3) if vector is None else vector)
        self._arrow.set_visible(self._visible)

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        self._arrow.set_visible(visible)
