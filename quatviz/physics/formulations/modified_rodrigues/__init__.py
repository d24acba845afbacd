"""The Newton-Euler equations with modified Rodrigues parameters, switched to their shadow set at half a turn."""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.modified_rodrigues.kernel import KERNELS, ModifiedRodriguesParameters
from quatviz.physics.mechanics.state import BODY_RATE, StateBlock, StateVariable


class ModifiedRodrigues(Formulation):
    """The Newton-Euler equations with modified Rodrigues parameters sigma: three attitude coordinates without a
    singularity.

    The price is a switch: where |sigma| would exceed 1, sigma is replaced by its shadow set, which describes the
    same attitude. The state includes the sign of p, so that the curves of p stay smooth. State (omega, sigma,
    sign), 7.
    """

    name = "modified_rodrigues"
    title = "Newton–Euler, modified Rodrigues"
    family = "Newton–Euler"
    summary = "Euler's equation with modified Rodrigues parameters, switched at half a turn"
    source = "Schaub and Junkins, Analytical Mechanics of Space Systems, 3.5"
    blocks = (BODY_RATE, StateBlock(StateVariable.COORDINATES, ("sigma1", "sigma2", "sigma3", "sign")))
    sort_order = 140
    measured = (Performance(59, 112, ("2.7e-12", "7.5e-13", "5.0e-11")),)
    parameter_type = ModifiedRodriguesParameters
    supports_rotors = True
    kernels = KERNELS

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: Any) -> np.ndarray:
        sign = -1.0 if p[0] < 0.0 else 1.0
        return np.concatenate((omega, sign * p[1:] / (1.0 + abs(p[0])), [sign]))

    def observe(self, states: np.ndarray, parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        sigma, sign = states[:, 3:6], states[:, 6:]
        square = np.einsum("ni,ni->n", sigma, sigma)[:, None]
        return sign * np.hstack((1.0 - square, 2.0 * sigma)) / (1.0 + square), states[:, :3]
