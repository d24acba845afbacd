"""What an equation card is made of: equations whose every term knows its present numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.cards._point import Point

Value = Callable[[Point], np.ndarray]

BODY, PARAMETERS = "body", "Euler parameters"
"""Frames: body components; one component for each Euler parameter, scalar first."""


@dataclass(frozen=True, eq=False)
class Term:
    """One term of an equation, without its sign. `value` gives its components (k,) in the equation's unit."""

    latex: str
    words: str
    value: Value
    quantity: str = ""
    """What of `core.observables.QUANTITIES` it stands for: the arrow and the curves to point at; may be empty."""
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

    def residual(self, point: Point) -> np.ndarray:
        """Left minus right (k,), in the equation's unit."""
        return total(self.left, point) - total(self.right, point)

    def size(self, point: Point) -> float:
        """The largest component of any term, by which a residual is judged."""
        return max(float(np.abs(term.value(point)).max()) for term in self.terms)


def total(terms: Sequence[Term], point: Point) -> np.ndarray:
    """The sum of terms with their signs (k,)."""
    return np.sum([term.sign * np.asarray(term.value(point)) for term in terms], axis=0)


class Card(ABC):
    """The equations of one formulation. The contract, from which a card can be written:

    1. One module in `quatviz/cards/`, or in an outside package behind an entry point of the group `quatviz.cards`,
       defines one concrete subclass; `name` is that of the formulation.
    2. `equations` gives what a variant solves, in the order of reading. What the state is, where the form is
       singular, its lambda, sources and errata stand in the help's page on formulations: a card repeats none of it.
    3. A term's numbers follow from attitude, angular velocity, body and loads in NumPy, never from the form's kernel; lambda
       is what the lane found. So the two sides of an equation differ by what the lane has wrong.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]

    @abstractmethod
    def equations(self, variant: str) -> tuple[Equation, ...]:
        """The equations of a variant; empty for the first one's name left out."""
