"""Equation card of the Newton-Euler equations with modified Rodrigues parameters: the equations, divided into
terms whose values are displayed.
"""

import numpy as np

from quatviz.physics.equations import attitude_vectors
from quatviz.physics.equations.equation import Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import MOMENTUM
from quatviz.physics.equations.symbols import Symbol


def sigma(at: EvaluationPoint) -> np.ndarray:
    """Return the modified Rodrigues parameters sigma (3,) of the lane's attitude."""
    return attitude_vectors.modified_rodrigues(at.p)


KINEMATICS = Equation(
    (
        Term(
            r"\dot\sigma",
            "rate of the parameters",
            attitude_vectors.rate_of_vector(attitude_vectors.modified_rodrigues),
        ),
    ),
    (
        Term(
            r"\tfrac14(1-\sigma^{T}\sigma)\,\omega",
            "along ω",
            lambda at: 0.25 * (1.0 - sigma(at) @ sigma(at)) * at.omega,
            "omega",
        ),
        Term(
            r"\tfrac12\,\sigma\times\omega",
            "perpendicular to σ and ω",
            lambda at: 0.5 * np.cross(sigma(at), at.omega),
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

SYMBOLS = (Symbol(r"\sigma", "Modified Rodrigues parameters", frame="body to space"),)


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
