"""The Newton-Euler equations with a deliberate mistake, for comparison with the correct ones."""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.mistaken.kernel import KERNELS, MistakenParameters
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.state import BODY_RATE, EULER_PARAMETERS

COEFFICIENTS = {
    "no_gyroscopic": (0.0, 0.5, 0.0),
    "gyroscopic_sign": (-1.0, 0.5, 0.0),
    "rate_in_space": (1.0, 0.0, 0.5),
    "no_half": (1.0, 1.0, 0.0),
}
"""Coefficients c, a and b of J omega' = n - c omega x J omega and p' = a L^T omega + b G^T omega, for each
mistake. The correct values are 1, 1/2 and 0. The names are those in `verification.judging.mistakes`.
"""


class Mistaken(Formulation):
    """Equations with one common mistake in each variant, which do not describe the motion of the body.

    `no_gyroscopic` omits omega x J omega, `gyroscopic_sign` reverses its sign, `rate_in_space` uses the angular
    velocity in the body as if it were in space, and `no_half` omits the factor 1/2 of p'. State (omega, p), 7; no
    singularity.
    """

    name = "mistaken"
    title = "Newton–Euler, mistaken"
    family = "For comparison"
    summary = "Deliberately wrong equations, for comparison with the correct ones"
    source = "S0(17, 26) with a term that is wrong"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    sort_order = 145
    measured = (Performance(65, 89, ("another motion", "another motion", "another motion")),)
    variants = tuple(COEFFICIENTS)
    variant_summaries = {
        "no_gyroscopic": "The gyroscopic term ω × Jω is missing",
        "gyroscopic_sign": "The gyroscopic term ω × Jω has the wrong sign",
        "rate_in_space": "The angular velocity in the body is used as if it were in space",
        "no_half": "The factor ½ of p′ is missing",
    }
    yields_motion = False
    parameter_type = MistakenParameters
    kernels = KERNELS
    stabilisations = ("none", "renormalise", "project")

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        return dict(zip(("gyroscopic", "body", "space"), COEFFICIENTS[self.variant], strict=True))

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: MistakenParameters) -> np.ndarray:
        return np.concatenate((omega, p))

    def observe(self, states: np.ndarray, parameters: MistakenParameters) -> tuple[np.ndarray, np.ndarray]:
        return states[:, 3:], states[:, :3]
