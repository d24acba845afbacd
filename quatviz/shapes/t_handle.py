"""A T-handle: a stem along x and a crossbar along y, as a wing nut or the handle that turned over on Salyut 7."""

from quatviz.geometry.polyhedron import Polyhedron, along, block, joined, lathe
from quatviz.shapes.base import Shape


class THandle(Shape):
    name = "t_handle"
    title = "T-handle"

    @classmethod
    def solid(cls) -> Polyhedron:
        """A cube at the joint, so that the round bars touch it and share nothing."""
        half, stem, arm = 0.012, 0.05, 0.05
        bar = 0.011
        cube = block([-half] * 3, [half] * 3)
        right = along(1, lathe([(bar, half), (bar, arm)], 28))
        left = along(1, lathe([(bar, -arm), (bar, -half)], 28))
        shaft = along(0, lathe([(bar, half), (bar, stem)], 28))
        return joined(cube, right, left, shaft)
