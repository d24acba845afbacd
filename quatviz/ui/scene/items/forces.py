"""The loads that are forces at body points."""

from __future__ import annotations

import numpy as np

from quatviz.core.loads.base import Load
from quatviz.core.typography import numbered
from quatviz.ui.frame import Frame, Pose, Source
from quatviz.ui.scene.arrow import Arrow
from quatviz.ui.scene.base import SceneItem
from quatviz.ui.scene.primitives import Line
from quatviz.ui.scene.view import SceneView
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr

LENGTH = 1.0
"""Length in body radii of the largest force of a run: its arrow begins at the body's skin, not at its centre."""


class Forces(SceneItem):
    """Each force as an arrow from its point; a spring also as a line to its anchor."""

    name = "forces"
    title = "Forces f"
    order = 54

    def build(self, view: SceneView, theme: Theme) -> None:
        self._view, self._theme = view, theme
        self._forces: list[_Force] = []
        self._scale = 0.0
        self._visible = True

    def start(self, source: Source) -> None:
        for force in self._forces:
            force.remove(self._view)
        shape = self._view.shape
        assert shape is not None
        still = np.array([[1.0, 0.0, 0.0, 0.0]])
        loads = [load for load in source.info.loads if load.acting(np.zeros(1), still) is not None]
        self._forces = [
            _Force(self._view, load, text, self._theme.torque, shape.radius)
            for load, text in zip(loads, numbered("f", len(loads)), strict=True)
        ]
        self._scale = 0.0
        self.set_visible(self._visible)

    def show(self, frame: Frame) -> None:
        scale = frame.scales.get("force", 0.0)
        if scale != self._scale:
            self._scale = scale
            self._write_scale()
        for lane in frame.lanes:
            if lane.solid and lane.pose is not None and scale > 0:
                for force in self._forces:
                    force.show(frame.time, lane.pose, LENGTH / scale)

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        for force in self._forces:
            force.recolour(theme.torque)
        self._write_scale()

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        for force in self._forces:
            force.set_visible(visible)
        self._write_scale()

    def _write_scale(self) -> None:
        shown = self._visible and self._scale > 0
        text = tr("f   {scale:.4g} N per body radius", scale=self._scale / LENGTH)
        self._view.set_corner(self.name, text if shown else "", self._theme.torque)


class _Force:
    """One load's arrow, and its thread where it is fixed to an anchor in space."""

    def __init__(self, view: SceneView, load: Load, text: str, colour: str, radius: float) -> None:
        self._load, self._radius = load, radius
        self._arrow = Arrow(view, colour, text, radius=0.02, rank=3)
        self._anchor = getattr(load, "anchor", None)
        self._thread = view.add_line(Line(colour, 1.5, visible=False))

    def show(self, time: float, pose: Pose, per_newton: float) -> None:
        acting = self._load.acting(np.array([time]), pose.p[None])
        assert acting is not None
        point = pose.rotation @ acting[1] / self._radius
        self._arrow.point(per_newton * acting[0][0], point)
        if self._anchor is not None:
            self._thread.set_points(np.array([np.asarray(self._anchor) / self._radius, point]))

    def recolour(self, colour: str) -> None:
        self._arrow.recolour(colour)
        self._thread.colour = colour

    def set_visible(self, visible: bool) -> None:
        self._arrow.set_visible(visible)
        self._thread.set_visible(visible and self._anchor is not None)

    def remove(self, view: SceneView) -> None:
        for part in (*self._arrow.parts, self._thread):
            view.remove(part)
