"""Equations of a card, made of terms that can be evaluated at any instant of a motion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from quatviz.physics.equations.evaluation_point import EvaluationPoint

TermFunction = Callable[[EvaluationPoint], np.ndarray]

BODY, SPACE, EULER_PARAMETERS = "body", "space", "Euler parameters"
"""Frames of an equation: body components, space components, or one component for each Euler parameter, scalar
first.
"""


@dataclass(frozen=True, eq=False)
class Term:
    """One term of an equation.

    `value` returns the components (k,) of the term without its sign, in the unit of the equation. `sign` is 1 or -1.
    """

    latex: str
    words: str
    value: TermFunction
    quantity: str = ""
    """Name of the quantity in `physics.observables.quantities.QUANTITIES` whose arrow and curves are highlighted with
    the term, or ""."""
    sign: int = 1
    optional: bool = False
    """True if the term is omitted when no load contributes to it."""
    rotor_latex: str = ""
    """LaTeX of the part of the term that is due to the torque of rotors, or "" if the term does not depend on it."""


@dataclass(frozen=True, eq=False)
class Equation:
    """An equation: the sum of the terms on the left equals the sum of the terms on the right.

    All terms have the same unit and frame.
    """

    left: tuple[Term, ...]
    right: tuple[Term, ...]
    unit: str
    frame: str = ""
    words: str = ""

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.left + self.right

    @property
    def formulae(self) -> list[str]:
        """All LaTeX formulas of the equation: the terms and the operators between them."""
        parts = (
            part for number, term in enumerate(self.terms) for part in (term.latex, self.operator(number))
        )
        return [latex for latex in parts if latex]

    def operator(self, number: int) -> str:
        """Return the LaTeX operator, such as = or -, that precedes the term with index `number`; "" for
        none."""
        minus = self.terms[number].sign < 0
        if number == len(self.left):
            return "=\\,-" if minus else "="
        return "-" if minus else "+" if number else ""

    def residual(self, point: EvaluationPoint) -> np.ndarray:
        """Return the left side minus the right side (k,), in the equation's unit."""
        return sum_terms(self.left, point) - sum_terms(self.right, point)

    def scale(self, point: EvaluationPoint) -> float:
        """Return the largest absolute component of all terms, to which a residual is compared."""
        return max(float(np.abs(term.value(point)).max()) for term in self.terms)


def sum_terms(terms: Sequence[Term], point: EvaluationPoint) -> np.ndarray:
    """Return the sum (k,) of the values of terms, each multiplied by its sign."""
    return np.sum([term.sign * np.asarray(term.value(point)) for term in terms], axis=0)
