"""Kernels of the formulation `lagrange_simplified`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.index3 import make_index3, mean_moment
from quatviz.physics.formulations._kernels.lagrange import (
    LagrangeParameters,
    keep_constraint_if_solved,
    make_solver,
)
from quatviz.physics.formulations._kernels.rates import attitude, project
from quatviz.physics.kernels.algebra import L_times, LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels, inline


class LagrangeSimplifiedParameters(LagrangeParameters):
    """Parameters of the kernels of `lagrange_simplified`: the fields of `LagrangeParameters`. numba selects
    the kernels by this type.
    """


@inline
def gyroscopic(par, p, p_rate):
    """Return the simplified gyroscopic term 8 L'^T J L p' (4) [J], eq. S0(29). It differs from the full term
    only by a component along p, which lambda absorbs."""
    q = LT_times(p_rate, times_inertia(par.principal, par.inertia, L_times(p, p_rate)))
    return (8.0 * q[0], 8.0 * q[1], 8.0 * q[2], 8.0 * q[3])


solve = make_solver(gyroscopic)


def lagrange_simplified(par, t, y):
    """Return the derivative of the state (p, p') by 4 L^T J L p'' + 8 L'^T J L p' + p lambda = Q, p^T p'' =
    -p'^T p'; eqs. S0(29, 39).
    """
    acceleration, _ = solve(par, t, y)
    return y[4:] + acceleration


def multiplier(par, t, y):
    """Return lambda [J], the fifth unknown of the linear system that also yields p''; eqs. S0(34, 39)."""
    return solve(par, t, y)[1]


KERNELS = Kernels(
    rhs=lagrange_simplified,
    multiplier=multiplier,
    projection=project,
    observed=attitude,
    first_integrals=keep_constraint_if_solved,
    index3=make_index3(mean_moment, radial_part_removed=False),
)
