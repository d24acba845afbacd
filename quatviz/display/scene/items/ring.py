"""The ring that turns inside the body."""

import math

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.data.lane_readouts import number_at
from quatviz.display.scene.base import Mesh, SceneItem, placed
from quatviz.physics.geometry.triangles import arc
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.rotations import from_rotation_vector, rotation_matrix

_THICKNESS = 0.05
"""Half the width of the arc in body radii: a preset does not say it."""
_CHANNEL = 1.5
"""Half the width of the channel in which it slides, in that of the arc."""


class RingItem(SceneItem):
    """The arc of the solid lane, where it is in its channel, which turns with the body."""

    name = "ring"
    title = "Ring inside the body"
    told = "its arc in the channel in which it slides"
    order = 15

    def make(self) -> None:
        ring = self.source.info.body.ring
        self._meshes = [] if ring is None else [self.stage.add(mesh) for mesh in self._made(ring)]

    def show(self, frame: Frame) -> None:
        lane = frame.body
        for mesh in self._meshes:
            mesh.visible = frame.shows_body
        if lane is not None and lane.pose is not None and self._meshes:
            angle = number_at(self.source, lane.name, "ring_angle", frame.time)
            turn = rotation_matrix(from_rotation_vector([0.0, 0.0, np.radians(np.nan_to_num(angle))]))
            turned = placed(lane.pose.rotation @ turn)
            for mesh in self._meshes:
                mesh.transform = turned

    def _made(self, ring: Ring) -> list[Mesh]:
        """The arc, and the whole channel as glass around it, in the body's own frame at beta = 0."""
        spans = ((_THICKNESS, ring.arc_angle, "solid"), (_CHANNEL * _THICKNESS, 2.0 * math.pi, "glass"))
        meshes, radius = [], self.shape.radius
        for thickness, span, look in spans:
            vertices = arc(ring.mean_radius / radius, thickness, span)
            vertices[:, 2] += ring.offset / radius
            meshes.append(Mesh(vertices, self.theme.ring, look, shadow=look == "solid"))
        return meshes
