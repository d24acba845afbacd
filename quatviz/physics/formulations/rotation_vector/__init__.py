"""The Newton-Euler equations with the rotation vector as the attitude; singular at a whole turn."""

import math
from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.rotation_vector.kernel import KERNELS, RotationVectorParameters
from quatviz.physics.mechanics.rotations import from_rotation_vector, to_rotation_vector
from quatviz.physics.mechanics.state import BODY_RATE, StateVariable, numbered_block


class RotationVector(Formulation):
    """The Newton-Euler equations with the rotation vector theta, axis times angle, as the attitude.

    Its kinematic equation diverges when the angle reaches a whole turn. At the start the angle is at most 180
    degrees; during the run theta is never replaced by another rotation vector of the same attitude. State
    (omega, theta), 6; singular where 1 - |theta|/(2 pi) = 0.
    """

    name = "rotation_vector"
    title = "Newton–Euler, rotation vector"
    family = "Newton–Euler"
    summary = "Euler's equation with the attitude as a rotation vector; singular at a whole turn"
    source = "exponential map; compare S2(49)"
    blocks = (BODY_RATE, numbered_block(StateVariable.COORDINATES, "theta", (1, 2, 3)))
    sort_order = 130
    measured = (Performance(123, 325, ("1.1e-11", "5.7e-10", "1.5e-06")),)
    parameter_type = RotationVectorParameters
    supports_rotors = True
    kernels = KERNELS
    singularity_title = "1 − θ/2π"
    threshold = 5e-3

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((omega, to_rotation_vector(p)))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return from_rotation_vector(states[:, 3:]), states[:, :3]

    def closest_approach(self, state: np.ndarray, parameters: Any) -> float:
        """Estimate the smallest value of 1 - |theta|/(2 pi) in the motion that starts from a state.

        The rotation that completes theta to a whole turn has a small rotation vector. This vector is assumed to move
        along a straight line with the velocity omega.
        """
        theta, speed = state[3:], float(np.linalg.norm(state[:3]))
        length = float(np.linalg.norm(theta))
        measure = abs(1.0 - length / (2.0 * math.pi))
        if not speed * length > 0.0:
            return measure
        return measure * float(np.linalg.norm(np.cross(state[:3], theta))) / (speed * length)

    def explain_step_limit(self, state: np.ndarray, singularity: float, dt: float) -> str:
        angle = math.degrees(float(np.linalg.norm(state[3:])))
        return phrase(
            "the rotation vector has length {angle:.1f} deg, which is too close to a full turn (360 deg) for steps of this "
            "length. Try “Newton–Euler, Lie group”, which starts a new vector at every step, or any Euler-parameter form{shorter}",
            angle=angle,
            shorter=phrase(", or dt = {dt:.2g} s", dt=dt) if dt > 0.0 else "",
        )

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        angle = math.degrees(float(np.linalg.norm(state[3:])))
        return phrase(
            "the rotation vector has length {angle:.1f} deg, a whole turn, where its rate grows without bound. Try "
            "“Newton–Euler, Lie group”, which starts a new vector at every step, or any Euler-parameter form",
            angle=angle,
        )
