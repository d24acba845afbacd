"""3D item that draws the angular impulse of a kick that the user is setting."""

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.arrows import HIGHLIGHT_THICKNESS, Arrow
from quatviz.display.scene.base import SceneItem


class KickArrow(SceneItem):
    """Change of h by a planned kick, in a scale of its own. The arrow is visible only while the form of the
    kick is open."""

    name = "kick"
    title = "Planned kick"
    summary = "the change of h by the kick that you are setting"
    order = 56

    def make(self) -> None:
        self._arrow = Arrow(self.stage, self.theme.torque, tr("kick"), rank=1)

    def show(self, frame: Frame) -> None:
        self._arrow.thickness = HIGHLIGHT_THICKNESS if self.stage.highlight == self.name else 1.0
        self._arrow.draw(self.stage.proposed.get(self.name, np.zeros(3)))
