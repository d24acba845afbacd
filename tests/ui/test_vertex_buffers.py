"""Triangles with shared vertices equal the given triangles."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from quatviz.physics.geometry import triangles
from quatviz.physics.geometry.polyhedron import area_vectors
from quatviz.physics.geometry.triangles import arc, box, cone, cylinder, ellipsoid
from quatviz.ui.scene.gl_resources import index_rows


def test_indexed_triangles_are_equal_with_fewer_vertices() -> None:
    body = ellipsoid(np.array([1.0, 0.7, 0.4]), np.eye(3))
    for rows in (body, box(np.ones(3), np.eye(3)), cone(0.1, 0.2), cylinder(0.1), arc(1.0, 0.1, 3.0)):
        vertices, numbers = index_rows(rows)
        assert np.array_equal(vertices[numbers], rows)
    vertices, numbers = index_rows(body)
    assert len(vertices) < len(body) / 4
    assert numbers.dtype == np.uint32


@pytest.mark.parametrize("mirrored", [False, True])
def test_ellipsoids_of_any_size_share_one_triangulation(
    mirrored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run of a drag needs another ellipsoid. Axes from eigenvectors may be left-handed. Private: `_outward_order`,
    because only its absence shows that no order is computed again."""
    axes = Rotation.from_rotvec([0.3, -1.1, 0.7]).as_matrix() * [1.0, 1.0, -1.0 if mirrored else 1.0]
    ellipsoid(np.ones(3), axes, 20)
    monkeypatch.setattr(triangles, "_outward_order", lambda points, normals: pytest.fail("computed again"))
    for extents in (np.array([1.0, 0.7, 0.04]), np.array([0.2, 1.0, 3.0])):
        rows = ellipsoid(extents, axes, 20).astype(float)
        points, normals = rows[:, :3] @ axes, rows[:, 3:] @ axes
        assert np.sum((points / extents) ** 2, axis=1) == pytest.approx(1.0, abs=1e-5)
        gradients = points / extents**2
        gradients /= np.linalg.norm(gradients, axis=1, keepdims=True)
        assert normals == pytest.approx(gradients, abs=1e-4)
        faces = area_vectors(rows[:, :3].reshape(-1, 3, 3))
        outward = rows[:, 3:].reshape(-1, 3, 3).sum(axis=1)
        assert np.all(np.einsum("ni,ni->n", faces, outward) > -1e-9), "all faces point outward"
        assert np.count_nonzero(np.linalg.norm(faces, axis=1) > 1e-9) == 2 * 20 * 9, "no face is lost"


def test_ribbons_of_any_size_share_one_triangulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run of a drag needs new ring sizes. The orientation of the triangles is computed once."""
    faced: list[int] = []
    real = triangles.area_vectors

    def counted(corners: np.ndarray) -> np.ndarray:
        faced.append(len(corners))
        return real(corners)

    monkeypatch.setattr(triangles, "area_vectors", counted)
    single = arc(1.0, 0.1, 2.5, 11, 7)
    assert len(faced) == 1
    for radius, thickness in ((1.25, 0.1), (3.0, 0.5)):
        ring = arc(radius, thickness, 2.5, 11, 7)
        points, normals = ring[:, :3], ring[:, 3:]
        assert np.array_equal(normals, single[:, 3:])
        away = np.hypot(np.hypot(points[:, 0], points[:, 1]) - radius, points[:, 2])
        assert np.all(np.isclose(away, thickness, atol=1e-6) | (away < 1e-6))
        faces, outward = real(points.reshape(-1, 3, 3)), normals.reshape(-1, 3, 3).sum(axis=1)
        assert np.all(np.einsum("ni,ni->n", faces, outward) > -1e-6), "all faces point outward"
    assert len(faced) == 1
