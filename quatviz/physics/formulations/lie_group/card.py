"""The card of Newton and Euler on the group."""

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.shared_terms import MOMENTUM

KINEMATICS = Equation(
    (
        Term(
            r"\dot\theta",
            "rate of the turn since the step began, at its beginning",
            lambda at: 2.0 * at.L @ at.p_rate,
        ),
    ),
    (
        Term(r"\omega", "angular velocity", lambda at: at.omega, "omega"),
        Term(
            r"\tfrac12\,\theta\times\omega",
            "zero where a step begins: θ = 0 there",
            lambda at: np.zeros(3),
        ),
        Term(
            r"c\,\theta\times(\theta\times\omega)",
            "zero where a step begins: θ = 0 there",
            lambda at: np.zeros(3),
        ),
    ),
    "rad/s",
    BODY,
    "p = p₀ exp(θ), p₀ at rest within a step",
)


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
