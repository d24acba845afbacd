"""The Newton-Euler equations with Euler parameters as the attitude."""

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.newton_euler.kernel import (
    KERNELS,
    NewtonEulerParameters,
)
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS


class NewtonEuler(Formulation):
    """The textbook form of the equations of motion: angular velocity by Euler's equation, attitude by kinematics.

    It has no singularity and no multiplier; |p| stays 1 up to the integrator's error. Its steps are the fastest of
    all formulations. State (omega, p), 7.
    """

    name = "newton_euler"
    title = "Newton–Euler"
    family = "Newton–Euler"
    summary = "Euler's equation for ω, with the kinematics of the Euler parameters"
    source = "S0(26, 17), S1(12), S2(1)"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    sort_order = 10
    measured = (Performance(53, 88, ("1.9e-12", "8.6e-13", "1.7e-10")),)
    parameter_type = NewtonEulerParameters
    supports_rotors = True
    kernels = KERNELS
    stabilisations = ("none", "renormalise", "project")

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: NewtonEulerParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: NewtonEulerParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]
