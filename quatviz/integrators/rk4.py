"""The classical Runge-Kutta method of order four."""

from __future__ import annotations

from typing import NamedTuple

from quatviz.core.kernel import RUNNING, axpy, rhs, stepper, unrolled
from quatviz.formulations.base import Formulation
from quatviz.integrators.base import Integrator

_combine = unrolled("y, a, k1, k2, k3, k4", "y[#] + a * (k1[#] + 2.0 * (k2[#] + k3[#]) + k4[#])")


class RK4Method(NamedTuple):
    """RK4 has nothing to remember and nothing to choose."""


@stepper(RK4Method)
def rk4_step(method, par, t, dt, y):
    k1 = rhs(par, t, y)
    k2 = rhs(par, t + 0.5 * dt, axpy(y, 0.5 * dt, k1))
    k3 = rhs(par, t + 0.5 * dt, axpy(y, 0.5 * dt, k2))
    k4 = rhs(par, t + dt, axpy(y, dt, k3))
    return RUNNING, _combine(y, dt / 6.0, k1, k2, k3, k4)


class RK4(Integrator):
    """Four evaluations per step, error of order dt^4; it preserves nothing exactly, not even |p|."""

    name = "rk4"
    title = "Runge–Kutta 4"
    source = "Kutta 1901; Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.1"
    order = 4

    def method(self, formulation: Formulation) -> RK4Method:
        return RK4Method()
