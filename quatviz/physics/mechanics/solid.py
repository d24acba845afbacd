"""Triangles and lines with which a body is drawn: those of its shape, or of a solid that has the same inertia."""

import logging
import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from quatviz.base.errors import InputError
from quatviz.physics.geometry.meshes import is_mesh, read_preset_mesh
from quatviz.physics.geometry.polyhedron import Polyhedron, area_vectors, cut_at_octants
from quatviz.physics.geometry.triangles import box, box_edges, ellipsoid, ellipsoid_wireframe
from quatviz.physics.mechanics.body import Body, principal_axes
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.shapes import SHAPES

log = logging.getLogger(__name__)

_MAX_WIREFRAME_EDGES = 64
"""Largest number of edges in the wireframe of a mesh. Each edge is drawn as a separate line item, which takes time."""
_MIN_HALF_EXTENT = 0.035
"""Smallest half-extent of a drawn body, in units of its largest half-extent.

It keeps a planar body visible from the side.
"""


@dataclass(frozen=True, eq=False)
class Solid:
    """The solid that is drawn for a body: an ellipsoid, a box, or a `mesh` about its center.

    `radius` [m] is the largest half-extent. All other lengths are in units of `radius`: `extents` (3,) are the
    half-extents along the columns of `axes` (3, 3), `centre` (3,) is the center relative to the fixed point in body
    components, and `mesh` is scaled too.
    """

    radius: float
    extents: np.ndarray
    axes: np.ndarray
    centre: np.ndarray
    mesh: Polyhedron | None = None
    shape: str = "ellipsoid"
    """Name of the shape of the body, as in a preset."""
    ring: Ring | None = None

    def vertices(self) -> np.ndarray:
        """Return the triangles of the body as rows (n, 6) of position and normal, relative to its fixed point and in body
        radii."""
        vertices = self._rows.copy()
        vertices[:, :3] += self.centre.astype(np.float32)
        return vertices

    def inflation_matrix(self, factor: float) -> np.ndarray:
        """Return the matrix (4, 4) that scales the body by a factor about its center."""
        matrix = np.diag([factor, factor, factor, 1.0])
        matrix[:3, 3] = (1.0 - factor) * self.centre
        return matrix

    @cached_property
    def _rows(self) -> np.ndarray:
        """Triangles of the body as rows (n, 6) of position and normal, three rows each, relative to its center and in body
        radii."""
        if self.mesh is not None:
            return np.ascontiguousarray(self.mesh.shaded_rows, dtype=np.float32)
        return (box if self.shape == "box" else ellipsoid)(self.extents, self.axes)

    def edges(self, inflate: float = 1.0) -> np.ndarray:
        """Return one polyline (n, 3) along the edges of a box, in body radii; it is empty for other shapes.

        `inflate` scales the box about its center.
        """
        if self.shape != "box" or self.mesh is not None:
            return np.empty((0, 3))
        return box_edges(self.extents * inflate, self.axes) + self.centre

    def wireframe(self, inflate: float = 1.0) -> list[np.ndarray]:
        """Return polylines (n, 3) on the surface of the body, relative to its fixed point and in body radii.

        `inflate` scales them about the center of the body.
        """
        if self.mesh is not None:
            return [line * inflate + self.centre for line in self.mesh.edges(_MAX_WIREFRAME_EDGES)]
        if self.shape == "box":
            return [self.edges(inflate)]
        return [
            (points * self.extents * inflate) @ self.axes.T + self.centre for points in ellipsoid_wireframe()
        ]

    @property
    def reach(self) -> float:
        """Distance of the farthest point of the body from its fixed point, in body radii."""
        ring, reach = self.ring, 1.0 + float(np.linalg.norm(self.centre))
        return reach if ring is None else max(reach, math.hypot(ring.mean_radius, ring.offset) / self.radius)

    @property
    def intersects_ring(self) -> bool:
        """True if a part of the ring's circle lies inside the body."""
        if self.ring is None:
            return False
        angles = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
        circle = np.stack(
            (np.cos(angles), np.sin(angles), np.full(16, self.ring.offset / self.ring.mean_radius)), axis=1
        )
        scaled_circle = (
            (self.ring.mean_radius / self.radius * circle - self.centre) @ self.axes / self.extents
        )
        size = (
            np.abs(scaled_circle).max(axis=1)
            if self.shape == "box"
            else np.linalg.norm(scaled_circle, axis=1)
        )
        return bool(np.any(size < 1.0))


def make_solid(body: Body) -> Solid:
    """Return the solid to draw for a body.

    If the body has no `size`, its size follows from its inertia and its mass. A mass that is not given counts as 1 kg.
    """
    return replace(_solid_without_ring(body), shape=body.shape, ring=body.ring)


def _solid_without_ring(body: Body) -> Solid:
    mesh = _surface_of(body)
    if mesh is None:
        return _with_inertia(body) if body.size is None or is_mesh(body.shape) else _with_size(body)
    radius, unit = mesh.radius, mesh.unit
    if body.size is None and not is_mesh(body.shape):
        volume, _, unit_inertia = unit.mass_properties()
        radius = float(
            np.sqrt(
                np.trace(body.inertia_about_center) * volume / (body.mass or 1.0) / np.trace(unit_inertia)
            )
        )
    extents = np.maximum(np.abs(unit.vertices).max(axis=0), _MIN_HALF_EXTENT)
    return Solid(radius, extents, np.eye(3), _center_of_mass(body) / radius, unit)


def _surface_of(body: Body) -> Polyhedron | None:
    """Return the surface [m] of a body relative to its center of mass. Return None for an ellipsoid, a box, or a mesh file
    that cannot be read.

    An unreadable file is logged and not refused, since the motion does not depend on it.
    """
    if body.shape in ("ellipsoid", "box"):
        return None
    size = None if body.size is None else tuple(body.size.tolist())
    if not is_mesh(body.shape):
        return _shape_surface(body.shape, size)
    if body.folder is None:
        return None
    try:
        mesh = read_preset_mesh(body.folder, body.shape)
    except InputError as refusal:
        log.warning("the body is drawn without its mesh: %s", refusal)
        return None
    return _mesh_surface(mesh, size)


# Both surfaces are cached: while the user drags a mass, thirty bodies a second share the same surface.


@lru_cache(maxsize=4)
def _shape_surface(shape: str, size: tuple[float, ...] | None) -> Polyhedron:
    return SHAPES[shape].sized(None if size is None else np.array(size))


@lru_cache(maxsize=4)
def _mesh_surface(mesh: Polyhedron, size: tuple[float, ...] | None) -> Polyhedron:
    if size is not None:
        mesh = mesh.scaled(np.array(size) / np.maximum(mesh.extents, 1e-300))
    volume, center, _ = mesh.mass_properties()
    is_inside = volume > 0.0 and bool(np.all((center > mesh.low) & (center < mesh.low + mesh.extents)))
    return mesh.translated(-center if is_inside else -(mesh.low + 0.5 * mesh.extents))


def _center_of_mass(body: Body) -> np.ndarray:
    """Return the position (3,) [m, body] of the center of mass relative to the fixed point."""
    return np.zeros(3) if body.centre_of_mass is None else np.asarray(body.centre_of_mass)


def _with_size(body: Body) -> Solid:
    """Return the ellipsoid or the box whose lengths are the body's `size`."""
    radius = 0.5 * float(np.max(body.size))
    extents = np.maximum(0.5 * body.size / radius, _MIN_HALF_EXTENT)
    return Solid(radius, extents, np.eye(3), _center_of_mass(body) / radius)


def _with_inertia(body: Body) -> Solid:
    """Return the ellipsoid or box of uniform density that has the inertia and the mass of `body`.

    If its mass is not given, 1 kg is assumed. The squared half-extents are proportional to J2 + J3 - J1 and its cyclic
    permutations. The inertia of a body on a pivot is first converted to the center of mass, if mass and center of mass
    are given.
    """
    has_mass_and_center = body.mass is not None and body.centre_of_mass is not None
    inertia, center = (
        body.inertia_about_center,
        _center_of_mass(body) if has_mass_and_center else np.zeros(3),
    )
    moments, axes = principal_axes(inertia)
    squares = np.maximum(moments.sum() - 2 * moments, 0.0)
    factor = 3.0 if body.shape == "box" else 5.0
    sizes = np.sqrt(factor / (2 * (body.mass or 1.0)) * squares)
    radius = float(sizes.max())
    return Solid(radius, np.maximum(sizes / radius, _MIN_HALF_EXTENT), axes, center / radius)


_SEGMENTS = 32
"""Number of segments around an ellipsoid that is drawn as facets. Its outline is then smooth to a third of a pixel
in a picture 150 pixels high."""
_MAX_FACETS = 2000
"""Largest number of triangles of a mesh that are drawn as facets. A finer mesh is replaced by the ellipsoid with its
extents.
"""


@dataclass(frozen=True, eq=False)
class Facets:
    """The triangles of a body, in body radii, for drawing in two alternating tones.

    The triangles, with `corners` (n, 3, 3) and `normals` (n, 3), are cut along the planes between the octants.
    `corner_normals` (n, 3, 3) are the normals of the smooth surface at the corners. `is_first_tone` (n,) is True for the
    triangles in every second octant.
    """

    corners: np.ndarray
    normals: np.ndarray
    corner_normals: np.ndarray
    is_first_tone: np.ndarray
    centre: np.ndarray
    """Center of the body (3,), measured from the fixed point in body radii."""

    @property
    def middle(self) -> np.ndarray:
        """Point (3,), in body radii, half-way from the fixed point to the center of the body."""
        return 0.5 * self.centre

    @cached_property
    def reach(self) -> float:
        """Largest distance of a corner from `middle`."""
        return float(np.linalg.norm(self.corners.reshape(-1, 3) - self.middle, axis=1).max())


def make_facets(body: Body) -> Facets:
    """Return the facets of a body, few enough for a software renderer."""
    solid = make_solid(body)
    vertices = solid.vertices()
    is_ellipsoid = solid.mesh is None and body.shape != "box"
    if is_ellipsoid or len(vertices) > 3 * _MAX_FACETS:
        vertices = ellipsoid(solid.extents, solid.axes, _SEGMENTS)
        vertices[:, :3] += solid.centre.astype(np.float32)
    pieces = cut_at_octants(vertices.reshape(-1, 3, 6).astype(float))
    normals = area_vectors(pieces[:, :, :3])
    sizes = np.linalg.norm(normals, axis=1)
    is_nondegenerate = sizes > 1e-9
    corners, corner_normals = np.split(pieces[is_nondegenerate], 2, axis=2)
    is_first_tone = np.prod(np.sign(corners.mean(axis=1)), axis=1) > 0.0
    unit_normals = normals[is_nondegenerate] / sizes[is_nondegenerate, None]
    return Facets(corners, unit_normals, corner_normals, is_first_tone, solid.centre)
