"""Kernels of formulations whose state begins with a velocity (3) and p (4)."""

from quatviz.physics.kernels.algebra import on_sphere
from quatviz.physics.kernels.binder import AttitudeKernels, inline


@inline
def project(par, rates, y):
    """Return the state with p on the sphere. The velocity needs no projection."""
    return y[:3] + on_sphere(y[3:7]) + y[7:]


@inline
def attitude(par, y):
    """Return `(p, omega)`, for formulations whose velocity is omega in the body."""
    return y[3:7], y[:3]


@inline
def with_attitude(par, y, p):
    """Return the state with another p."""
    return y[:3] + p + y[7:]


ON_GROUP = AttitudeKernels(attitude, with_attitude)
"""Attitude kernels of formulations whose velocity is omega in the body."""
