"""Hamilton's equations with the angular momentum h in body components as momentum."""

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.hamilton.kernel import (
    KERNELS,
    HamiltonParameters,
)
from quatviz.physics.mechanics.state import BODY_MOMENTUM, EULER_PARAMETERS


class Hamilton(Formulation):
    """Hamilton's canonical equations in h = J omega, which replaces the momentum g conjugate to p.

    g has four components of which only three are independent; h has three, so that no multiplier is needed. Loads
    with a potential enter by its gradient, all others as torques. State (h, p), 7; no singularity.
    """

    name = "hamilton"
    title = "Hamilton, reduced to h"
    family = "Hamilton"
    summary = "Hamilton's equations in the angular momentum h; no multiplier is left"
    source = "S3(42, 44)"
    blocks = (BODY_MOMENTUM, EULER_PARAMETERS)
    sort_order = 20
    measured = (Performance(73, 126, ("1.1e-12", "5.4e-13", "1.7e-10")),)
    parameter_type = HamiltonParameters
    supports_rotors = True
    load_form = "potential"
    kernels = KERNELS
    stabilisations = ("none", "renormalise", "project")

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: HamiltonParameters) -> np.ndarray:
        return np.concatenate((np.reshape(parameters.inertia, (3, 3)) @ omega, p))

    def observe(self, states: np.ndarray, parameters: HamiltonParameters) -> tuple[np.ndarray, np.ndarray]:
        inverse_inertia = np.reshape(parameters.inverse_inertia, (3, 3))
        return states[:, 3:], (inverse_inertia @ states[:, :3].T).T
