"""Torque-free motion as the angular momentum sees it: where a sphere and an ellipsoid meet."""

from __future__ import annotations

import numpy as np

from quatviz.base.tr import tr
from quatviz.feed.frame import Frame, Pose, Source
from quatviz.geometry.polhodes import directions, level_of, principal, twice_kinetic
from quatviz.look.theme import Theme
from quatviz.scene.base import SceneItem, Stage
from quatviz.scene.geometry import ellipsoid
from quatviz.scene.primitives import ARROW, Line, Mesh, placed


class MomentumEllipsoid(SceneItem):
    """Fixed to the body, in the scale of the arrow of h: the ellipsoid `h^T J^-1 h = 2T`, the sphere of |h|, and the two
    curves where they meet. h stands still in space; the body carries them past its tip, which follows one of the curves.

    Only where nothing acts do |h| and T stay. With a load, or with a ring inside, whose momentum is not J omega, nothing
    is drawn, and the corner says why.
    """

    name = "momentum_ellipsoid"
    title = "Momentum ellipsoid and sphere"
    told = "where its length and the energy let h go in the body"
    order = 86
    shown_at_first = False

    def build(self, stage: Stage, theme: Theme) -> None:
        self._stage, self._theme = stage, theme
        self._curves = [stage.add_line(Line(theme.text, 2.5)) for _ in range(2)]
        self._ellipsoid = stage.add_mesh(Mesh(ellipsoid(np.ones(3), np.eye(3)), theme.accent, "glass"))
        self._sphere = stage.add_mesh(Mesh(ellipsoid(np.ones(3), np.eye(3)), theme.h, "glass"))
        self._visible = True
        self._free = False
        self._inertia, self._moments, self._axes = np.eye(3), np.ones(3), np.eye(3)
        self.set_visible(True)

    def start(self, source: Source) -> None:
        self._free = not source.info.loads and source.info.body.ring is None
        self._inertia = source.info.body.inertia
        self._moments, self._axes = principal(self._inertia)
        self.set_visible(self._visible)

    def show(self, frame: Frame) -> None:
        solid = frame.body
        scale = frame.scales.get("h", 0.0)
        drawn = self._free and scale > 0 and solid is not None and solid.pose is not None
        drawn = drawn and self._place(solid.pose, ARROW / scale)  # type: ignore[union-attr,arg-type]
        self._draw(bool(drawn))

    def set_visible(self, visible: bool) -> None:
        self._visible = visible
        self._draw(False)
        self._explain()

    def _draw(self, on: bool) -> None:
        for curve in self._curves:
            curve.set_visible(on)
        for surface in (self._ellipsoid, self._sphere):
            surface.set_visible(on)

    def _place(self, pose: Pose, length: float) -> bool:
        """`length` body radii are one kg m²/s; false where nothing turns. 2T is that of the h that is drawn."""
        h = pose.vectors["h"] @ pose.rotation
        momentum, twice = float(np.linalg.norm(h)), float(twice_kinetic(self._inertia, h))
        if not (momentum > 0 and twice > 0):
            return False
        self._ellipsoid.set_transform(
            placed(pose.rotation @ self._axes * (length * np.sqrt(twice * self._moments)))
        )
        self._sphere.set_transform(placed(length * momentum * np.eye(3)))
        curves = directions(self._inertia, float(level_of(self._inertia, h))) or [np.empty((0, 3))] * 2
        for line, curve in zip(self._curves, curves, strict=True):
            line.set_points(length * momentum * curve @ pose.rotation.T)
        return True

    def _explain(self) -> None:
        told = self._visible and not self._free
        text = tr("momentum ellipsoid: none, since |h| or T changes") if told else ""
        self._stage.set_corner(self.name, text, self._theme.muted)
