"""An asteroid: a lumpy stone, longest along x."""

import numpy as np

from quatviz.geometry.polyhedron import Polyhedron
from quatviz.shapes.base import Shape

_LUMPS = 9
_FACES = (
    "0 11 5 0 5 1 0 1 7 0 7 10 0 10 11 1 5 9 5 11 4 11 10 2 10 7 6 7 1 8 "
    "3 9 4 3 4 2 3 2 6 3 6 8 3 8 9 4 9 5 2 4 11 6 2 10 8 6 7 9 8 1"
)
"""The corners of the triangles of an icosahedron."""
_ROUNDS = 3
"""How often each triangle of an icosahedron is divided into four."""


class Asteroid(Shape):
    name = "asteroid"
    title = "Asteroid"

    @classmethod
    def solid(cls) -> Polyhedron:
        """A sphere with lumps and dents of a fixed seed, turned so that the body axes are its principal axes."""
        sphere = _sphere()
        random = np.random.default_rng(433)
        radius = np.ones(len(sphere.vertices))
        for _ in range(_LUMPS):
            towards = random.normal(size=3)
            towards /= np.linalg.norm(towards)
            radius += random.uniform(-0.22, 0.3) * np.exp(
                (sphere.vertices @ towards - 1.0) / random.uniform(0.06, 0.3)
            )
        radius += 0.012 * random.normal(size=len(radius))
        stone = Polyhedron(sphere.vertices * radius[:, None] * [0.5, 0.36, 0.3], sphere.faces)
        _, centre, inertia = stone.mass_properties()
        _, axes = np.linalg.eigh(inertia)
        axes *= np.sign(np.linalg.det(axes))
        return Polyhedron((stone.vertices - centre) @ axes, stone.faces)


def _sphere() -> Polyhedron:
    """An icosahedron whose triangles are divided again and again, on the unit sphere."""
    g = 0.5 * (1.0 + np.sqrt(5.0))
    vertices = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g)]
    vertices += [(0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    points = np.array(vertices, dtype=np.float64) / np.hypot(1.0, g)
    faces = np.array(_FACES.split(), dtype=int).reshape(-1, 3)
    for _ in range(_ROUNDS):
        edges = np.sort(np.concatenate([faces[:, [i, (i + 1) % 3]] for i in range(3)]), axis=1)
        unique, inverse = np.unique(edges, axis=0, return_inverse=True)
        middle = points[unique].mean(axis=1)
        numbers = len(points) + inverse.reshape(3, -1)
        points = np.concatenate((points, middle / np.linalg.norm(middle, axis=1, keepdims=True)))
        a, b, c = faces.T
        ab, bc, ca = numbers
        faces = np.concatenate(
            [np.stack(three, axis=1) for three in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        )
    return Polyhedron(points, faces)
