"""Fields with which the parameter types of most formulations begin."""

from typing import NamedTuple

from quatviz.physics.loads._kernels.packed import PackedLoads


class BodyParameters(NamedTuple):
    """Inertia J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], whether they are diagonal, and the packed loads.

    `principal` is True for diagonal matrices. The type selects the kernels: a formulation without further parameters
    derives a class of its own.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
