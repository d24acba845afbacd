"""Kernels of the formulation `hamilton`: its equations, and the parameters that they read."""

from quatviz.physics.formulations._kernels.attitude import project, with_attitude
from quatviz.physics.formulations._kernels.body import BodyParameters
from quatviz.physics.kernels.algebra import add3, cross, half_LT_times, times_inertia
from quatviz.physics.kernels.binder import AttitudeKernels, Kernels, MomentumKernels, inline
from quatviz.physics.loads._kernels.packed import body_torque


class HamiltonParameters(BodyParameters):
    """Parameters of the kernels of `hamilton`: the fields of `BodyParameters`. numba selects the kernels by
    this type.
    """


def hamilton(par, t, y):
    """Return the derivative of the state (h, p) by h' = -omega x h - 1/2 L dV/dp + n_nc, p' = 1/2 L^T J^-1 h;
    eqs. S3(42, 44).
    """
    h, p = y[:3], y[3:]
    omega = times_inertia(par.principal, par.inverse_inertia, h)
    h_rate = cross(h, omega)
    if par.loads.present:
        h_rate = add3(h_rate, body_torque(par.loads, t, p, omega))
    return h_rate + half_LT_times(p, omega)


@inline
def attitude(par, y):
    """Return `(p, omega)` of the state `y` = (h, p), with omega = J^-1 h [rad/s, body]."""
    return y[3:], times_inertia(par.principal, par.inverse_inertia, y[:3])


@inline
def momentum(par, y):
    """Return `(p, h)`."""
    return y[3:], y[:3]


@inline
def with_momentum(par, p, h):
    """Return the state (h, p) that consists of the given momentum and Euler parameters."""
    return h + p


KERNELS = Kernels(
    rhs=hamilton,
    projection=project,
    group=AttitudeKernels(attitude, with_attitude),
    momentum=MomentumKernels(momentum, with_momentum),
)
