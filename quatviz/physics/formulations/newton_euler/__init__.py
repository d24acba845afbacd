"""Newton's and Euler's equations with Euler parameters as the attitude."""

import numpy as np

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.physics.formulations._attitude import ON_GROUP, project
from quatviz.physics.formulations.base import BodyParameters, Formulation
from quatviz.physics.kernels.algebra import add3, cross, half_LT_times, times_inertia
from quatviz.physics.kernels.binder import Kernels, MomentumKernels, inline
from quatviz.physics.loads import body_torque
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS


class NewtonEulerParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@inline
def gyroscopic(principal, inertia, omega):
    """(J omega) x omega; about principal axes by differences of moments, in half the multiplications."""
    w1, w2, w3 = omega
    if principal:
        j1, j2, j3 = inertia[0], inertia[4], inertia[8]
        return ((j2 - j3) * w2 * w3, (j3 - j1) * w3 * w1, (j1 - j2) * w1 * w2)
    return cross(times_inertia(False, inertia, omega), omega)


@inline
def omega_rate(par, t, p, omega):
    """omega' = J^-1 (n - omega x J omega); S0(26), S2(1). `p` is read where there are loads."""
    moment = gyroscopic(par.principal, par.inertia, omega)
    if par.loads.present:
        moment = add3(moment, body_torque(par.loads, t, p, omega))
    return times_inertia(par.principal, par.inverse_inertia, moment)


def newton_euler(par, t, y):
    """J omega' = n - omega x J omega, p' = 1/2 L^T omega; S0(26, 17), S1(12), S2(1)."""
    omega, p = y[:3], y[3:]
    return omega_rate(par, t, p, omega) + half_LT_times(p, omega)


@inline
def momentum(par, y):
    """`(p, h)`, h = J omega."""
    return y[3:], times_inertia(par.principal, par.inertia, y[:3])


@inline
def with_momentum(par, p, h):
    """The state of p and h."""
    return times_inertia(par.principal, par.inverse_inertia, h) + p


class NewtonEuler(Formulation):
    """The classroom form: angular velocity by Euler's equation, attitude by kinematics. It has no singularity and no
    multiplier; |p| stays 1 but for the integrator's error. State (omega, p), 7. The cheapest step: costs of the
    others are told in its own, free of torque; measured figures stand in the help, `formulations.md`."""

    name = "newton_euler"
    title = "Newton–Euler"
    summary = "ω and p by Euler's equation"
    source = "S0(26, 17), S1(12), S2(1)"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    sort_order = 10
    measured = (Performance(53, 88, ("1.9e-12", "8.6e-13", "1.7e-10")),)
    mutations = (
        Mutation("(False, inertia, omega), omega)", "(False, inertia, omega), (0.0, 0.0, 0.0))"),
        Mutation("(j3 - j1) * w3", "(j1 - j3) * w3"),
        Mutation("moment = add3(moment, body_torque", "moment = add3((0.0, 0.0, 0.0), body_torque"),
        Mutation(
            "e3 * v1 + e0 * v2 - e1 * v3",
            "e3 * v1 + e0 * v2 + e1 * v3",
            file="physics/kernels/algebra.py",
        ),
    )
    parameter_type = NewtonEulerParameters
    kernels = Kernels(
        newton_euler, projection=project, group=ON_GROUP, momentum=MomentumKernels(momentum, with_momentum)
    )
    stabilisations = ("none", "renormalise", "project")

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: NewtonEulerParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: NewtonEulerParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]
