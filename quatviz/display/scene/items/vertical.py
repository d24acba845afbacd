"""3D item that draws the local vertical of a body in the gravity of a central mass."""

from collections.abc import Iterable

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Label, Line, SceneItem
from quatviz.physics.loads.base import BoundLoad

_LENGTH = 1.9
"""Half the length of the line [body radii]. It is longer than the space axes, with which it may coincide."""


class Vertical(SceneItem):
    """A line through the body towards the attracting center. It rotates with an orbit."""

    name = "vertical"
    title = "Local vertical"
    summary = "a line in the text color through the body towards the attracting center of a gravity gradient"
    order = 31

    def make(self) -> None:
        info = self.source.info
        self._lane_loads = {lane: _attracting_loads(info.loads_of_lane(lane)) for lane in info.lanes}
        self._shared_loads = _attracting_loads(info.loads)
        counts = map(len, (self._shared_loads, *self._lane_loads.values()))
        self._lines_and_labels = [
            (
                self.stage.add(Line(self.theme.text, 2.5)),
                self.stage.add(Label(tr("vertical"), self.theme.text, 7)),
            )
            for _ in range(max(counts))
        ]

    def show(self, frame: Frame) -> None:
        drawn_lane = frame.body.name if frame.body else ""
        loads = self._lane_loads.get(drawn_lane, self._shared_loads)
        for number, (line, label) in enumerate(self._lines_and_labels):
            line.visible = label.visible = number < len(loads)
            if not line.visible:
                continue
            up = loads[number].vertical(frame.time)
            assert up is not None
            line.set_points(_LENGTH * np.array([-up, up]))
            label.position = _LENGTH * up


def _attracting_loads(loads: Iterable[BoundLoad]) -> list[BoundLoad]:
    return [load for load in loads if load.vertical(0.0) is not None]
