"""Kernels of the formulation `newton_euler`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.attitude import ON_GROUP, project
from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.kernels.algebra import add3, cross, half_LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels, MomentumKernels, inline
from quatviz.physics.loads._kernels.packed import body_torque


class NewtonEulerParameters(BodyParameters):
    """Parameters of the kernels of `newton_euler`: the fields of `BodyParameters`. numba selects the kernels
    by this type.
    """


@inline
def gyroscopic(principal, inertia, omega):
    """Return (J omega) x omega (3) [N m, body].

    If the body axes are principal axes, it is computed from differences of moments, with half as many
    multiplications.
    """
    w1, w2, w3 = omega
    if principal:
        j1, j2, j3 = inertia[0], inertia[4], inertia[8]
        return ((j2 - j3) * w2 * w3, (j3 - j1) * w3 * w1, (j1 - j2) * w1 * w2)
    return cross(times_inertia(False, inertia, omega), omega)


@inline
def omega_rate(par, t, p, omega):
    """Return omega' = J^-1 (n - omega x J omega) (3) [rad/s^2, body]; eqs. S0(26), S2(1).

    `p` is read only if there are loads.
    """
    moment = gyroscopic(par.principal, par.inertia, omega)
    if par.loads.present:
        moment = add3(moment, body_torque(par.loads, t, p, omega))
    return times_inertia(par.principal, par.inverse_inertia, moment)


def newton_euler(par, t, y):
    """Return the derivative of the state (omega, p) by J omega' = n - omega x J omega, p' = 1/2 L^T omega;
    eqs. S0(26, 17), S1(12), S2(1).
    """
    omega, p = y[:3], y[3:]
    return omega_rate(par, t, p, omega) + half_LT_times(p, omega)


@inline
def momentum(par, y):
    """Return p (4) and h = J omega (3) [kg m^2/s, body] of the state `y` = (omega, p)."""
    return y[3:], times_inertia(par.principal, par.inertia, y[:3])


@inline
def with_momentum(par, p, h):
    """Return the state (omega, p) that has the given Euler parameters and the momentum h."""
    return times_inertia(par.principal, par.inverse_inertia, h) + p


KERNELS = Kernels(
    newton_euler, projection=project, group=ON_GROUP, momentum=MomentumKernels(momentum, with_momentum)
)
