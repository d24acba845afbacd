"""Newton's and Euler's equations with Euler parameters as the attitude."""

from __future__ import annotations

import numpy as np

from quatviz.core.integrator_hooks import Group, group_of
from quatviz.core.kernel import (
    add3,
    cross,
    equations,
    half_LT_times,
    inline,
    on_sphere,
    projection_of,
    times_inertia,
)
from quatviz.core.load_sums import torque
from quatviz.formulations._attitude import AttitudeForm
from quatviz.formulations._body_parameters import BodyParameters


class NewtonEulerParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@inline
def omega_rate(par, t, p, omega):
    """omega' = J^-1 (n - omega x J omega); S0(26), S2(1). `p` is read where there are loads."""
    moment = cross(times_inertia(par.principal, par.inertia, omega), omega)
    if par.loads.shape[0] > 0:
        moment = add3(moment, torque(par.loads, t, p, omega))
    return times_inertia(par.principal, par.inverse_inertia, moment)


@equations(NewtonEulerParameters)
def newton_euler(par, t, y):
    """J omega' = n - omega x J omega, p' = 1/2 L^T omega; S0(26, 17), S1(12), S2(1)."""
    omega, p = y[:3], y[3:]
    return omega_rate(par, t, p, omega) + half_LT_times(p, omega)


@inline
def attitude(par, y):
    return y[3:], y[:3]


@inline
def turned(par, y, p):
    return y[:3] + p


group_of(NewtonEulerParameters, Group(attitude, turned))


@projection_of(NewtonEulerParameters)
def restore(par, rates, y):
    return y[:3] + on_sphere(y[3:])


class NewtonEuler(AttitudeForm):
    """The classroom form: angular velocity by Euler's equation, attitude by kinematics. It has no singularity and no
    multiplier; |p| stays 1 but for the integrator's error. State (omega, p), 7. The cheapest step: costs of the
    others are told in its own, free of torque; measured figures stand in the help, `formulations.md`."""

    name = "newton_euler"
    title = "Newton–Euler"
    source = "S0(26, 17), S1(12), S2(1)"
    parameter_type = NewtonEulerParameters
    on_group = True
    stabilisations = ("none", "renormalise", "project")

    @property
    def state(self) -> tuple[str, ...]:
        return ("omega1", "omega2", "omega3", "e0", "e1", "e2", "e3")

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: NewtonEulerParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: NewtonEulerParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]
