"""An ellipsoid."""

import numpy as np

from quatviz.geometry.polyhedron import Polyhedron, lathe
from quatviz.shapes.base import Mass, Shape


class Ellipsoid(Shape):
    name = "ellipsoid"
    title = "Ellipsoid"

    @classmethod
    def solid(cls) -> Polyhedron:
        angles = np.linspace(0.0, np.pi, 23)
        profile = [(0.5 * float(np.sin(a)), -0.5 * float(np.cos(a))) for a in angles[1:-1]]
        return lathe([(0.0, -0.5), *profile, (0.0, 0.5)])

    @classmethod
    def mass(cls, size: np.ndarray | None) -> Mass:
        a, b, c = np.ones(3) if size is None else np.asarray(size)
        volume = np.pi / 6.0 * a * b * c
        return Mass(
            volume, np.zeros(3), volume / 20.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
        )
