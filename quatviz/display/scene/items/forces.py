"""The loads that are forces at body points."""

import numpy as np

from quatviz.base.formatting import numbered_symbols
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Pose
from quatviz.display.scene.arrows import Arrow
from quatviz.display.scene.base import Line, SceneItem, Stage
from quatviz.physics.loads.base import BoundLoad

MAX_FORCE_LENGTH = 1.0
"""Length in body radii of the largest force of a run: its arrow begins at the body's skin, not at its centre."""


class Forces(SceneItem):
    """Each force as an arrow from its point; a spring also as a line to its anchor."""

    name = "forces"
    title = "Forces f"
    summary = "arrows at their points in the torque's colour; a spring has a line to its anchor"
    order = 54

    def make(self) -> None:
        self._scale = 0.0
        identity = np.array([[1.0, 0.0, 0.0, 0.0]])
        loads = [load for load in self.source.info.loads if load.force(np.zeros(1), identity) is not None]
        self._forces = [
            _ForceArrow(self.stage, load, text, self.theme.torque, self.shape.radius)
            for load, text in zip(loads, numbered_symbols("f", len(loads)), strict=True)
        ]

    def show(self, frame: Frame) -> None:
        scale = frame.scales.get("force", 0.0)
        if scale != self._scale:
            self._scale = scale
            self._update_legend()
        if frame.pose is not None and scale > 0:
            for force in self._forces:
                force.show(frame.time, frame.pose, MAX_FORCE_LENGTH / scale)

    def _update_legend(self) -> None:
        text = tr("f   body radius = {scale:.4g} N", scale=self._scale / MAX_FORCE_LENGTH)
        self.stage.set_legend_line(self.name, text if self._scale > 0 else "", self.theme.torque)


class _ForceArrow:
    """One load's arrow, and its thread where it is fixed to an anchor in space."""

    def __init__(self, stage: Stage, load: BoundLoad, text: str, colour: str, radius: float) -> None:
        self._load, self._radius = load, radius
        self._arrow = Arrow(stage, colour, text, radius=0.02, rank=3)
        self._anchor = load.anchor
        self._anchor_line = stage.add(Line(colour, 1.5, visible=self._anchor is not None))

    def show(self, time: float, pose: Pose, per_newton: float) -> None:
        force = self._load.force(np.array([time]), pose.p[None])
        assert force is not None
        point = pose.rotation @ force[1] / self._radius
        self._arrow.draw(per_newton * force[0][0], point)
        if self._anchor is not None:
            self._anchor_line.set_points(np.array([np.asarray(self._anchor) / self._radius, point]))
