"""Kernels of the formulation `ring_damper_as_printed`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.attitude import ON_GROUP, project
from quatviz.physics.formulations._kernels.ring import (
    RingParameters,
    ring_weight,
    times_ring,
    to_ring,
    to_rotor,
)
from quatviz.physics.kernels.algebra import combined3, cross, half_LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels


class AsPrintedParameters(RingParameters):
    """Parameters of the kernels of `ring_damper_as_printed`: the fields of `RingParameters`. numba selects
    the kernels by this type.
    """


def ring_damper_as_printed(par, t, y):
    """Return the derivative of the state (omega, p, beta, omega_m3) by eqs. S3(63-68) for omega = J^-1 h: mu
    = C_d R^2 beta' + dV/dbeta acts on the rotor and brakes the ring.
    """
    omega, p, beta, spin = y[:3], y[3:7], y[7], y[8]
    beta_rate = spin - omega[2]
    omega_in_ring = to_ring(beta, omega)
    omega_m = (omega_in_ring[0], omega_in_ring[1], spin)
    weight = ring_weight(par, p, beta)
    mu = par.drag * beta_rate - weight[2]  # dV/dbeta = -n_g3
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    moment = combined3(1.0, moment, 1.0, to_rotor(beta, weight))
    moment = (moment[0], moment[1], moment[2] + mu)
    gyroscopic = cross(omega_m, times_ring(par, omega_m))
    m11, _, m33, m13 = par.ring_inertia
    determinant = m11 * m33 - m13 * m13
    # Use the third row of Jm^-1 as printed, although the torques about u and v are unknown.
    spin_rate = -(m11 * gyroscopic[2] - m13 * gyroscopic[0]) / determinant - mu * m11 / determinant
    omega_rate = times_inertia(par.principal, par.inverse_inertia, moment)
    return (*omega_rate, *half_LT_times(p, omega), beta_rate, spin_rate)


KERNELS = Kernels(rhs=ring_damper_as_printed, projection=project, group=ON_GROUP)
