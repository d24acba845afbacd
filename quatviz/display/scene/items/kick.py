"""The angular impulse of a kick that is being chosen."""

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.arrows import HIGHLIGHT_THICKNESS, Arrow
from quatviz.display.scene.base import SceneItem


class KickArrow(SceneItem):
    """What a kick will add to h, in a scale of its own; there only while a card asks for it."""

    name = "kick"
    title = "Kick to come"
    summary = "what a kick would add to h, while it is being chosen"
    order = 56

    def make(self) -> None:
        self._arrow = Arrow(self.stage, self.theme.torque, tr("kick"), rank=1)

    def show(self, frame: Frame) -> None:
        self._arrow.thickness = HIGHLIGHT_THICKNESS if self.stage.highlight == self.name else 1.0
        self._arrow.draw(self.stage.proposed.get(self.name, np.zeros(3)))
