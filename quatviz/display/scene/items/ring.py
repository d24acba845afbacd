"""3D item that draws the damper ring that rotates inside the body."""

import math

import numpy as np

from quatviz.display.data.frame import Frame
from quatviz.display.data.lane_readouts import value_at
from quatviz.display.scene.base import Mesh, SceneItem, transform_matrix
from quatviz.physics.geometry.triangles import arc
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.mechanics.rotations import from_rotation_vector, rotation_matrix

_ARC_HALF_WIDTH = 0.05
"""Half the width of the arc [body radii]. Presets do not specify it."""
_CHANNEL_WIDTH_FACTOR = 1.5
"""Half the width of the channel, relative to that of the arc."""


class RingItem(SceneItem):
    """The arc of the damper ring at its position in the channel, for the lane that is drawn as the body."""

    name = "ring"
    title = "Ring inside the body"
    summary = "the arc of the ring in its channel"
    order = 15

    def make(self) -> None:
        ring = self.source.info.body.ring
        self._meshes = [] if ring is None else [self.stage.add(mesh) for mesh in self._create_meshes(ring)]

    def show(self, frame: Frame) -> None:
        lane = frame.body
        for mesh in self._meshes:
            mesh.visible = frame.shows_body
        if lane is not None and lane.pose is not None and self._meshes:
            angle = value_at(self.source, lane.name, "ring_angle", frame.time)
            rotation = rotation_matrix(from_rotation_vector([0.0, 0.0, np.radians(np.nan_to_num(angle))]))
            transform = transform_matrix(lane.pose.rotation @ rotation)
            for mesh in self._meshes:
                mesh.transform = transform

    def _create_meshes(self, ring: Ring) -> list[Mesh]:
        """Return the arc, and the whole channel as glass, in the body frame at beta = 0."""
        spans = (
            (_ARC_HALF_WIDTH, ring.arc_angle, "solid"),
            (_CHANNEL_WIDTH_FACTOR * _ARC_HALF_WIDTH, 2.0 * math.pi, "glass"),
        )
        meshes, radius = [], self.shape.radius
        for thickness, span, material in spans:
            vertices = arc(ring.mean_radius / radius, thickness, span)
            vertices[:, 2] += ring.offset / radius
            meshes.append(Mesh(vertices, self.theme.ring, material, shadow=material == "solid"))
        return meshes
