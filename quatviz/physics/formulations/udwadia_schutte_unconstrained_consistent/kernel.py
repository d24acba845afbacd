"""Kernels of the formulation `udwadia_schutte_unconstrained_consistent`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.free_inertia import (
    FreeInertiaParameters,
    solve_mass,
    velocity_terms,
)
from quatviz.physics.kernels.algebra import LT_times, combined4, dot4, twice_L_times
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.loads._kernels.packed import body_torque


class ConsistentUnconstrainedParameters(FreeInertiaParameters):
    """Parameters of the kernels of `udwadia_schutte_unconstrained_consistent`: the fields of
    `FreeInertiaParameters`. Their `alpha` and `beta` are zero.
    """


def udwadia_schutte_unconstrained_consistent(par, t, y):
    """Return the derivative of the state (u, u') by Lagrange's equations of T + 2 J0 (u.u')^2.

    They are M_u u'' = -8 E'^T J4 E u' - 4 J0 N(u') u + 8 J0 (u.u') u' + 2 L^T n, with n the torque in the body and
    N(u') = u'.u'. M_u, J4 and E are those of eq. S4(44), see `_kernels.free_inertia`.
    """
    u, u_rate = y[:4], y[4:]
    Q = combined4(1.0, velocity_terms(par, u, u_rate), 8.0 * par.J0 * dot4(u, u_rate), u_rate)
    if par.loads.present:
        omega = twice_L_times(u, u_rate)
        Q = combined4(1.0, Q, 2.0, LT_times(u, body_torque(par.loads, t, u, omega)))
    return y[4:] + solve_mass(par, u, Q)


KERNELS = Kernels(rhs=udwadia_schutte_unconstrained_consistent)
