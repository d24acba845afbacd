"""Triangles with shared vertices are the triangles that were given."""

import numpy as np

from quatviz.geometry.triangles import arc, box, cone, cylinder, ellipsoid
from quatviz.ui.scene.graphics import indexed


def test_indexed_triangles_are_the_same_with_far_fewer_vertices() -> None:
    body = ellipsoid(np.array([1.0, 0.7, 0.4]), np.eye(3))
    for rows in (body, box(np.ones(3), np.eye(3)), cone(0.1, 0.2), cylinder(0.1), arc(1.0, 0.1, 3.0)):
        vertices, numbers = indexed(rows)
        assert np.array_equal(vertices[numbers], rows)
    vertices, numbers = indexed(body)
    assert len(vertices) < len(body) / 4
    assert numbers.dtype == np.uint32
