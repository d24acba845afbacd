"""A spinning top about z, its tip below."""

from quatviz.geometry.polyhedron import Polyhedron, lathe
from quatviz.shapes.base import Shape

_PROFILE = (
    (0.0, 0.0),
    (0.012, 0.02),
    (0.05, 0.12),
    (0.16, 0.24),
    (0.28, 0.33),
    (0.32, 0.38),
    (0.31, 0.43),
    (0.22, 0.48),
    (0.08, 0.51),
    (0.035, 0.55),
    (0.03, 0.74),
    (0.04, 0.77),
    (0.03, 0.8),
    (0.0, 0.81),
)


class Top(Shape):
    name = "top"
    title = "Top"

    @classmethod
    def solid(cls) -> Polyhedron:
        return lathe(_PROFILE)
