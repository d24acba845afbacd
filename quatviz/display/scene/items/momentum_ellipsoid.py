"""3D item that shows torque-free motion in terms of angular momentum: the intersection of a sphere and an
ellipsoid."""

import numpy as np

from quatviz.display.data.frame import Pose
from quatviz.display.scene.base import Line, Mesh, transform_matrix
from quatviz.display.scene.free_motion import FreeMotion
from quatviz.physics.geometry.polhodes import polhode_curves, polhode_level, twice_kinetic_energy
from quatviz.physics.geometry.triangles import ellipsoid


class MomentumEllipsoid(FreeMotion):
    """The ellipsoid `h^T J^-1 h = 2T`, the sphere of |h| and their two intersection curves, in the scale of the arrow
    of h.

    They are fixed to the body. h is constant in space, so that its tip moves along one of the curves relative to the
    body. |h| and T are constant only without torque.
    """

    name = "momentum_ellipsoid"
    title = "Momentum ellipsoid and sphere"
    summary = "surfaces of constant energy and of constant |h| in the body; h moves along their intersection"
    unavailable_text = "no momentum ellipsoid"
    quantity = "h"
    order = 86
    visible_by_default = False

    def make(self) -> None:
        super().make()
        self._curves = [self.stage.add(Line(self.theme.text, 2.5)) for _ in range(2)]
        self._ellipsoid = self.stage.add(Mesh(ellipsoid(np.ones(3), np.eye(3)), self.theme.accent, "glass"))
        self._sphere = self.stage.add(Mesh(ellipsoid(np.ones(3), np.eye(3)), self.theme.h, "glass"))

    def draw_scaled(self, pose: Pose, length: float) -> bool:
        """Draw the ellipsoid, the sphere and their intersection for the present h."""
        h = pose.vectors["h"] @ pose.rotation
        momentum, twice_energy = float(np.linalg.norm(h)), float(twice_kinetic_energy(self.inertia, h))
        if not (momentum > 0 and twice_energy > 0):
            return False
        self._ellipsoid.transform = transform_matrix(
            pose.rotation @ self.axes * (length * np.sqrt(twice_energy * self.moments))
        )
        self._sphere.transform = transform_matrix(length * momentum * np.eye(3))
        curves = polhode_curves(self.inertia, float(polhode_level(self.inertia, h))) or [np.empty((0, 3))] * 2
        for line, curve in zip(self._curves, curves, strict=True):
            line.set_points(length * momentum * curve @ pose.rotation.T)
        return True
