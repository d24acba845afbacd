"""Newton and Euler with the rotation vector as the attitude; singular at a whole turn."""

import math
from typing import Any

import numpy as np

from quatviz.base.class_metadata import Mutation, Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import BodyParameters, Formulation
from quatviz.physics.formulations.newton_euler import omega_rate
from quatviz.physics.kernels.algebra import combined3, cross, dot3, exponential
from quatviz.physics.kernels.binder import Kernels, inline
from quatviz.physics.mechanics.rotations import from_rotation_vector, to_rotation_vector
from quatviz.physics.mechanics.state import BODY_RATE, StateVariable, numbered_block


class RotationVectorParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@inline
def theta_rate(theta, omega):
    """theta' = omega + 1/2 theta x omega + c theta x (theta x omega), c = (1 - (a/2) cot(a/2)) / a^2, a = |theta|."""
    square = dot3(theta, theta)
    if square < 1e-2:
        c = 1.0 / 12.0 + square / 720.0 * (1.0 + square / 42.0 * (1.0 + square / 40.0))
    else:
        half = 0.5 * math.sqrt(square)
        c = (1.0 - half * math.cos(half) / math.sin(half)) / square
    once = cross(theta, omega)
    return combined3(1.0, combined3(1.0, omega, 0.5, once), c, cross(theta, once))


def rotation_vector(par, t, y):
    """J omega' = n - omega x J omega with the kinematics of the exponential map."""
    omega, theta = y[:3], y[3:]
    return omega_rate(par, t, exponential(theta), omega) + theta_rate(theta, omega)


def singularity_measure(par, t, y):
    """1 - |theta|/(2 pi): zero at a whole turn."""
    return 1.0 - math.sqrt(dot3(y[3:], y[3:])) / (2.0 * math.pi)


class RotationVector(Formulation):
    """Axis times angle: three numbers, and the kinematics blow up where the angle reaches a whole turn. It starts
    with the angle below 180 degrees and is not switched on the way. State (omega, theta), 6; singular where
    1 - |theta|/(2 pi) = 0; 2.3 times the cost of `newton_euler` near theta = 0, where a series serves, 5 times beyond."""

    name = "rotation_vector"
    title = "Newton–Euler, rotation vector"
    summary = "another attitude, for comparison"
    source = "exponential map; compare S2(49)"
    blocks = (BODY_RATE, numbered_block(StateVariable.COORDINATES, "theta", (1, 2, 3)))
    sort_order = 130
    measured = (Performance(123, 325, ("1.1e-11", "5.7e-10", "1.5e-06")),)
    mutations = (
        Mutation("omega, 0.5, once)", "omega, -0.5, once)"),
        Mutation("(1.0 - half * math.cos(half)", "(1.0 + half * math.cos(half)"),
    )
    parameter_type = RotationVectorParameters
    kernels = Kernels(rhs=rotation_vector, singularity=singularity_measure)
    singularity_title = "1 − θ/2π"
    threshold = 5e-3

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((omega, to_rotation_vector(p)))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return from_rotation_vector(states[:, 3:]), states[:, :3]

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        angle = math.degrees(float(np.linalg.norm(state[3:])))
        return phrase(
            "the rotation vector has length {angle:.1f} deg, a whole turn, where its rate grows without bound; try "
            "“Newton–Euler on the group”, which starts a new vector at every step, or any Euler-parameter form",
            angle=angle,
        )
