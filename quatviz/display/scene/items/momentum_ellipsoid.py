"""Torque-free motion as the angular momentum sees it: where a sphere and an ellipsoid meet."""

import numpy as np

from quatviz.display.data.frame import Pose
from quatviz.display.scene.base import Line, Mesh, placed
from quatviz.display.scene.free_motion import FreeMotion
from quatviz.physics.geometry.polhodes import directions, level_of, twice_kinetic
from quatviz.physics.geometry.triangles import ellipsoid


class MomentumEllipsoid(FreeMotion):
    """Fixed to the body, in the scale of the arrow of h: the ellipsoid `h^T J^-1 h = 2T`, the sphere of |h|, and the two
    curves where they meet. h stands still in space; the body carries them past its tip, which follows one of the curves.

    Only where nothing acts do |h| and T stay.
    """

    name = "momentum_ellipsoid"
    title = "Momentum ellipsoid and sphere"
    told = "where its length and the energy let h go in the body"
    none = "momentum ellipsoid: none, since |h| or T changes"
    quantity = "h"
    order = 86
    shown_at_first = False

    def make(self) -> None:
        super().make()
        self._curves = [self.stage.add(Line(self.theme.text, 2.5)) for _ in range(2)]
        self._ellipsoid = self.stage.add(Mesh(ellipsoid(np.ones(3), np.eye(3)), self.theme.accent, "glass"))
        self._sphere = self.stage.add(Mesh(ellipsoid(np.ones(3), np.eye(3)), self.theme.h, "glass"))

    def place(self, pose: Pose, length: float) -> bool:
        """2T is that of the h that is drawn."""
        h = pose.vectors["h"] @ pose.rotation
        momentum, twice = float(np.linalg.norm(h)), float(twice_kinetic(self.inertia, h))
        if not (momentum > 0 and twice > 0):
            return False
        self._ellipsoid.transform = placed(
            pose.rotation @ self.axes * (length * np.sqrt(twice * self.moments))
        )
        self._sphere.transform = placed(length * momentum * np.eye(3))
        curves = directions(self.inertia, float(level_of(self.inertia, h))) or [np.empty((0, 3))] * 2
        for line, curve in zip(self._curves, curves, strict=True):
            line.set_points(length * momentum * curve @ pose.rotation.T)
        return True
