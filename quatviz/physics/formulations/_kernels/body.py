"""The parameters of most formulations: the inertia and the loads of a body."""

from typing import NamedTuple

from quatviz.physics.loads._kernels.packed import PackedLoads


class BodyParameters(NamedTuple):
    """Parameters that the kernels of most formulations read.

    `inertia` is J [kg m^2] and `inverse_inertia` its inverse [1/(kg m^2)], both row-major (9). `principal` is True
    if both are diagonal. `loads` are the packed loads. A formulation without further parameters derives a class of
    its own, because numba selects the kernels of a formulation by the type of its parameters.
    """

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: PackedLoads
