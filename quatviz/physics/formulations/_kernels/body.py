"""Parameters that the kernels of most forms begin with."""

from typing import NamedTuple

from quatviz.physics.loads._kernels.packed import PackedLoads


class BodyParameters(NamedTuple):
    """J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], whether they are diagonal, and the packed loads.

    The type picks the kernels: a formulation that reads no more than this extends it by a class of its own.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
