"""Equation card of Lagrange's equations with the full gyroscopic term: the equations, divided into terms
whose values are displayed.
"""

from quatviz.physics.equations.equation import EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.shared_terms import (
    CONSTRAINT,
    L_RATE_T,
    LT,
    MASS_TIMES_ACCELERATION,
    MULTIPLIER,
    generalized_force_terms,
)

GYROSCOPIC = Term(
    rf"8\,{LT}L\,{L_RATE_T}JL\,\dot p",
    "gyroscopic term, projected on the sphere; it does not contribute to λ",
    lambda at: 8.0 * at.L.T @ at.L @ at.L_rate.T @ at.J @ at.L @ at.p_rate,
    "h",
)


def equations(variant: str) -> tuple[Equation, ...]:
    left = (MASS_TIMES_ACCELERATION, GYROSCOPIC, MULTIPLIER)
    return Equation(left, generalized_force_terms(variant), "J", EULER_PARAMETERS, "the motion"), CONSTRAINT
