"""The solid that has the body's inertia, in body radii: what is drawn of a body."""

from __future__ import annotations

import math

import numpy as np

from quatviz.core.body import Body
from quatviz.ui.scene.geometry import box, box_edges, box_net, ellipsoid, ellipsoid_net

_THINNEST = 0.035
"""Half-extent of a planar body, so that it can be seen from its edge."""


class BodyShape:
    """Half-extents (3,) along the principal axes, and the centre (3,), in body radii and body components.

    An ellipsoid, or a box, of uniform density has squared half-extents in proportion to J2 + J3 - J1 and so on.
    About a pivot the inertia is first moved to the centre of mass, where mass and centre are given.
    """

    def __init__(self, body: Body) -> None:
        inertia, centre = body.inertia, np.zeros(3)
        if body.mass is not None and body.centre_of_mass is not None:
            centre = np.asarray(body.centre_of_mass)
            inertia = inertia - body.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
        if np.array_equal(inertia, np.diag(np.diagonal(inertia))):
            moments, self.axes = np.diagonal(inertia), np.eye(3)
        else:
            moments, axes = np.linalg.eigh(inertia)
            self.axes = axes * np.sign(np.linalg.det(axes))
        squares = np.maximum(moments.sum() - 2 * moments, 0.0)
        factor = 3.0 if body.shape == "box" else 5.0
        sizes = np.sqrt(factor / (2 * (body.mass or 1.0)) * squares)
        self.radius = float(sizes.max())
        self.extents = np.maximum(sizes / self.radius, _THINNEST)
        self.centre = centre / self.radius
        self.ring = body.ring
        self._make = box if body.shape == "box" else ellipsoid

    def vertices(self, inflate: float = 1.0) -> np.ndarray:
        """The mesh, about the fixed point."""
        vertices = self._make(self.extents * inflate, self.axes)
        vertices[:, :3] += self.centre.astype(np.float32)
        return vertices

    def edges(self, inflate: float = 1.0) -> np.ndarray:
        """A walk (n, 3) along the edges of that mesh, where it has any."""
        if self._make is not box:
            return np.empty((0, 3))
        return box_edges(self.extents * inflate, self.axes) + self.centre

    def net(self, inflate: float = 1.0) -> list[np.ndarray]:
        """Lines (n, 3) on its surface, about the fixed point."""
        net = box_net() if self._make is box else ellipsoid_net()
        return [(points * self.extents * inflate) @ self.axes.T + self.centre for points in net]

    @property
    def reach(self) -> float:
        """Farthest point of the body from its fixed point, in body radii."""
        reach = 1.0 + float(np.linalg.norm(self.centre))
        return (
            reach
            if self.ring is None
            else max(reach, math.hypot(self.ring.mean_radius, self.ring.offset) / self.radius)
        )

    @property
    def hides_ring(self) -> bool:
        """Whether the ring's circle runs inside the body, somewhere."""
        if self.ring is None:
            return False
        turn = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
        circle = np.stack(
            (np.cos(turn), np.sin(turn), np.full(16, self.ring.offset / self.ring.mean_radius)), axis=1
        )
        own = (self.ring.mean_radius / self.radius * circle - self.centre) @ self.axes / self.extents
        size = np.abs(own).max(axis=1) if self._make is box else np.linalg.norm(own, axis=1)
        return bool(np.any(size < 1.0))
