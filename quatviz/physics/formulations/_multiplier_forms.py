"""The six multiplier forms: combinations of gyroscopic term and load form that give the same motion with six
different lambdas. This module defines no formulation.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quatviz.physics.equations.equation import Equation, Term, sum_terms
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.formulations import equations, make_formulation

GYROSCOPIC, LOADS = ("full", "simplified"), ("torque", "split", "gradient")


@dataclass(frozen=True, eq=False)
class MultiplierForm:
    """A combination of a gyroscopic term and a load form in Lagrange's equations."""

    gyroscopic: str
    load: str

    @property
    def id(self) -> str:
        """Lane id of the form."""
        return f"lagrange_{self.gyroscopic}/{self.load}"

    @cached_property
    def equation(self) -> Equation:
        return equations(self.id)[0]

    @property
    def multiplier_terms(self) -> tuple[str, ...]:
        """Names of the theoretical terms of lambda, as in `physics.observables.multiplier_theory.TERMS`."""
        return make_formulation(self.id).multiplier_terms or ()

    def is_optional(self, term: Term) -> bool:
        """Return True if some of the six forms have equations without this term."""
        return any(
            term.latex not in {other.latex for other in form.equation.terms} for form in MULTIPLIER_FORMS
        )

    def multiplier(self, at: EvaluationPoint) -> float:
        """Return lambda [J] by solving the bordered (5, 5) system of this form with NumPy; eqs. S0(34, 39, 83)."""
        gyroscopic = self.equation.left[1].value(at)
        matrix = np.zeros((5, 5))
        matrix[:4, :4] = 4.0 * at.L.T @ at.J @ at.L
        matrix[:4, 4] = matrix[4, :4] = at.p
        rhs = np.append(sum_terms(self.equation.right, at) - gyroscopic, -at.p_rate @ at.p_rate)
        return float(np.linalg.solve(matrix, rhs)[4])


MULTIPLIER_FORMS = tuple(MultiplierForm(gyroscopic, load) for gyroscopic in GYROSCOPIC for load in LOADS)
"""Both gyroscopic terms with each of the three load forms."""
