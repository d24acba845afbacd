"""The card of Udwadia and Schutte's closed form."""

import numpy as np

from quatviz.physics.equations.equation import EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import LT


def acceleration_from_torque(at: EvaluationPoint, moment: np.ndarray) -> np.ndarray:
    """1/2 L^T J^-1 times a torque (4,) [1/s^2]."""
    return 0.5 * at.L.T @ np.linalg.solve(at.J, moment)


MOTION = Equation(
    (Term(r"\ddot u", "second rate of the Euler parameters", lambda at: at.p_acceleration, "p"),),
    (
        Term(
            rf"\tfrac12\,{LT}J^{{-1}}n",
            "what the torque of all loads does",
            lambda at: acceleration_from_torque(at, at.torque),
            "torque",
        ),
        Term(
            rf"\tfrac12\,{LT}J^{{-1}}(\omega\times J\omega)",
            "what the gyroscopic torque does",
            lambda at: acceleration_from_torque(at, at.gyroscopic),
            "h",
            -1,
        ),
        Term(
            r"(\dot u{}^{T}\dot u)\,u",
            "the constraint, solved for: it bends the path on to the sphere",
            lambda at: (at.p_rate @ at.p_rate) * at.p,
            "omega",
            -1,
        ),
    ),
    "1/s²",
    EULER_PARAMETERS,
    "the motion; u is p",
)


def equations(variant: str) -> tuple[Equation, ...]:
    return (MOTION,)
