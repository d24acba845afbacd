"""Equation card of Lagrange's equations for four independent parameters, without the misprint of eq. S4(10):
the equations, divided into terms whose values are displayed.
"""

import numpy as np

from quatviz.physics.equations.equation import Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.symbols import FREE_INERTIA
from quatviz.physics.formulations.udwadia_schutte_unconstrained.card import unconstrained_equation
from quatviz.physics.mechanics.rotations import matrix_L


def gyroscopic(at: EvaluationPoint) -> np.ndarray:
    """Return the gyroscopic term 8 L'^T J L u' (4,) [J]."""
    return 8.0 * matrix_L(at.u_rate).T @ at.J @ matrix_L(at.u) @ at.u_rate


MOTION = unconstrained_equation(
    Term(r"8\,\dot L{}^{T}JL\,\dot u", "gyroscopic term of the body", gyroscopic, "h", -1)
)

SYMBOLS = FREE_INERTIA


def equations(variant: str) -> tuple[Equation, ...]:
    return (MOTION,)
