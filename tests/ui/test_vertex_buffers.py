"""Triangles with shared vertices equal the given triangles."""

import numpy as np
import pytest

from quatviz.physics.geometry import triangles
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
