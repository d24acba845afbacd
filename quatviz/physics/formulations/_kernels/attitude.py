"""Kernels of formulations whose state begins with a velocity variable (3), followed by p (4)."""

from quatviz.physics.kernels.algebra import on_sphere
from quatviz.physics.kernels.binder import AttitudeKernels, inline


@inline
def project(par, rates, y):
    """Return the state `y` with p scaled to length 1.

    The velocity variable needs no projection, so that `rates` has no effect.
    """
    return y[:3] + on_sphere(y[3:7]) + y[7:]


@inline
def attitude(par, y):
    """Return `(p, omega)` of the state `y`, for formulations whose velocity variable is omega [rad/s, body]."""
    return y[3:7], y[:3]


@inline
def with_attitude(par, y, p):
    """Return the state `y` with its Euler parameters replaced by `p` (4)."""
    return y[:3] + p + y[7:]


ON_GROUP = AttitudeKernels(attitude, with_attitude)
"""Attitude kernels of formulations whose velocity variable is omega [rad/s, body]."""
