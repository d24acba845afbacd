"""A cylinder about z."""

from typing import ClassVar

import numpy as np

from quatviz.geometry.polyhedron import Polyhedron, lathe
from quatviz.shapes.base import Mass, Shape


class Cylinder(Shape):
    name = "cylinder"
    title = "Cylinder"
    natural: ClassVar[tuple[float, float, float]] = (0.4, 0.4, 1.0)

    @classmethod
    def solid(cls) -> Polyhedron:
        across, _, high = cls.natural
        return lathe([(0.5 * across, -0.5 * high), (0.5 * across, 0.5 * high)])

    @classmethod
    def mass(cls, size: np.ndarray | None) -> Mass:
        a, b, c = cls.natural if size is None else np.asarray(size)
        volume = 0.25 * np.pi * a * b * c
        moments = [b * b / 16 + c * c / 12, a * a / 16 + c * c / 12, (a * a + b * b) / 16]
        return Mass(volume, np.zeros(3), volume * np.diag(moments))
