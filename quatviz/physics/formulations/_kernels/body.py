"""Parameters with which those of most formulations begin."""

from typing import NamedTuple

from quatviz.physics.loads._kernels.packed import PackedLoads


class BodyParameters(NamedTuple):
    """The inertia J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], `principal`, which is True if they are
    diagonal, and the packed loads.

    The type selects the kernels: a formulation without further parameters derives a class of its own from it.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
