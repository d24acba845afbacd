"""3D item that draws the local vertical of a body in the gravity of a central mass."""

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Label, Line, SceneItem

_LENGTH = 1.9
"""Half the length of the line [body radii]. It is longer than the space axes, with which it may coincide."""


class Vertical(SceneItem):
    """A line through the body towards the attracting center. It rotates with an orbit."""

    name = "vertical"
    title = "Local vertical"
    summary = "a line in the text color through the body towards the attracting center of a gravity gradient"
    order = 31

    def make(self) -> None:
        self._loads = [load for load in self.source.info.loads if load.vertical(0.0) is not None]
        self._lines_and_labels = [
            (
                self.stage.add(Line(self.theme.text, 2.5)),
                self.stage.add(Label(tr("vertical"), self.theme.text, 7)),
            )
            for _ in self._loads
        ]

    def show(self, frame: Frame) -> None:
        for load, (line, label) in zip(self._loads, self._lines_and_labels, strict=True):
            up = load.vertical(frame.time)
            assert up is not None
            line.set_points(_LENGTH * np.array([-up, up]))
            label.position = _LENGTH * up
