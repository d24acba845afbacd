"""Newton's and Euler's equations with a mistake in them, to be seen beside the right ones."""

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
"""By mistake: c, a and b of J omega' = n - c omega x J omega, p' = a L^T omega + b G^T omega. They are called as in
`verification.judging.mistakes`."""


class Mistaken(Formulation):
    """Not the motion of the body: in each variant one mistake of teaching and of programs. `no_gyroscopic` leaves
    omega x J omega out, `gyroscopic_sign` turns its sign, `rate_in_space` takes the rate in the body for that in
    space, `no_half` forgets the half of p'. State (omega, p), 7; no singularity."""

    name = "mistaken"
    title = "Newton–Euler, mistaken"
    family = "For comparison"
    summary = "Wrong on purpose: other motions, to be compared with the right ones"
    source = "S0(17, 26) with a term that is wrong"
    blocks = (BODY_RATE, EULER_PARAMETERS)
    sort_order = 145
    measured = (Performance(65, 89, ("another motion", "another motion", "another motion")),)
    variants = tuple(COEFFICIENTS)
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
