"""The Newton-Euler equations on the group of unit quaternions: each step moves along an exponential from its initial
attitude."""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.lie_group.kernel import KERNELS, LieGroupParameters
from quatviz.physics.mechanics.rotations import from_rotation_vector, multiply
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS, StateVariable, numbered_block


class LieGroup(Formulation):
    """The Newton-Euler equations with the rotation vector of the current step as coordinates.

    The attitude is p = base exp(theta), where base is the attitude at the start of the step. With a Runge-Kutta
    method this is a Munthe-Kaas method: the attitude is a product of exponentials, so that it stays on the sphere
    by construction and |p| drifts by rounding only. State (omega, theta, base), 10; no singularity, since theta is
    the rotation of one step.
    """

    name = "lie_group"
    title = "Newton–Euler, Lie group"
    family = "Newton–Euler"
    summary = (
        "Euler's equation with the attitude integrated on the rotation group, so that it stays a rotation"
    )
    source = "Munthe-Kaas 1998; Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8"
    blocks = (BODY_RATE, numbered_block(StateVariable.COORDINATES, "theta", (1, 2, 3)), EULER_PARAMETERS)
    sort_order = 120
    measured = (Performance(96, 179, ("3.0e-12", "7.7e-13", "2.6e-11")),)
    parameter_type = LieGroupParameters
    supports_rotors = True
    kernels = KERNELS

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        return np.concatenate((omega, np.zeros(3), p))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        return multiply(states[:, 6:], from_rotation_vector(states[:, 3:6])), states[:, :3]
