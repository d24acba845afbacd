"""Equation card of Udwadia and Schutte's closed form: the equations, divided into terms whose values are
displayed.
"""

import numpy as np

from quatviz.physics.equations.equation import EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import LT
from quatviz.physics.equations.symbols import AS_INTEGRATED


def acceleration_from_torque(at: EvaluationPoint, moment: np.ndarray) -> np.ndarray:
    """Return the acceleration 1/2 L^T J^-1 n (4,) [1/s^2] that a torque n (3,) [N m, body] contributes."""
    return 0.5 * at.L.T @ np.linalg.solve(at.J, moment)


MOTION = Equation(
    (Term(r"\ddot u", "second derivative of the Euler parameters", lambda at: at.p_acceleration, "p"),),
    (
        Term(
            rf"\tfrac12\,{LT}J^{{-1}}n",
            "effect of the torque of all loads",
            lambda at: acceleration_from_torque(at, at.torque),
            "torque",
            rotor_latex=rf"\tfrac12\,{LT}J^{{-1}}n_r",
        ),
        Term(
            rf"\tfrac12\,{LT}J^{{-1}}(\omega\times J\omega)",
            "effect of the gyroscopic torque",
            lambda at: acceleration_from_torque(at, at.gyroscopic),
            "h",
            -1,
        ),
        Term(
            r"(\dot u{}^{T}\dot u)\,u",
            "effect of the constraint, which curves the path along the sphere",
            lambda at: (at.p_rate @ at.p_rate) * at.p,
            "omega",
            -1,
        ),
    ),
    "1/s²",
    EULER_PARAMETERS,
    "the motion; u is p",
)

SYMBOLS = (AS_INTEGRATED,)


def equations(variant: str) -> tuple[Equation, ...]:
    return (MOTION,)
