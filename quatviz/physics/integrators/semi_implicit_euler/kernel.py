"""Kernels of the integrator `semi_implicit_euler`."""

from typing import NamedTuple

from quatviz.physics.kernels.algebra import axpy, combined4, half_LT_times
from quatviz.physics.kernels.binder import attitude, rhs, stepper, with_attitude
from quatviz.physics.kernels.blocks import RUNNING


class SemiImplicitEulerMethod(NamedTuple):
    """Data of the integrator `semi_implicit_euler`: none, since a step needs neither memory nor options.
    numba selects the step by this type.
    """


@stepper(SemiImplicitEulerMethod)
def semi_implicit_euler_step(method, par, t, dt, y):
    """Make a step v1 = v + dt v'(y), p1 = p + dt/2 L(p)^T omega(p, v1), where v are the components of the
    state other than p.
    """
    p = attitude(par, y)[0]
    moved = with_attitude(par, axpy(y, dt, rhs(par, t, y)), p)
    omega = attitude(par, moved)[1]
    return RUNNING, with_attitude(par, moved, combined4(1.0, p, dt, half_LT_times(p, omega)))
