"""The loads that are forces at body points."""

from __future__ import annotations

import numpy as np

from quatviz.base.tr import tr
from quatviz.base.words import numbered
from quatviz.feed.frame import Frame, Pose, Source
from quatviz.loads.base import BoundLoad
from quatviz.look.theme import Theme
from quatviz.scene.arrows import Arrow
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.primitives import Line

LENGTH = 1.0
"""Length in body radii of the largest force of a run: its arrow begins at the body's skin, not at its centre."""


class Forces(SceneItem):
    """Each force as an arrow from its point; a spring also as a line to its anchor."""

    name = "forces"
    title = "Forces f"
    told = "arrows at their points in the torque's colour; a spring has a line to its anchor"
    order = 54

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage, self._theme = stage, theme
        self._forces: list[_Force] = []
        self._scale = 0.0
        self._visible = True

    def start(self, source: Source) -> None:
        for force in self._forces:
            force.remove(self._stage)
        shape = self._stage.shape
        assert shape is not None
        still = np.array([[1.0, 0.0, 0.0, 0.0]])
        loads = [load for load in source.info.loads if load.force(np.zeros(1), still) is not None]
        self._forces = [
            _Force(self._stage, load, text, self._theme.torque, shape.radius)
            for load, text in zip(loads, numbered("f", len(loads)), strict=True)
        ]
        self._scale = 0.0
        self.set_visible(self._visible)

    def show(self, frame: Frame) -> None:
        scale = frame.scales.get("force", 0.0)
        if scale != self._scale:
            self._scale = scale
            self._write_scale()
        if frame.body is not None and frame.body.pose is not None and scale > 0:
            for force in self._forces:
                force.show(frame.time, frame.body.pose, LENGTH / scale)

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        for force in self._forces:
            force.set_visible(visible)
        self._write_scale()

    def _write_scale(self) -> None:
        shown = self._visible and self._scale > 0
        text = tr("f   {scale:.4g} N per body radius", scale=self._scale / LENGTH)
        self._stage.set_corner(self.name, text if shown else "", self._theme.torque)


class _Force:
    """One load's arrow, and its thread where it is fixed to an anchor in space."""

    def __init__(self, stage: Stage, load: BoundLoad, text: str, colour: str, radius: float) -> None:
        self._load, self._radius = load, radius
        self._arrow = Arrow(stage, colour, text, radius=0.02, rank=3)
        self._anchor = load.anchor
        self._thread = stage.add_line(Line(colour, 1.5, visible=False))

    def show(self, time: float, pose: Pose, per_newton: float) -> None:
        force = self._load.force(np.array([time]), pose.p[None])
        assert force is not None
        point = pose.rotation @ force[1] / self._radius
        self._arrow.point(per_newton * force[0][0], point)
        if self._anchor is not None:
            self._thread.set_points(np.array([np.asarray(self._anchor) / self._radius, point]))

    def set_visible(self, visible: bool) -> None:
        self._arrow.set_visible(visible)
        self._thread.set_visible(visible and self._anchor is not None)

    def remove(self, stage: Stage) -> None:
        for part in (*self._arrow.parts, self._thread):
            stage.remove(part)
