"""Kernels of the integrator `lie_rk4`."""

from typing import NamedTuple

from quatviz.physics.integrators._kernels.group import apply_rotation_vector
from quatviz.physics.kernels.algebra import axpy, combined3, exponential, product, unroll
from quatviz.physics.kernels.binder import attitude, inline, noinline, rhs, stepper, with_attitude
from quatviz.physics.kernels.blocks import RUNNING

_rk4_sum = unroll("y, a, k1, k2, k3, k4", "y[#] + a * (k1[#] + 2.0 * (k2[#] + k3[#]) + k4[#])")


class LieRK4Method(NamedTuple):
    """Data of the integrator `lie_rk4`: none, since a step needs neither memory nor options. numba selects
    the step by this type.
    """


@noinline
def _rate(par, t, y):
    """Return the derivative of the state and omega (3) [rad/s, body].

    The method then ignores p' in the derivative and rotates p by omega instead.
    """
    return rhs(par, t, y), attitude(par, y)[1]


@inline
def _rotated(p, a, u, b, v):
    """Return p exp(a u + b v) for rotation vectors that are combined from `u` and `v` (3)."""
    return product(p, exponential(combined3(a, u, b, v)))


@stepper(LieRK4Method)
def lie_rk4_step(method, par, t, dt, y):
    """Make a step of the method CF4 of Celledoni, Marthinsen and Owren.

    Since the rates are in body components, p is multiplied by the exponentials from the right, in the order
    of their application.
    """
    half = 0.5 * dt
    p, w1 = attitude(par, y)
    k1 = rhs(par, t, y)
    p2 = _rotated(p, half, w1, 0.0, w1)
    k2, w2 = _rate(par, t + half, with_attitude(par, axpy(y, half, k1), p2))
    p3 = _rotated(p, half, w2, 0.0, w2)
    k3, w3 = _rate(par, t + half, with_attitude(par, axpy(y, half, k2), p3))
    p4 = _rotated(p2, dt, w3, -half, w1)
    k4, w4 = _rate(par, t + dt, with_attitude(par, axpy(y, dt, k3), p4))
    between = combined3(dt / 6.0, w2, dt / 6.0, w3)
    first = combined3(1.0, combined3(0.25 * dt, w1, -dt / 12.0, w4), 1.0, between)
    second = combined3(1.0, combined3(-dt / 12.0, w1, 0.25 * dt, w4), 1.0, between)
    return RUNNING, with_attitude(
        par,
        _rk4_sum(y, dt / 6.0, k1, k2, k3, k4),
        apply_rotation_vector(apply_rotation_vector(p, first), second),
    )
