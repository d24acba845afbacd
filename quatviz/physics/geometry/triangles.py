"""Basic solids as arrays of triangles, and lines on their surfaces.

A triangle is three float32 rows of position (3) and normal (3).
"""

import math
from functools import cache, lru_cache

import numpy as np

from quatviz.physics.geometry.polyhedron import area_vectors

ELLIPSOID_SEGMENTS = 48
"""Number of segments of an ellipsoid's equator.

With 48, silhouettes deviate by half a pixel at a radius of 200 pixels. With 64, a frame would take half a
millisecond longer in software rendering.
"""


def ellipsoid(extents: np.ndarray, axes: np.ndarray, segments: int = ELLIPSOID_SEGMENTS) -> np.ndarray:
    """Return triangle rows (n, 6) of an ellipsoid with half-extents (3,) along the columns of `axes` (3, 3)."""
    sphere, corners = _unit_sphere(segments, mirrored=bool(np.linalg.det(axes) < 0.0))
    points = (sphere * extents) @ axes.T
    normals = (sphere / extents) @ axes.T
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return np.hstack((points, normals)).astype(np.float32)[corners]


@lru_cache(maxsize=8)
def _unit_sphere(segments: int, mirrored: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return points (m, 3) on the unit sphere, and the indices (n,) of the triangle corners among them, counterclockwise seen
    from outside, or clockwise if `mirrored` is True.

    The order of the corners is the same for all ellipsoids. It is cached because each step of a drag makes another one.
    """
    u = np.linspace(0, 2 * np.pi, segments + 1)
    v = np.linspace(0, np.pi, segments // 2 + 1)
    uu, vv = np.meshgrid(u, v)
    grid = np.stack((np.sin(vv) * np.cos(uu), np.sin(vv) * np.sin(uu), np.cos(vv)), axis=-1)
    row, column = _corners(*grid.shape[:2])
    corners = (row * grid.shape[1] + column)[_outward_order(grid[row, column], grid[row, column])]
    sphere = grid.reshape(-1, 3)
    return sphere, corners.reshape(-1, 3)[:, ::-1].ravel() if mirrored else corners


def box(extents: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return triangle rows (n, 6) of a box with half-extents (3,) along the columns of `axes` (3, 3)."""
    faces = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = side
            first, second = np.roll(np.eye(3)[0], axis + 1), np.roll(np.eye(3)[0], axis + 2)
            corners = [normal + a * first + b * second for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            faces += [(corners[i], normal) for i in (0, 1, 2, 0, 2, 3)]
    points = np.array([point for point, _ in faces]) * extents @ axes.T
    return _triangle_rows(points, np.array([normal for _, normal in faces]) @ axes.T)


_CUBE_WALK = (0, 1, 3, 2, 0, 4, 6, 7, 5, 4, 6, 2, 3, 7, 5, 1)
"""Path along all edges of a cube that never turns straight back, as corner numbers. Bit k of a number is set if
coordinate k of the corner is positive."""


def box_edges(extents: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return a polyline (16, 3) along all edges of the box of half-extents (3,) along the columns of `axes` (3, 3)."""
    signs = [[1.0 if corner >> axis & 1 else -1.0 for axis in range(3)] for corner in _CUBE_WALK]
    walk: np.ndarray = np.array(signs) * extents @ axes.T
    return walk


def ellipsoid_wireframe(meridians: int = 6, parallels: int = 5, segments: int = 48) -> list[np.ndarray]:
    """Return polylines (n, 3) on the unit sphere: circles through its poles and circles about z."""
    angles = np.linspace(0.0, 2.0 * np.pi, segments + 1)
    lines = []
    for angle in np.arange(meridians) * np.pi / meridians:
        lines.append(
            np.stack((np.sin(angles) * np.cos(angle), np.sin(angles) * np.sin(angle), np.cos(angles)), axis=1)
        )
    for angle in np.arange(1, parallels + 1) * np.pi / (parallels + 1):
        flat = np.stack((np.cos(angles), np.sin(angles), np.zeros_like(angles)), axis=1)
        lines.append(np.sin(angle) * flat + np.array([0.0, 0.0, np.cos(angle)]))
    return lines


@cache
def cylinder(radius: float, segments: int = 20) -> np.ndarray:
    """Return the triangle rows (n, 6) of the lateral surface of a cylinder along z, from z = 0 to z = 1.

    The array is shared by all callers and must not be written to.
    """
    return _revolve([(radius, 0.0, 1.0, 0.0), (radius, 1.0, 1.0, 0.0)], segments)


@cache
def cone(radius: float, height: float, segments: int = 24) -> np.ndarray:
    """Return the triangle rows (n, 6) of a closed cone along z, with its base at z = 0 and its tip at z =
    `height`. The array is shared by all callers and must not be written to.
    """
    slope = np.hypot(radius, height)
    side = (height / slope, radius / slope)
    mantle = _revolve([(radius, 0.0, *side), (0.0, height, *side)], segments)
    base = _revolve([(0.0, 0.0, 0.0, -1.0), (radius, 0.0, 0.0, -1.0)], segments)
    return np.concatenate((mantle, base))


def arc(radius: float, thickness: float, span: float, segments: int = 72, sides: int = 16) -> np.ndarray:
    """Return the triangle rows (n, 6) of a round bar that is bent along a circle about z.

    It spans `span` [rad], its middle is on the x axis, and its ends are closed.
    """
    outward, skin, normals = _arc_parts(span, segments, sides)
    return np.hstack((radius * outward + thickness * skin, normals))


@lru_cache(maxsize=8)
def _arc_parts(span: float, segments: int, sides: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three arrays (n, 3) for the triangle corners of a round bar along the unit circle.

    They are the nearest points on the circle, unit vectors from these points to the corners, and normals. They do not
    depend on radius and thickness, and are cached, since the radius changes thirty times a second while the user edits
    the body.
    """
    turn = np.linspace(-0.5 * span, 0.5 * span, segments + 1)[:, None]
    side = np.linspace(0.0, 2.0 * np.pi, sides + 1)[None, :]
    outward = np.stack((np.cos(turn), np.sin(turn), np.zeros_like(turn)), axis=-1)
    along = np.stack((-np.sin(turn), np.cos(turn), np.zeros_like(turn)), axis=-1)
    normals = np.cos(side)[..., None] * outward + np.sin(side)[..., None] * np.array([0.0, 0.0, 1.0])
    middle, ring_points = np.zeros_like(normals[:1]), outward[[0, 0, *range(segments + 1), -1, -1]]
    ends = [np.broadcast_to(sign * along[end], normals[0].shape) for sign, end in ((-1.0, 0), (1.0, -1))]
    skin = np.concatenate((middle, normals[:1], normals, normals[-1:], middle))
    normals = np.concatenate(([ends[0]] * 2, normals, [ends[1]] * 2))
    corners = _corners(*skin.shape[:2])
    parts = [part[corners] for part in (np.broadcast_to(ring_points, skin.shape), skin, normals)]
    order = _outward_order(parts[0] + 0.1 * parts[1], parts[2])
    outward, skin, normals = (part[order].astype(np.float32) for part in parts)
    return outward, skin, normals


def square(half: float) -> np.ndarray:
    """Return the triangle rows (6, 6) of a square of half-width `half` in the plane z = 0."""
    corners = half * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    return _triangle_rows(corners, np.tile((0.0, 0.0, 1.0), (6, 1)))


def _revolve(profile: list[tuple[float, float, float, float]], segments: int) -> np.ndarray:
    """Return the triangle rows (n, 6) of the surface that a profile sweeps when it revolves about z.

    `profile` lists points (radius, z) with their normals (radial, axial).
    """
    u = np.linspace(0, 2 * np.pi, segments + 1)
    points = np.array([[(r * np.cos(a), r * np.sin(a), z) for a in u] for r, z, _, _ in profile])
    normals = np.array([[(n * np.cos(a), n * np.sin(a), m) for a in u] for _, _, n, m in profile])
    return _grid(points, normals)


def _grid(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
    corners = _corners(*points.shape[:2])
    return _triangle_rows(points[corners], normals[corners])


@lru_cache(maxsize=8)
def _corners(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Divide a grid of points into triangles and return two arrays (n,): the row indices and the column
    indices of the triangle corners.
    """
    i, j = (
        index.ravel() for index in np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    )
    corners = np.stack(((i, j), (i + 1, j), (i, j + 1), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
    row, column = corners.transpose(1, 2, 0).reshape(2, -1)
    return row, column


def _triangle_rows(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return float32 rows (n, 6) of position and normal, three per triangle, counterclockwise seen from
    outside."""
    order = _outward_order(points, normals)
    return np.hstack((points[order], normals[order])).astype(np.float32)


def _outward_order(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Return the order (n,) of corners that makes each triangle face along its normals, because back faces are
    culled."""
    order = np.arange(len(points)).reshape(-1, 3)
    faces = area_vectors(points.reshape(-1, 3, 3))
    is_flipped = np.einsum("ni,ni->n", faces, normals.reshape(-1, 3, 3).sum(axis=1)) < 0.0
    order[is_flipped, 1:] = order[is_flipped, :0:-1]
    return order.ravel()


def cofactors(matrices: np.ndarray) -> np.ndarray:
    """Return the cofactor matrices (n, 3, 3) of `matrices` (n, 3, 3).

    They transform normals if `matrices` transform points, and exist for singular matrices too.
    """
    rows = np.concatenate((matrices, matrices[:, :2]), axis=1)
    wide = np.concatenate((rows, rows[:, :, :2]), axis=2)
    return np.ascontiguousarray(wide[:, 1:4, 1:4] * wide[:, 2:5, 2:5] - wide[:, 1:4, 2:5] * wide[:, 2:5, 1:4])


def frame_along(a: float, b: float, c: float) -> tuple[tuple[float, float, float], ...]:
    """Return the rows of a rotation matrix whose third column is the unit vector (a, b, c)."""
    if abs(a) < 0.8:
        size = math.hypot(b, c)
        x = (0.0, -c / size, b / size)
    else:
        size = math.hypot(a, c)
        x = (c / size, 0.0, -a / size)
    y = (b * x[2] - c * x[1], c * x[0] - a * x[2], a * x[1] - b * x[0])
    return (x[0], y[0], a), (x[1], y[1], b), (x[2], y[2], c)
