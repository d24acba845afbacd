"""Kernels of the formulation `udwadia_schutte_fundamental`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.free_inertia import (
    FreeInertiaParameters,
    solve_mass,
    velocity_terms,
)
from quatviz.physics.formulations._kernels.index3 import make_index3
from quatviz.physics.formulations._kernels.rates import (
    attitude,
    constraint_acceleration,
    keep_constraint,
    project,
)
from quatviz.physics.kernels.algebra import combined4, dot4, twice_L_times
from quatviz.physics.kernels.binder import Kernels, inline
from quatviz.physics.loads._kernels.packed import generalized_force


class FundamentalParameters(FreeInertiaParameters):
    """Parameters of the kernels of `udwadia_schutte_fundamental`: the fields of `FreeInertiaParameters`.
    numba selects the kernels by this type.
    """


@inline
def solve(par, t, y):
    """Return u'' (4) and lambda of eq. S4(45).

    Since A_u = u^T is one row, the Moore-Penrose inverse of A_u M_u^(-1/2) is that row divided by its square,
    and M_u^(1/2) (A_u M_u^(-1/2))^+ = u / (u^T M_u^-1 u); eq. S4(18).
    """
    u, u_rate = y[:4], y[4:]
    Q = velocity_terms(par, u, u_rate)
    if par.loads.present:
        omega = twice_L_times(u, u_rate)
        Q = combined4(1.0, Q, 1.0, generalized_force(par.loads, t, u, omega))
    free = solve_mass(par, u, Q)
    along = solve_mass(par, u, u)
    coefficient = (constraint_acceleration(par, u, u_rate) - dot4(u, free)) / dot4(u, along)
    return combined4(1.0, free, coefficient, along), -coefficient


@inline
def lane_J0(par):
    """Return J0 [kg m^2] of the lane, which is a field of its parameters."""
    return par.J0


def udwadia_schutte_fundamental(par, t, y):
    """Return the derivative of the state (u, u') by M_u u'' = Q + M_u^(1/2) (A_u M_u^(-1/2))^+ (b_u - A_u
    M_u^-1 Q); eqs. S4(12, 43-45).
    """
    return y[4:] + solve(par, t, y)[0]


def multiplier(par, t, y):
    """Return the multiplier lambda [J].

    The constraint force is -lambda u, since lambda is on the left side in the equations of S0, whose sign is
    used here.
    """
    return solve(par, t, y)[1]


KERNELS = Kernels(
    rhs=udwadia_schutte_fundamental,
    multiplier=multiplier,
    projection=project,
    observed=attitude,
    first_integrals=keep_constraint,
    index3=make_index3(lane_J0, radial_part_removed=False),
)
