"""Closed surfaces of triangles: construction, mass properties and shading."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

CREASE_COSINE = np.cos(np.radians(35.0))
"""Cosine of the largest angle, 35 degrees, between the normals of neighboring faces that are shaded as one round
surface. At a larger angle the edge is sharp."""


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """A surface of triangles.

    `vertices` (n, 3) [m] are the corners; `faces` (m, 3) are vertex indices, counterclockwise seen from
    outside.
    """

    vertices: np.ndarray
    faces: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        """The three corners of every face (m, 3, 3) [m]."""
        corners: np.ndarray = self.vertices[self.faces]
        return corners

    @property
    def low(self) -> np.ndarray:
        """Corner (3,) [m] of the bounding box with the smallest coordinates."""
        return np.asarray(self.vertices.min(axis=0))

    @property
    def extents(self) -> np.ndarray:
        """Lengths (3,) [m] of the bounding box."""
        return np.asarray(np.ptp(self.vertices, axis=0))

    @property
    def radius(self) -> float:
        """Largest absolute coordinate of a vertex [m]."""
        return float(np.abs(self.vertices).max())

    @cached_property
    def unit(self) -> "Polyhedron":
        """Copy of the surface, scaled so that its `radius` is 1."""
        return self.scaled(1.0 / self.radius)

    def translated(self, offset: np.ndarray) -> "Polyhedron":
        """Return a copy shifted by `offset` (3,) [m]."""
        return Polyhedron(self.vertices + offset, self.faces)

    def scaled(self, factors: np.ndarray | float) -> "Polyhedron":
        """Return a copy stretched about the origin by factors (3,) along the axes, or by a common factor."""
        return Polyhedron(self.vertices * factors, self.faces)

    def mass_properties(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Return volume [m^3], center of mass (3,) [m], and the inertia per density (3, 3) [m^5] about the center of
        mass.

        The result is exact: a sum over the tetrahedra between the origin and each face. For a tetrahedron with
        corners 0, a, b, c and determinant d the integral of x x^T is d/120 (a a^T + b b^T + c c^T + s s^T) with s =
        a + b + c.

        >>> volume, center, inertia = make_box([0.0, 0.0, 0.0], [2.0, 1.0, 1.0]).mass_properties()
        >>> round(volume, 12), center.round(12).tolist(), inertia.diagonal().round(12).tolist()
        (2.0, [1.0, 0.5, 0.5], [0.333333333333, 0.833333333333, 0.833333333333])
        """
        corners = self.corners
        sixth = np.linalg.det(corners)
        volume = float(sixth.sum()) / 6.0
        if volume == 0.0:
            return 0.0, np.zeros(3), np.zeros((3, 3))
        sums = corners.sum(axis=1)
        center = sixth @ sums / (24.0 * volume)
        second = np.einsum("n,nci,ncj->ij", sixth, corners, corners) + np.einsum(
            "n,ni,nj->ij", sixth, sums, sums
        )
        second = second / 120.0 - volume * np.outer(center, center)
        return volume, center, np.trace(second) * np.eye(3) - second

    @cached_property
    def shaded_rows(self) -> np.ndarray:
        """Rows (3 m, 6) of position and normal, three for each face. The array is shared and must not be written to.

        The normals of faces that meet at less than the angle of `CREASE_COSINE` are averaged.
        """
        areas, units = self._normals()
        of_corner = np.repeat(np.arange(len(self.faces)), 3)
        order = np.argsort(self.faces.ravel(), kind="stable")
        counts = np.bincount(self.faces.ravel(), minlength=len(self.vertices))
        starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
        vertex_of_corner = self.faces.ravel()
        # Pair every corner with every corner at the same vertex.
        first = np.repeat(np.arange(len(vertex_of_corner)), counts[vertex_of_corner])
        step = np.arange(len(first)) - np.repeat(
            np.cumsum(counts[vertex_of_corner]) - counts[vertex_of_corner], counts[vertex_of_corner]
        )
        second = order[starts[vertex_of_corner[first]] + step]
        is_smooth = np.einsum("ni,ni->n", units[of_corner[first]], units[of_corner[second]]) > CREASE_COSINE
        normals = np.zeros((len(vertex_of_corner), 3))
        for axis in range(3):
            weights = areas[of_corner[second[is_smooth]], axis]
            normals[:, axis] = np.bincount(first[is_smooth], weights=weights, minlength=len(vertex_of_corner))
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        return np.hstack((self.corners.reshape(-1, 3), normals))

    def edges(self, max_count: int = 240) -> np.ndarray:
        """Return the longest edges (k, 2, 3) [m] at which faces meet at more than the angle of `CREASE_COSINE`.

        >>> make_box([0.0, 0.0, 0.0], [2.0, 1.0, 1.0]).edges().shape
        (12, 2, 3)
        """
        _, units = self._normals()
        pairs = np.concatenate([self.faces[:, [i, (i + 1) % 3]] for i in range(3)])
        owners = np.tile(np.arange(len(self.faces)), 3)
        ordered = np.sort(pairs, axis=1)
        unique_edges, inverse, counts = np.unique(ordered, axis=0, return_inverse=True, return_counts=True)
        sums = np.stack(
            [
                np.bincount(inverse.ravel(), weights=units[owners, axis], minlength=len(unique_edges))
                for axis in range(3)
            ],
            axis=1,
        )
        # The sum of two unit normals at an angle a has the length sqrt(2 + 2 cos a).
        sharp = (counts != 2) | (np.einsum("ni,ni->n", sums, sums) < 2.0 + 2.0 * CREASE_COSINE)
        lines = self.vertices[unique_edges[sharp]]
        longest = np.argsort(-np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1), kind="stable")
        return np.asarray(lines[longest[:max_count]])

    def _normals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the outward face normals as two arrays (m, 3): with twice the face area [m^2] as length, and with unit
        length."""
        areas = area_vectors(self.corners)
        return areas, areas / np.maximum(np.linalg.norm(areas, axis=1, keepdims=True), 1e-300)


def area_vectors(corners: np.ndarray) -> np.ndarray:
    """Return the normals (m, 3) of triangles (m, 3, 3), of length twice the area.

    They point outwards if the corners are counterclockwise seen from outside.
    """
    along, across = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return np.cross(along, across)


def make_box(low: Sequence[float], high: Sequence[float]) -> Polyhedron:
    """Return a box between two opposite corners (3,) [m].

    >>> make_box([-1.0, -1.0, -1.0], [1.0, 1.0, 2.0]).extents.tolist()
    [2.0, 2.0, 3.0]
    """
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)
    vertices = np.asarray(low) + corners * (np.asarray(high, dtype=np.float64) - np.asarray(low))
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [triangle for a, b, c, d in quads for triangle in ((a, b, c), (a, c, d))]
    return Polyhedron(vertices, np.array(faces))


def lathe(profile: Sequence[tuple[float, float]], segments: int = 44) -> Polyhedron:
    """Return a solid of revolution about z.

    `profile` lists (radius, z) [m] from the lowest point to the highest. An end with a nonzero radius is closed by a
    flat disk.

    >>> volume, center, _ = lathe([(1.0, 0.0), (0.0, 4.0)], segments=400).mass_properties()  # a cone
    >>> round(volume / np.pi, 3), round(float(center[2]), 6)
    (1.333, 1.0)
    """
    points = list(profile)
    if points[0][0] > 0.0:
        points.insert(0, (0.0, points[0][1]))
    if points[-1][0] > 0.0:
        points.append((0.0, points[-1][1]))
    angles = 2.0 * np.pi * np.arange(segments) / segments
    vertices: list[np.ndarray] = [np.array([[0.0, 0.0, points[0][1]]])]
    for radius, z in points[1:-1]:
        vertices.append(
            np.stack((radius * np.cos(angles), radius * np.sin(angles), np.full(segments, z)), axis=1)
        )
    vertices.append(np.array([[0.0, 0.0, points[-1][1]]]))
    rings, last = len(points) - 2, 1 + (len(points) - 2) * segments
    here, there = np.arange(segments), (np.arange(segments) + 1) % segments
    faces = [np.stack((np.zeros(segments, int), 1 + there, 1 + here), axis=1)]
    for ring in range(rings - 1):
        a, b = 1 + ring * segments, 1 + (ring + 1) * segments
        faces.append(np.stack((a + here, a + there, b + there), axis=1))
        faces.append(np.stack((a + here, b + there, b + here), axis=1))
    top = 1 + (rings - 1) * segments
    faces.append(np.stack((top + here, top + there, np.full(segments, last)), axis=1))
    return Polyhedron(np.concatenate(vertices), np.concatenate(faces))


def align_axis(axis: int, solid: Polyhedron) -> Polyhedron:
    """Return a solid of revolution about z with its axis turned to another axis: 0 for x, 1 for y."""
    return Polyhedron(np.roll(solid.vertices, axis - 2, axis=1), solid.faces)


def merge_polyhedra(*parts: Polyhedron) -> Polyhedron:
    """Return one polyhedron that consists of several solids, which must not overlap."""
    counts = np.cumsum([0] + [len(part.vertices) for part in parts])
    faces = [part.faces + before for part, before in zip(parts, counts, strict=False)]
    return Polyhedron(np.concatenate([part.vertices for part in parts]), np.concatenate(faces))


def cut_at_octants(corners: np.ndarray) -> np.ndarray:
    """Cut triangles along the planes x = 0, y = 0 and z = 0.

    Parameters
    ----------
    corners
        Corners (n, 3, k) of the triangles. The first three of the `k` values are coordinates; others are interpolated.

    Returns
    -------
    ndarray
        Corners (m, 3, k) of triangles that cover the same surface. Each of them lies on one side of every plane.
    """
    for axis in range(3):
        heights = corners[:, :, axis]
        crosses_plane = (heights.max(axis=1) > 1e-9) & (heights.min(axis=1) < -1e-9)
        pieces = [corners[~crosses_plane]]
        for triangle in corners[crosses_plane]:
            heights_of_corners = triangle[:, axis]
            signs = np.sign(heights_of_corners)
            lone_corner = int(np.argmax([np.sum(signs == sign) == 1 and sign != 0 for sign in signs]))
            a, b, c = np.roll(triangle, -lone_corner, axis=0)
            ab = a + (b - a) * (a[axis] / (a[axis] - b[axis]))
            ac = a + (c - a) * (a[axis] / (a[axis] - c[axis]))
            pieces.append(np.array(((a, ab, ac), (ab, b, c), (ab, c, ac))))
        corners = np.concatenate(pieces)
    return corners


_SHARP_COSINE = np.cos(np.radians(25.0))
_MERGE_DISTANCE = 1e-4
"""Size of the grid, in body radii, to which corners are rounded, so that triangles that meet have equal corners."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges of the triangles of a mesh.

    `starts` and `ends` (m, 3) are the end points of the edges, and `normals` (m, 2, 3) the normals of the two triangles
    at each edge, in the frame of the mesh. `sharp` (m,) is True for edges at which the normals differ by more than 25
    degrees, and for edges of a single triangle. `between_octants` (m,) is True for edges that lie in a coordinate plane.
    """

    starts: np.ndarray
    ends: np.ndarray
    normals: np.ndarray
    sharp: np.ndarray
    between_octants: np.ndarray

    @classmethod
    def from_vertices(cls, vertices: np.ndarray) -> "Edges":
        corners = vertices[:, :3].reshape(-1, 3, 3).astype(float)
        faces = area_vectors(corners)
        sizes = np.linalg.norm(faces, axis=1)
        corners, faces = corners[sizes > _MERGE_DISTANCE**2], faces[sizes > _MERGE_DISTANCE**2]
        faces /= np.linalg.norm(faces, axis=1, keepdims=True)
        points, point_numbers = np.unique(
            np.rint(corners.reshape(-1, 3) / _MERGE_DISTANCE), axis=0, return_inverse=True
        )
        numbers = point_numbers.reshape(-1, 3)
        pairs = np.sort(np.stack((numbers, np.roll(numbers, -1, axis=1)), axis=2), axis=2).reshape(-1, 2)
        owners = np.repeat(np.arange(len(corners)), 3)
        edges, first, edge = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
        last = np.zeros(len(edges), int)
        last[edge.ravel()] = np.arange(len(pairs))
        first_normals, last_normals = faces[owners[first]], faces[owners[last]]
        corner_points = points * _MERGE_DISTANCE
        starts, ends = corner_points[edges[:, 0]], corner_points[edges[:, 1]]
        sharp = np.logical_or(
            np.einsum("ni,ni->n", first_normals, last_normals) < _SHARP_COSINE, first == last
        )
        is_flat: np.ndarray = (np.abs(starts) < 2 * _MERGE_DISTANCE) & (np.abs(ends) < 2 * _MERGE_DISTANCE)
        return cls(
            starts, ends, np.stack((first_normals, last_normals), axis=1), sharp, np.any(is_flat, axis=1)
        )
