"""A right cone about z, its apex below."""

from typing import ClassVar

import numpy as np

from quatviz.geometry.polyhedron import Polyhedron, lathe
from quatviz.shapes.base import Mass, Shape


class Cone(Shape):
    """A body whose centre of mass is 3/4 of the height above its pivot, along body z, stands on its apex."""

    name = "cone"
    title = "Cone"
    natural: ClassVar[tuple[float, float, float]] = (0.5, 0.5, 1.0)

    @classmethod
    def solid(cls) -> Polyhedron:
        across, _, high = cls.natural
        return lathe([(0.0, 0.0), (0.5 * across, high)])

    @classmethod
    def mass(cls, size: np.ndarray | None) -> Mass:
        """For r = a/2 = b/2 these are 3/10 m r^2 about the axis and 3/80 m (4 r^2 + h^2) across it, a quarter of the height
        below the base."""
        a, b, h = cls.natural if size is None else np.asarray(size)
        volume = np.pi / 12.0 * a * b * h
        moments = np.array([b * b + h * h, a * a + h * h, a * a + b * b])
        return Mass(volume, np.zeros(3), volume * 3.0 / 80.0 * np.diag(moments))
