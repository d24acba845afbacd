"""A rectangular block."""

from quatviz.geometry.polyhedron import Polyhedron, block
from quatviz.shapes.base import Shape


class Box(Shape):
    name = "box"
    title = "Box"

    @classmethod
    def solid(cls) -> Polyhedron:
        return block([-0.5, -0.35, -0.2], [0.5, 0.35, 0.2])
