"""Equation card of the Newton-Euler equations on the group: the equations, divided into terms whose values
are displayed.
"""

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.shared_terms import MOMENTUM
from quatviz.physics.equations.symbols import Symbol

KINEMATICS = Equation(
    (
        Term(
            r"\dot\theta",
            "rate of the rotation within a step, at its start",
            lambda at: 2.0 * at.L @ at.p_rate,
        ),
    ),
    (
        Term(r"\omega", "angular velocity", lambda at: at.omega, "omega"),
        Term(
            r"\tfrac12\,\theta\times\omega",
            "zero at the start of a step, where θ = 0",
            lambda at: np.zeros(3),
        ),
        Term(
            r"c\,\theta\times(\theta\times\omega)",
            "zero at the start of a step, where θ = 0",
            lambda at: np.zeros(3),
        ),
    ),
    "rad/s",
    BODY,
    "p = p₀ exp(θ), with constant p₀ within a step",
)

SYMBOLS = (
    Symbol(r"\theta", "Rotation vector from the start of the step", "rad", BODY),
    Symbol("c", "Coefficient that depends on the length of θ; 1/12 at θ = 0"),
)


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
