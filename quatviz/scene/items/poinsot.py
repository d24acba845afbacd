"""Poinsot's picture of torque-free motion: an ellipsoid that rolls on a plane."""

from __future__ import annotations

import numpy as np

from quatviz.base.tr import tr
from quatviz.feed.frame import Frame, Pose, Source
from quatviz.look.theme import Theme
from quatviz.scene.arrows import frame_along
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.geometry import ellipsoid, square
from quatviz.scene.primitives import ARROW, Line, Mesh, placed

_HALF = 1.35
"""Half the side of the drawn part of the plane, in body radii: more than the herpolhode's largest radius."""
_CORNERS = _HALF * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0)], float)
_DOT = 0.05


class Poinsot(SceneItem):
    """The inertia ellipsoid `omega^T J omega = 2T`, fixed to the body, in the scale of the arrow of omega; the
    invariable plane `h^T omega = 2T`, across h; and the point where they touch, which is the tip of omega.

    Only where nothing acts do h and T stay, so that there is a plane to roll on. With a load, or with a ring inside,
    whose momentum is not J omega, nothing is drawn, and the corner says why: an ellipsoid that swells and a plane
    that swings would be a picture of no theorem.
    """

    name = "poinsot"
    title = "Poinsot ellipsoid and plane"
    told = "the inertia ellipsoid, which rolls on its plane without torque"
    order = 85
    shown_at_first = False

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage, self._theme = stage, theme
        self._plane = stage.add_mesh(Mesh(square(_HALF), theme.h, "pane", alpha=0.13))
        self._edge = stage.add_line(Line(theme.h, 1.5))
        self._dot = stage.add_mesh(Mesh(ellipsoid(np.full(3, _DOT), np.eye(3), 12), theme.text))
        self._ellipsoid = stage.add_mesh(Mesh(ellipsoid(np.ones(3), np.eye(3)), theme.accent, "glass"))
        self._visible = True
        self._free = False
        self._moments, self._axes = np.ones(3), np.eye(3)
        self.set_visible(True)

    def start(self, source: Source) -> None:
        self._free = not source.info.loads and source.info.body.ring is None
        self._moments, self._axes = np.linalg.eigh(source.info.body.inertia)
        self._axes = self._axes * np.sign(np.linalg.det(self._axes))
        self.set_visible(self._visible)

    def show(self, frame: Frame) -> None:
        solid = frame.body
        scale = frame.scales.get("omega", 0.0)
        drawn = self._free and scale > 0 and solid is not None and solid.pose is not None
        drawn = drawn and self._place(solid.pose, ARROW / scale)  # type: ignore[union-attr,arg-type]
        for part in (self._plane, self._edge, self._dot, self._ellipsoid):
            part.set_visible(drawn)

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        for part in (self._plane, self._edge, self._dot, self._ellipsoid):
            part.set_visible(False)
        self._explain()

    def _place(self, pose: Pose, length: float) -> bool:
        """`length` body radii are one rad/s; false where nothing turns."""
        omega, h = pose.vectors["omega"], pose.vectors["h"]
        twice_kinetic, momentum = float(omega @ h), float(np.linalg.norm(h))
        if not twice_kinetic > 0:
            return False
        extents = length * np.sqrt(twice_kinetic / self._moments)
        self._ellipsoid.set_transform(placed(pose.rotation @ self._axes * extents))
        turned = placed(frame_along(h / momentum), length * twice_kinetic / momentum**2 * h)
        self._plane.set_transform(turned)
        self._edge.set_points(_CORNERS @ turned[:3, :3].T + turned[:3, 3])
        self._dot.set_transform(placed(offset=length * omega))
        return True

    def _explain(self) -> None:
        told = self._visible and not self._free
        text = tr("Poinsot's plane: none, since h or T changes") if told else ""
        self._stage.set_corner(self.name, text, self._theme.muted)
