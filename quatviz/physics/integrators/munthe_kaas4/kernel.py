"""Kernels of the integrator `munthe_kaas4`."""

from typing import NamedTuple

from quatviz.physics.integrators._kernels.group import apply_rotation_vector
from quatviz.physics.kernels.algebra import axpy, combined3, cross, exponential, product, unroll
from quatviz.physics.kernels.binder import attitude, inline, noinline, rhs, stepper, with_attitude
from quatviz.physics.kernels.blocks import RUNNING

_rk4_sum = unroll("y, a, k1, k2, k3, k4", "y[#] + a * (k1[#] + 2.0 * (k2[#] + k3[#]) + k4[#])")


class MuntheKaas4Method(NamedTuple):
    """Data of the integrator `munthe_kaas4`: none, since a step needs neither memory nor options. numba
    selects the step by this type.
    """


@inline
def _rotation_vector_rate(theta, omega):
    """Return theta' of p0 exp(theta) for the body rate `omega`.

    It is dexp^-1(theta) omega, expanded up to the third power of `theta`.
    """
    commutator = cross(theta, omega)
    return combined3(1.0, combined3(1.0, omega, 0.5, commutator), 1.0 / 12.0, cross(theta, commutator))


@noinline
def _stage(par, t, y, p, theta):
    """Return the derivative of the state `y` after its attitude is replaced by p exp(theta), and theta'.

    The method ignores p' in the derivative and uses theta' instead.
    """
    stage_state = with_attitude(par, y, product(p, exponential(theta)))
    return rhs(par, t, stage_state), _rotation_vector_rate(theta, attitude(par, stage_state)[1])


@inline
def _scale3(a, v):
    return (a * v[0], a * v[1], a * v[2])


@stepper(MuntheKaas4Method)
def munthe_kaas4_step(method, par, t, dt, y):
    """Make one step of the classical Runge-Kutta method for theta' = dexp^-1(theta) omega and v', from theta
    = 0, and rotate p: p1 = p exp(theta). v are the components of the state other than p.
    """
    half, zero = 0.5 * dt, (0.0, 0.0, 0.0)
    p, w1 = attitude(par, y)
    k1 = rhs(par, t, y)
    k2, w2 = _stage(par, t + half, axpy(y, half, k1), p, _scale3(half, w1))
    k3, w3 = _stage(par, t + half, axpy(y, half, k2), p, _scale3(half, w2))
    k4, w4 = _stage(par, t + dt, axpy(y, dt, k3), p, _scale3(dt, w3))
    theta = _rk4_sum(zero, dt / 6.0, w1, w2, w3, w4)
    return RUNNING, with_attitude(par, _rk4_sum(y, dt / 6.0, k1, k2, k3, k4), apply_rotation_vector(p, theta))
