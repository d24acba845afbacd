"""The card of Newton and Euler with modified Rodrigues parameters."""

import numpy as np

from quatviz.cards import _vectors
from quatviz.cards._point import Point
from quatviz.cards._terms import MOMENTUM
from quatviz.cards.base import Card, Equation, Term


def sigma(at: Point) -> np.ndarray:
    """The lane's sigma (3,)."""
    return _vectors.modified_rodrigues(at.p)


KINEMATICS = Equation(
    (Term(r"\dot\sigma", "rate of the parameters", _vectors.rate(_vectors.modified_rodrigues)),),
    (
        Term(
            r"\tfrac14(1-\sigma^{T}\sigma)\,\omega",
            "along ω",
            lambda at: 0.25 * (1.0 - sigma(at) @ sigma(at)) * at.omega,
            "omega",
        ),
        Term(
            r"\tfrac12\,\sigma\times\omega", "across σ and ω", lambda at: 0.5 * np.cross(sigma(at), at.omega)
        ),
        Term(
            r"\tfrac12\,\sigma\,(\sigma^{T}\omega)",
            "along σ",
            lambda at: 0.5 * (sigma(at) @ at.omega) * sigma(at),
        ),
    ),
    "1/s",
    "σ₁, σ₂, σ₃",
    "the kinematics; beyond half a turn σ becomes −σ/|σ|²",
)


class ModifiedRodriguesCard(Card):
    name = "modified_rodrigues"

    def equations(self, variant: str) -> tuple[Equation, ...]:
        return MOMENTUM, KINEMATICS
