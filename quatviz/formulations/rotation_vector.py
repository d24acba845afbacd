"""Newton and Euler with the rotation vector as the attitude; singular at a whole turn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from quatviz.core.errors import phrase
from quatviz.core.exponential import exponential
from quatviz.core.kernel import combined3, cross, dot3, equations, inline, singularity_of
from quatviz.core.rotations import from_rotation_vector, to_rotation_vector
from quatviz.formulations._attitude import AttitudeForm
from quatviz.formulations._body_parameters import BodyParameters
from quatviz.formulations.newton_euler import omega_rate


class RotationVectorParameters(BodyParameters):
    """As `BodyParameters`, for this form's kernels."""


@inline
def rate(theta, omega):
    """theta' = omega + 1/2 theta x omega + c theta x (theta x omega), c = (1 - (a/2) cot(a/2)) / a^2, a = |theta|."""
    square = dot3(theta, theta)
    if square < 1e-2:
        c = 1.0 / 12.0 + square / 720.0 * (1.0 + square / 42.0 * (1.0 + square / 40.0))
    else:
        half = 0.5 * math.sqrt(square)
        c = (1.0 - half * math.cos(half) / math.sin(half)) / square
    once = cross(theta, omega)
    return combined3(1.0, combined3(1.0, omega, 0.5, once), c, cross(theta, once))


@equations(RotationVectorParameters)
def rotation_vector(par, t, y):
    """J omega' = n - omega x J omega with the kinematics of the exponential map."""
    omega, theta = y[:3], y[3:]
    return omega_rate(par, t, exponential(theta), omega) + rate(theta, omega)


@singularity_of(RotationVectorParameters)
def distance(par, t, y):
    return 1.0 - math.sqrt(dot3(y[3:], y[3:])) / (2.0 * math.pi)


class RotationVector(AttitudeForm):
    """Axis times angle: three numbers, and the kinematics blow up where the angle reaches a whole turn. It starts
    with the angle below 180 degrees and is not switched on the way. State (omega, theta), 6; singular where
    1 - |theta|/(2 pi) = 0; 2.3 times the cost of `newton_euler` near theta = 0, where a series serves, 5 times beyond."""

    name = "rotation_vector"
    title = "Newton–Euler, rotation vector"
    source = "exponential map; compare S2(49)"
    parameter_type = RotationVectorParameters
    singularity_title = "1 − θ/2π"
    threshold = 5e-3

    @property
    def state(self) -> tuple[str, ...]:
        return ("omega1", "omega2", "omega3", "theta1", "theta2", "theta3")

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((omega, to_rotation_vector(p)))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return from_rotation_vector(states[:, 3:]), self.omega_of(states)

    def explain_singular(self, state: np.ndarray, singularity: float) -> str:
        angle = math.degrees(float(np.linalg.norm(state[3:])))
        return phrase(
            "the rotation vector has length {angle:.1f} deg, a whole turn, where its rate grows without bound; try "
            "lie_group, which starts a new vector at every step, or any Euler-parameter form",
            angle=angle,
        )
