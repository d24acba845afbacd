"""3D item that draws the orbital frame, relative to which pitch, roll and yaw are measured."""

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame
from quatviz.display.scene.base import Label, Line, SceneItem
from quatviz.physics.loads import orbiting_load

_LENGTH = 1.6
"""Length of an axis [body radii]. It is shorter than the vertical and the space axes, with which it may coincide."""


class OrbitalFrame(SceneItem):
    """Three axes from the body along the orbital frame: forward, normal of the orbit, up."""

    name = "orbital_frame"
    title = "Orbital frame"
    summary = "three axes in the color of the gravity gradient: forward, normal of the orbit, up"
    order = 32

    def make(self) -> None:
        info = self.source.info
        self._lane_loads = {lane: orbiting_load(info.loads_of_lane(lane)) for lane in info.lanes}
        self._shared_load = orbiting_load(info.loads)
        has_orbit = any(load is not None for load in (self._shared_load, *self._lane_loads.values()))
        names = (tr("forward"), tr("normal"), tr("up")) if has_orbit else ()
        self._axes = [
            (self.stage.add(Line(self.theme.torque, 2.0)), self.stage.add(Label(name, self.theme.torque, 7)))
            for name in names
        ]

    def show(self, frame: Frame) -> None:
        drawn_lane = frame.body.name if frame.body else ""
        load = self._lane_loads.get(drawn_lane, self._shared_load)
        for line, label in self._axes:
            line.visible = label.visible = load is not None
        if load is None:
            return
        orbital_frame = load.orbital_frame(np.array([frame.time]))
        assert orbital_frame is not None
        for (line, label), axis in zip(self._axes, orbital_frame[0].T, strict=True):
            line.set_points(_LENGTH * np.array([np.zeros(3), axis]))
            label.position = _LENGTH * axis
