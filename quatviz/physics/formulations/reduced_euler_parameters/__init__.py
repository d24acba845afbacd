"""Lagrange's equations in three of the four Euler parameters; singular at half a turn."""

import math

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.reduced_euler_parameters.kernel import KERNELS, ReducedParameters
from quatviz.physics.mechanics.rotations import matrix_L, omega_from_rate, rate_from_omega
from quatviz.physics.mechanics.state import StateVariable, numbered_block


class ReducedEulerParameters(Formulation):
    """Lagrange's equations in q = (e1, e2, e3) with e0 = +sqrt(1 - q.q): no constraint and no multiplier.

    det S = 8/q1 diverges where the body is rotated by 180 degrees about any axis. State (q, q'), 6; singular where
    q1 = 0.
    """

    name = "reduced_euler_parameters"
    title = "Lagrange in reduced Euler parameters"
    family = "Lagrange, three coordinates"
    summary = "Lagrange's equations in three of the four Euler parameters; singular at half a turn"
    source = "S2(11, 49-55)"
    blocks = (
        numbered_block(StateVariable.COORDINATES, "q", (2, 3, 4)),
        numbered_block(StateVariable.COORDINATE_RATES, "q", (2, 3, 4), "_rate"),
    )
    sort_order = 110
    measured = (Performance(197, 218, ("-", "-", "-")),)
    second_order = True
    parameter_type = ReducedParameters
    supports_rotors = True
    kernels = KERNELS
    singularity_title = "q₁"
    threshold = 5e-3

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: ReducedParameters) -> np.ndarray:
        p = -p if p[0] < 0.0 else p
        return np.concatenate((p[1:], rate_from_omega(p, omega)[1:]))

    def observe(self, states: np.ndarray, parameters: ReducedParameters) -> tuple[np.ndarray, np.ndarray]:
        q, rate = states[:, :3], states[:, 3:]
        q1 = np.sqrt(np.maximum(1.0 - np.einsum("ni,ni->n", q, q), 0.0))
        with np.errstate(
            divide="ignore", invalid="ignore"
        ):  # a lane may start at half a turn, where q1' is undetermined
            q1_rate = np.where(q1 > 0.0, -np.einsum("ni,ni->n", q, rate) / q1, 0.0)
        p = np.column_stack((q1, q))
        return p, omega_from_rate(p, np.column_stack((q1_rate, rate)))

    def system_matrix(self, states: np.ndarray, parameters: ReducedParameters) -> np.ndarray:
        q = states[:, :3]
        q1 = np.sqrt(np.maximum(1.0 - np.einsum("ni,ni->n", q, q), 1e-300))
        p = np.column_stack((q1, q))
        L = matrix_L(p)
        matrix = 2.0 * (L[:, :, 1:] - L[:, :, :1] * (q / q1[:, None])[:, None, :])
        return np.swapaxes(matrix, 1, 2) @ np.reshape(parameters.inertia, (3, 3)) @ matrix

    def explain_step_limit(self, state: np.ndarray, singularity: float, dt: float) -> str:
        return phrase(
            "the body has turned by {angle:.2f} of 180 deg, q1 = {q1:.2g}, which is too near half a turn for steps of this length. "
            "Try any form with all four Euler parameters",
            angle=_turn(state),
            q1=singularity,
        )

    def explain_singularity(self, state: np.ndarray, singularity: float) -> str:
        return phrase(
            "the body has turned by {angle:.2f} of 180 deg, where q1 = {q1:.2g} and det S = 8/q1 diverges. Try any form "
            "with all four Euler parameters",
            angle=_turn(state),
            q1=singularity,
        )


def _turn(state: np.ndarray) -> float:
    """Return the angle [deg] of the rotation from the space axes to the body axes."""
    return math.degrees(2.0 * math.asin(min(1.0, math.sqrt(float(state[:3] @ state[:3])))))
