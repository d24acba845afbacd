"""3D item that draws loads that are forces at body points."""

from collections.abc import Sequence

import numpy as np

from quatviz.base.formatting import numbered_symbols
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Pose
from quatviz.display.data.lane_readouts import center_at
from quatviz.display.scene.arrows import Arrow
from quatviz.display.scene.base import Line, SceneItem, Stage
from quatviz.display.view_state.theme import Theme
from quatviz.physics.loads.base import BoundLoad

_COIL_TURNS, _COIL_WIDTH, _GUIDE_REACH = 6, 0.07, 1.35
"""Coil and guide of a guided spring: number of turns of the coil, half its width, and half the length of the guide
[body radii]."""
_LIFT = 0.1
"""Distance of coil and guide from their plane [body radii]."""
MAX_FORCE_LENGTH = 1.0
"""Length in body radii of the largest force in a run. It is shorter than other arrows, because it begins at the
surface."""


class Forces(SceneItem):
    """Each force on the lane that is drawn as the body, as an arrow at its body point. A spring also has a
    line to its anchor or, with a guide, a coil to the guide."""

    name = "forces"
    title = "Forces f"
    summary = "arrows at their points in the torque's color; a spring has a line to its anchor, or a coil to its guide"
    order = 54

    def make(self) -> None:
        self._scale = 0.0
        info = self.source.info
        shared = _forces_among(info.loads)
        own = {
            lane: _forces_among(info.loads_of(index)[len(info.loads) :])
            for index, lane in enumerate(info.lanes)
        }
        symbols = list(numbered_symbols("f", len(shared) + max(map(len, own.values()), default=0)))
        self._shared = self._arrows_of(shared, symbols)
        self._own = {lane: self._arrows_of(loads, symbols[len(shared) :]) for lane, loads in own.items()}

    def _arrows_of(self, loads: Sequence[BoundLoad], symbols: Sequence[str]) -> list["_ForceArrow"]:
        return [
            _ForceArrow(self.stage, load, text, self.theme, self.shape.radius)
            for load, text in zip(loads, symbols, strict=False)
        ]

    def show(self, frame: Frame) -> None:
        scale = frame.scales.get("force", 0.0)
        if scale != self._scale:
            self._scale = scale
            self._update_legend()
        if frame.pose is not None and scale > 0:
            center = center_at(self.source, frame.body.name, frame.time) if frame.body else None
            for force in self._shared:
                force.show(frame.time, frame.pose, MAX_FORCE_LENGTH / scale, center)
            drawn_lane = frame.body.name if frame.body else ""
            for lane, forces in self._own.items():
                for force in forces:
                    if lane == drawn_lane:
                        force.show(frame.time, frame.pose, MAX_FORCE_LENGTH / scale, center)
                    else:
                        force.hide()

    def _update_legend(self) -> None:
        text = tr("f   1 body radius = {scale:.4g} N", scale=self._scale / MAX_FORCE_LENGTH)
        self.stage.set_legend_line(self.name, text if self._scale > 0 else "", self.theme.torque)


def _forces_among(loads: Sequence[BoundLoad]) -> list[BoundLoad]:
    identity = np.array([[1.0, 0.0, 0.0, 0.0]])
    return [load for load in loads if load.force(np.zeros(1), identity) is not None]


class _ForceArrow:
    """The arrow of one load, the line to its anchor in space, and the coil and guide of a guided spring."""

    def __init__(self, stage: Stage, load: BoundLoad, text: str, theme: Theme, radius: float) -> None:
        self._load, self._radius = load, radius
        color = theme.torque
        self._arrow = Arrow(stage, color, text, radius=0.02, rank=3)
        self._anchor = load.anchor
        self._anchor_line = stage.add(Line(color, 1.5, visible=self._anchor is not None))
        self._normal = load.guide_normal
        is_guided = self._normal is not None
        self._coil = stage.add(Line(theme.text, 2.0, visible=is_guided))
        self._guide = stage.add(Line(theme.muted, 3.0, visible=is_guided))

    def hide(self) -> None:
        """Hide the arrow and its lines, because the force acts on another lane."""
        self._arrow.draw(np.zeros(3))
        for line in (self._anchor_line, self._coil, self._guide):
            line.visible = False

    def show(self, time: float, pose: Pose, per_newton: float, center: np.ndarray | None) -> None:
        """Draw the force. `center` (3,) is the center of mass [m, space], at which the view is centered; None
        if it is fixed."""
        load = self._load if center is None else self._load.at_center(center[None])
        force = load.force(np.array([time]), pose.p[None])
        assert force is not None
        point = pose.rotation @ force[1] / self._radius
        self._arrow.draw(per_newton * force[0][0], point)
        if self._anchor is not None:
            self._anchor_line.visible = True
            anchor = np.asarray(self._anchor) - (0.0 if center is None else center)
            self._anchor_line.set_points(np.array([anchor / self._radius, point]))
        if self._normal is not None:
            beside = 0.0 if center is None else float(self._normal @ center) / self._radius
            foot = point - (self._normal @ point + beside) * self._normal
            reach = float(np.linalg.norm(foot))
            along = foot / reach if reach > 0.0 else np.zeros(3)
            self._coil.visible = self._guide.visible = True
            lift = _LIFT * np.cross(along, self._normal)  # so that a flat body does not hide them
            self._coil.set_points(lift + coil_points(foot, point, _COIL_WIDTH * along))
            self._guide.set_points(lift + np.array([-_GUIDE_REACH * along, _GUIDE_REACH * along]))


def coil_points(start: np.ndarray, end: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return the points (n, 3) of a flat zigzag spring from `start` to `end` with the half-width vector `side`."""
    fractions = np.linspace(0.0, 1.0, 2 * _COIL_TURNS + 2)
    swings = np.zeros(len(fractions))
    swings[1:-1] = np.where(np.arange(2 * _COIL_TURNS) % 2 == 0, 1.0, -1.0)
    return start + fractions[:, None] * (end - start) + swings[:, None] * side
