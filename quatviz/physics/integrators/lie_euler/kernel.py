"""Kernels of the integrator `lie_euler`."""

from typing import NamedTuple

from quatviz.physics.integrators._kernels.group import apply_rotation_vector
from quatviz.physics.kernels.algebra import axpy
from quatviz.physics.kernels.binder import attitude, rhs, stepper, with_attitude
from quatviz.physics.kernels.blocks import RUNNING


class LieEulerMethod(NamedTuple):
    """Data of the integrator `lie_euler`: none, since a step needs neither memory nor options. numba selects
    the step by this type.
    """


@stepper(LieEulerMethod)
def lie_euler_step(method, par, t, dt, y):
    """Make a step p1 = p exp(dt omega), v1 = v + dt v', where v are the components of the state other than p."""
    p, omega = attitude(par, y)
    theta = (dt * omega[0], dt * omega[1], dt * omega[2])
    return RUNNING, with_attitude(par, axpy(y, dt, rhs(par, t, y)), apply_rotation_vector(p, theta))
