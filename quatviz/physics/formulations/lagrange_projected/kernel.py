"""Kernels of the formulation `lagrange_projected`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.rates import (
    RateParameters,
    attitude,
    constraint_acceleration,
    keep_constraint,
    project,
)
from quatviz.physics.kernels.algebra import L_times, LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.kernels.linear_solve import solve4
from quatviz.physics.loads._kernels.packed import body_torque


class LagrangeProjectedParameters(RateParameters):
    """Parameters of the kernels of `lagrange_projected`: the fields of `RateParameters`. numba selects the
    kernels by this type.
    """


def lagrange_projected(par, t, y):
    """Return the derivative of the state (p, p') by 4 J L p'' + 8 L L'^T J L p' = 2 n with p^T p'' = -p'^T
    p'; eqs. S0(25, 33).
    """
    p, p_rate = y[:4], y[4:]
    half = L_times(p, p_rate)
    g = L_times(p, LT_times(p_rate, times_inertia(par.principal, par.inertia, half)))
    right = (-2.0 * g[0], -2.0 * g[1], -2.0 * g[2])
    if par.loads.present:
        omega = (2.0 * half[0], 2.0 * half[1], 2.0 * half[2])
        n = body_torque(par.loads, t, p, omega)
        right = (right[0] + 0.5 * n[0], right[1] + 0.5 * n[1], right[2] + 0.5 * n[2])
    c0 = times_inertia(par.principal, par.inertia, (-p[1], -p[2], -p[3]))
    c1 = times_inertia(par.principal, par.inertia, (p[0], -p[3], p[2]))
    c2 = times_inertia(par.principal, par.inertia, (p[3], p[0], -p[1]))
    c3 = times_inertia(par.principal, par.inertia, (-p[2], p[1], p[0]))
    acceleration = solve4(
        (
            *(c0[0], c1[0], c2[0], c3[0]),
            *(c0[1], c1[1], c2[1], c3[1]),
            *(c0[2], c1[2], c2[2], c3[2]),
            *p,
        ),
        (right[0], right[1], right[2], constraint_acceleration(par, p, p_rate)),
    )
    return y[4:] + acceleration


KERNELS = Kernels(
    rhs=lagrange_projected, projection=project, first_integrals=keep_constraint, observed=attitude
)
