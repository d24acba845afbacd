"""Newton's and Euler's equations with Euler parameters as the attitude."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from quatviz.core.body import Body
from quatviz.core.kernel import add3, cross, equations, half_LT_times, on_sphere, projection_of, times_inertia
from quatviz.core.load_sums import torque
from quatviz.core.loads import pack
from quatviz.core.loads.base import Load
from quatviz.formulations.base import Formulation


class NewtonEulerParameters(NamedTuple):
    """J and its inverse, row-major (9) [kg m^2, 1/(kg m^2)], whether they are diagonal, and the packed loads."""

    principal: bool
    inertia: tuple[float, ...]
    inverse_inertia: tuple[float, ...]
    loads: np.ndarray


@equations(NewtonEulerParameters)
def newton_euler(par, t, y):
    """J omega' = n - omega x J omega, p' = 1/2 L^T omega; S0(26, 17), S1(12), S2(1)."""
    omega, p = y[:3], y[3:]
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.shape[0] > 0:
        moment = add3(moment, torque(par.loads, t, p, omega))
    return times_inertia(par.principal, par.inverse_inertia, moment) + half_LT_times(p, omega)


@projection_of(NewtonEulerParameters)
def restore(par, rates, y):
    return y[:3] + on_sphere(y[3:])


class NewtonEuler(Formulation):
    """The classroom form: angular velocity by Euler's equation, attitude by kinematics. It has no singularity and no
    multiplier; |p| stays 1 but for the integrator's error. State (omega, p), 7. The cheapest step: costs of the
    others are told in its own, free of torque; measured figures stand in the help, `formulations.md`."""

    name = "newton_euler"
    title = "Newton–Euler"
    source = "S0(26, 17), S1(12), S2(1)"
    stabilisations = ("none", "renormalise", "project")

    @property
    def state(self) -> tuple[str, ...]:
        return ("omega1", "omega2", "omega3", "e0", "e1", "e2", "e3")

    def parameters(self, body: Body, loads: Sequence[Load]) -> NewtonEulerParameters:
        return NewtonEulerParameters(
            principal=body.is_principal,
            inertia=tuple(map(float, body.inertia.ravel())),
            inverse_inertia=tuple(map(float, body.inverse_inertia.ravel())),
            loads=pack(loads),
        )

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: NewtonEulerParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: NewtonEulerParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]
