"""What forms share whose state begins with a velocity (3) and p (4). Not a formulation."""

from quatviz.physics.kernels.algebra import on_sphere
from quatviz.physics.kernels.binder import AttitudeKernels, inline


@inline
def project(par, rates, y):
    """p on the sphere; the velocity is tangent by itself."""
    return y[:3] + on_sphere(y[3:7]) + y[7:]


@inline
def attitude(par, y):
    """`(p, omega)`, of forms whose velocity is omega in the body."""
    return y[3:7], y[:3]


@inline
def with_attitude(par, y, p):
    """The state with p in the place of its own."""
    return y[:3] + p + y[7:]


ON_GROUP = AttitudeKernels(attitude, with_attitude)
"""For forms whose velocity is omega in the body."""
