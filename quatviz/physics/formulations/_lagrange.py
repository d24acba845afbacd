"""Base class of the d'Alembert-Lagrange formulations, in NumPy. This module defines no formulation.

Each family defines its own gyroscopic term and makes its kernels with `make_solver`.
"""

from typing import Any, ClassVar

import numpy as np

from quatviz.physics.formulations._rates import RateForm
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import matrix_L

LAGRANGE_LOAD_FORMS = ("torque", "split", "gradient")
LOAD_MULTIPLIER_TERMS = {"torque": (), "split": ("2uᵀAᵀf",), "gradient": ("2uᵀAᵀf", "2uᵀf")}
LOAD_FORM_SUMMARIES = {
    "torque": "Torque: all loads enter as a torque n, which adds nothing to λ",
    "split": "Split: a force enters by the part of its gradient that does work, which adds to λ",
    "gradient": "Gradient: a force enters by the whole gradient of its potential, which adds to λ",
}
"""Explanation of each load form. The three forms differ in how a force at a body point enters; they give the same motion
but different λ."""
_CLOSED_FORM_SUMMARIES = {
    "torque_closed": "Torque, closed: as Torque, with the linear system solved by a closed formula",
    "split_closed": "Split, closed: as Split, with the linear system solved by a closed formula",
    "gradient_closed": "Gradient, closed: as Gradient, with the linear system solved by a closed formula",
}


def mass_matrices(p: np.ndarray, parameters: Any) -> np.ndarray:
    """Return 4 L^T J L (n, 4, 4) [kg m^2] for p (n, 4), in NumPy."""
    L = matrix_L(p)
    return 4.0 * np.swapaxes(L, 1, 2) @ np.reshape(parameters.inertia, (3, 3)) @ L


class LagrangeForm(RateForm):
    """A d'Alembert-Lagrange formulation. A subclass defines the type of its parameters and the contribution of its
    gyroscopic term to lambda."""

    variants = (*LAGRANGE_LOAD_FORMS, *(f"{form}_closed" for form in LAGRANGE_LOAD_FORMS))
    variant_summaries = LOAD_FORM_SUMMARIES | _CLOSED_FORM_SUMMARIES
    gyroscopic_terms: ClassVar[tuple[str, ...]]

    @property
    def supports_index3(self) -> bool:
        """True unless the variant uses the closed-form inverse, which solves only the system for p''."""
        return super().supports_index3 and not self.variant.endswith("_closed")

    @property
    def load_form(self) -> str:  # type: ignore[override]
        return self.variant.removesuffix("_closed")

    @property
    def multiplier_terms(self) -> tuple[str, ...]:
        return self.gyroscopic_terms + LOAD_MULTIPLIER_TERMS[self.load_form]

    def system_matrix(self, states: np.ndarray, parameters: Any) -> np.ndarray:
        if parameters.closed:
            return super().system_matrix(states, parameters)
        p = states[:, :4]
        matrix = np.zeros((len(p), 5, 5))
        matrix[:, :4, :4] = mass_matrices(p, parameters)
        matrix[:, :4, 4] = matrix[:, 4, :4] = p
        return matrix

    def extra_parameters(self, body: Body) -> dict[str, Any]:
        return {**super().extra_parameters(body), "closed": self.variant.endswith("_closed")}
