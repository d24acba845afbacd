"""Hamilton's equations with a multiplier and the four momenta that are conjugate to the Euler parameters."""

from typing import Any

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.formulations.hamilton_canonical.kernel import (
    KERNELS,
    HamiltonCanonicalParameters,
)
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_L
from quatviz.physics.mechanics.state import EULER_MOMENTA, EULER_PARAMETERS


class HamiltonCanonical(Formulation):
    """Hamilton's equations in g = 2 L^T h, which has four components and three degrees of freedom: lambda keeps p.g = 0.

    The two variants differ in lambda, not in the motion. `direct` uses k = -2 L'^T h of S3(31) in the equation for
    g'. `literal` uses -dT/dp of S3(22) instead, which is k - 4T p, so that 4T moves from lambda into the equation.
    State (g, p), 8; no singularity. On a fast top the drift of p.g costs four digits of accuracy, unless g is projected.
    """

    name = "hamilton_canonical"
    title = "Hamilton, canonical momenta"
    family = "Hamilton"
    summary = "Hamilton's equations in four canonical momenta, with λ"
    source = "S3(17-20, 31, 36)"
    blocks = (EULER_MOMENTA, EULER_PARAMETERS)
    sort_order = 30
    measured = (Performance(146, 186, ("2.3e-10", "9.8e-11", "1.6e-05")),)
    variants = ("direct", "literal")
    variant_summaries = {
        "direct": "Direct: the kinetic energy acts through k, and λ contains 4T",
        "literal": "Literal: −∂T/∂p in place of k, as the paper prints it, and λ does not contain 4T",
    }
    parameter_type = HamiltonCanonicalParameters
    supports_rotors = True
    load_form = "potential"
    kernels = KERNELS
    stabilisations = ("none", "renormalise", "project")

    @property
    def multiplier_terms(self) -> tuple[str, ...]:
        return ("−pᵀ∂V/∂p",) if self.variant == "literal" else ("4T", "−pᵀ∂V/∂p")

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        return {"literal": self.variant == "literal"}

    def start(self, p: np.ndarray, omega: np.ndarray, parameters: HamiltonCanonicalParameters) -> np.ndarray:
        h = np.reshape(parameters.inertia, (3, 3)) @ omega
        return np.concatenate((2.0 * matrix_L(p).T @ h, p))

    def observe(
        self, states: np.ndarray, parameters: HamiltonCanonicalParameters
    ) -> tuple[np.ndarray, np.ndarray]:
        g, p = states[:, :4], states[:, 4:]
        h = 0.5 * (matrix_L(p) @ g[:, :, None])[:, :, 0]
        return p, h @ np.reshape(parameters.inverse_inertia, (3, 3)).T
