"""What an equation card is made of: equations whose every term knows its present numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from quatviz.physics.equations.evaluation_point import EvaluationPoint

TermFunction = Callable[[EvaluationPoint], np.ndarray]

BODY, SPACE, EULER_PARAMETERS = "body", "space", "Euler parameters"
"""Frames: body components; space components; one component for each Euler parameter, scalar first."""


@dataclass(frozen=True, eq=False)
class Term:
    """One term of an equation, without its sign. `value` gives its components (k,) in the equation's unit."""

    latex: str
    words: str
    value: TermFunction
    quantity: str = ""
    """What of `physics.observables.quantities.QUANTITIES` it stands for: the arrow and the curves to point at; may be empty."""
    sign: int = 1
    optional: bool = False
    """Whether it is left out where no load gives it."""


@dataclass(frozen=True, eq=False)
class Equation:
    """The sum of the left terms equals that of the right ones; all share a unit and a frame."""

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
        """All LaTeX of it: the terms, and what stands between them."""
        parts = (
            part for number, term in enumerate(self.terms) for part in (term.latex, self.operator(number))
        )
        return [latex for latex in parts if latex]

    def operator(self, number: int) -> str:
        """What stands before a term, in LaTeX."""
        minus = self.terms[number].sign < 0
        if number == len(self.left):
            return "=\\,-" if minus else "="
        return "-" if minus else "+" if number else ""

    def residual(self, point: EvaluationPoint) -> np.ndarray:
        """Left minus right (k,), in the equation's unit."""
        return sum_terms(self.left, point) - sum_terms(self.right, point)

    def scale(self, point: EvaluationPoint) -> float:
        """The largest component of any term, by which a residual is judged."""
        return max(float(np.abs(term.value(point)).max()) for term in self.terms)


def sum_terms(terms: Sequence[Term], point: EvaluationPoint) -> np.ndarray:
    """The sum of terms with their signs (k,)."""
    return np.sum([term.sign * np.asarray(term.value(point)) for term in terms], axis=0)
