"""Kernels of the formulation `udwadia_schutte`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.rates import (
    RateParameters,
    attitude,
    constraint_acceleration,
    project,
)
from quatviz.physics.kernels.algebra import LT_times, add3, combined4, cross, times_inertia, twice_L_times
from quatviz.physics.kernels.binder import Kernels
from quatviz.physics.loads._kernels.packed import body_torque


class UdwadiaSchutteParameters(RateParameters):
    """Parameters of the kernels of `udwadia_schutte`: the fields of `RateParameters`. numba selects the
    kernels by this type.
    """


def udwadia_schutte(par, t, y):
    """Return the derivative of the state y = (u, u') by eq. S4(42), with E1 = L:

        u'' = 1/2 E1^T J^-1 (n - omega x J omega) - (u'.u') u

    u are the Euler parameters, and n is the torque of the loads [N m, body].
    """
    u, u_rate = y[:4], y[4:]
    omega = twice_L_times(u, u_rate)
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.present:
        moment = add3(moment, body_torque(par.loads, t, u, omega))
    acceleration = LT_times(u, times_inertia(par.principal, par.inverse_inertia, moment))
    return y[4:] + combined4(0.5, acceleration, constraint_acceleration(par, u, u_rate), u)


KERNELS = Kernels(rhs=udwadia_schutte, projection=project, observed=attitude)
