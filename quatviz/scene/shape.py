"""The body of a run as triangles and lines, in body radii."""

import math

import numpy as np

from quatviz.geometry.triangles import box, box_edges, ellipsoid, ellipsoid_net
from quatviz.mechanics.body import Body
from quatviz.mechanics.body_solid import solid_of

_NET = 64
"""Edges of a mesh that its wireframe has: each is a line of its own."""


class BodyShape:
    """Half-extents (3,) along the principal axes, and the centre (3,), in body radii and body components: see
    `mechanics.body_solid`."""

    def __init__(self, body: Body) -> None:
        solid = solid_of(body)
        self.radius, self.extents, self.axes = solid.radius, solid.extents, solid.axes
        self.centre, self.mesh = solid.centre, solid.mesh
        self.ring = body.ring
        self._make = box if body.shape == "box" else ellipsoid

    def vertices(self, inflate: float = 1.0) -> np.ndarray:
        """The mesh, about the fixed point."""
        if self.mesh is not None:
            vertices = np.ascontiguousarray(self.mesh.scaled(inflate).rows(), dtype=np.float32)
        else:
            vertices = self._make(self.extents * inflate, self.axes)
        vertices[:, :3] += self.centre.astype(np.float32)
        return vertices

    def edges(self, inflate: float = 1.0) -> np.ndarray:
        """A walk (n, 3) along the edges of that mesh, where it has any."""
        if self._make is not box or self.mesh is not None:
            return np.empty((0, 3))
        return box_edges(self.extents * inflate, self.axes) + self.centre

    def net(self, inflate: float = 1.0) -> list[np.ndarray]:
        """Lines (n, 3) on its surface, about the fixed point."""
        if self.mesh is not None:
            return [line * inflate + self.centre for line in self.mesh.edges(_NET)]
        if self._make is box:
            return [self.edges(inflate)]
        return [(points * self.extents * inflate) @ self.axes.T + self.centre for points in ellipsoid_net()]

    @property
    def reach(self) -> float:
        """Farthest point of the body from its fixed point, in body radii."""
        ring, reach = self.ring, 1.0 + float(np.linalg.norm(self.centre))
        return reach if ring is None else max(reach, math.hypot(ring.mean_radius, ring.offset) / self.radius)

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
