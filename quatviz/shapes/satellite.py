"""A satellite: a bus, two panels along y on booms, and an antenna along z."""

from quatviz.geometry.polyhedron import Polyhedron, block, joined, lathe
from quatviz.shapes.base import Shape


class Satellite(Shape):
    name = "satellite"
    title = "Satellite"

    @classmethod
    def solid(cls) -> Polyhedron:
        bus = block([-0.5, -0.5, -0.6], [0.5, 0.5, 0.6])
        sides = []
        for sign in (-1.0, 1.0):
            boom = sorted((0.5 * sign, 0.9 * sign))
            panel = sorted((0.9 * sign, 2.9 * sign))
            sides.append(block([-0.05, boom[0], -0.05], [0.05, boom[1], 0.05]))
            sides.append(block([-0.45, panel[0], -0.03], [0.45, panel[1], 0.03]))
        dish = lathe([(0.06, 0.6), (0.06, 0.75), (0.4, 0.95), (0.4, 0.98), (0.05, 0.83)], 32)
        return joined(bus, *sides, dish)
