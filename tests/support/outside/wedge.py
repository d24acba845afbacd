"""A shape: a block."""

from quatviz.physics.geometry.polyhedron import Polyhedron, make_box
from quatviz.physics.shapes import Shape


class Wedge(Shape):
    name = "wedge"
    title = "Wedge"

    @classmethod
    def solid(cls) -> Polyhedron:
        return make_box([-0.5, -0.3, -0.1], [0.5, 0.3, 0.1])
