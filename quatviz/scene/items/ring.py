"""The ring that turns inside the body."""

from __future__ import annotations

import math

import numpy as np

from quatviz.feed.frame import Frame, LaneFrame, Source
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

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage, self._theme = stage, theme
        self._source: Source | None = None
        self._meshes: list[Mesh] = []
        self._visible = True

    def start(self, source: Source) -> None:
        for mesh in self._meshes:
            self._stage.remove(mesh)
        self._source, self._meshes = source, []
        ring, shape = source.info.body.ring, self._stage.shape
        if ring is not None and shape is not None:
            self._meshes = [self._stage.add_mesh(mesh) for mesh in self._made(ring, shape.radius)]

    def show(self, frame: Frame) -> None:
        solid = frame.body
        drawn = self._visible and solid is not None and solid.visible and solid.drawn
        for mesh in self._meshes:
            mesh.set_visible(drawn)
        if solid is not None and solid.pose is not None and self._meshes:
            angle = self._angle(solid, frame.time)
            c, s = math.cos(angle), math.sin(angle)
            turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            for mesh in self._meshes:
                mesh.set_transform(placed(solid.pose.rotation @ turn))

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        for mesh in self._meshes:
            mesh.set_visible(visible and mesh.visible)

    def _made(self, ring: Ring, radius: float) -> list[Mesh]:
        """The arc, and the whole channel as glass around it, in the body's own frame at beta = 0."""
        spans = ((_THICKNESS, ring.arc_angle, "solid"), (_CHANNEL * _THICKNESS, 2.0 * math.pi, "glass"))
        meshes = []
        for thickness, span, look in spans:
            vertices = arc(ring.mean_radius / radius, thickness, span)
            vertices[:, 2] += ring.offset / radius
            meshes.append(Mesh(vertices, self._theme.ring, look, shadow=look == "solid", visible=False))
        return meshes

    def _angle(self, lane: LaneFrame, time: float) -> float:
        """beta at the cursor [rad]; where the lane ended it stays."""
        assert self._source is not None
        times, degrees = self._source.values(lane.name, "ring_angle")
        if len(times) == 0:
            return 0.0
        row = max(int(times.searchsorted(time, "right")) - 1, 0)
        return math.radians(float(np.interp(time, times[row : row + 2], degrees[row : row + 2, 0])))
