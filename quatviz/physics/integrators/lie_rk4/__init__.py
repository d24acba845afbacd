"""A commutator-free Lie-group method of order four: the attitude moves along exponentials of body rates."""

from typing import NamedTuple

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._group import apply_rotation_vector, require_group_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels.algebra import axpy, combined3, exponential, product, unroll
from quatviz.physics.kernels.binder import attitude, inline, noinline, rhs, stepper, with_attitude
from quatviz.physics.kernels.blocks import RUNNING

_rk4_sum = unroll("y, a, k1, k2, k3, k4", "y[#] + a * (k1[#] + 2.0 * (k2[#] + k3[#]) + k4[#])")


class LieRK4Method(NamedTuple):
    """Nothing to remember and nothing to choose."""


@noinline
def _rate(par, t, y):
    """The whole derivative and omega; what it says of p' is not used."""
    return rhs(par, t, y), attitude(par, y)[1]


@inline
def _rotated(p, a, u, b, v):
    """p exp(a u + b v)"""
    return product(p, exponential(combined3(a, u, b, v)))


@stepper(LieRK4Method)
def lie_rk4_step(method, par, t, dt, y):
    """CF4 of Celledoni, Marthinsen and Owren, for rates in the body: the factors stand on the right, first one first."""
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


class LieRK4(Integrator):
    """Four evaluations and five exponentials per step, error of order dt^4. The attitude is multiplied by unit
    quaternions and never added to, so that |p| stays 1 but for rounding; omega or h is advanced as by `rk4`. Unlike the
    formulation `lie_group`, which brings the group to any integrator by coordinates of its own, it needs no chart
    and no inverse of the exponential's derivative."""

    name = "lie_rk4"
    title = "Lie-group Runge–Kutta 4"
    source = "Celledoni, Marthinsen, Owren 2003 (CF4); Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8"
    order = 4
    sort_order = 100
    measured = (Performance(131, 193, ("2.0e-12", "7.7e-13", "2.4e-11")),)
    preserves = ("|p|",)
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"

    def method(self, formulation: Formulation) -> LieRK4Method:
        require_group_state(formulation)
        return LieRK4Method()
