"""The ring that turns inside the body."""

from __future__ import annotations

import math

import numpy as np

from quatviz.feed.frame import Frame, LaneFrame, Source
from quatviz.feed.numbers import number_at
from quatviz.look.theme import Theme
from quatviz.mechanics.ring import Ring
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.geometry import arc
from quatviz.scene.primitives import Mesh, placed

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

    def __init__(self, stage: Stage, theme: Theme, source: Source) -> None:
        super().__init__(stage, theme, source)
        ring = source.info.body.ring
        self._meshes = [] if ring is None else [stage.add(mesh) for mesh in self._made(ring)]

    def show(self, frame: Frame) -> None:
        solid = frame.body
        for mesh in self._meshes:
            mesh.visible = solid is not None and solid.visible and solid.drawn
        if solid is not None and solid.pose is not None and self._meshes:
            angle = self._angle(solid, frame.time)
            c, s = math.cos(angle), math.sin(angle)
            turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            for mesh in self._meshes:
                mesh.transform = placed(solid.pose.rotation @ turn)

    def _made(self, ring: Ring) -> list[Mesh]:
        """The arc, and the whole channel as glass around it, in the body's own frame at beta = 0."""
        spans = ((_THICKNESS, ring.arc_angle, "solid"), (_CHANNEL * _THICKNESS, 2.0 * math.pi, "glass"))
        meshes, radius = [], self.shape.radius
        for thickness, span, look in spans:
            vertices = arc(ring.mean_radius / radius, thickness, span)
            vertices[:, 2] += ring.offset / radius
            meshes.append(Mesh(vertices, self.theme.ring, look, shadow=look == "solid"))
        return meshes

    def _angle(self, lane: LaneFrame, time: float) -> float:
        """beta at the cursor [rad]; where the lane ended it stays."""
        degrees = number_at(self.source, lane.name, "ring_angle", time)
        return math.radians(degrees) if math.isfinite(degrees) else 0.0
