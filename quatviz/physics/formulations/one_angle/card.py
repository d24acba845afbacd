"""Equation card of the one-angle model: Euler's equation along the angular velocity, which is along the axis."""

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import KINEMATICS
from quatviz.physics.equations.symbols import Symbol

_ROUNDING = 1e-13
"""Largest component along the axis that counts as a rounding error, relative to the largest component of the vector or
of the gyroscopic torque, whichever is larger."""


def axis(at: EvaluationPoint) -> np.ndarray:
    """Return the unit vector (3,) [body] along the angular velocity, or along the torque of a body at rest; zero if
    both vanish."""
    direction = at.omega if np.any(at.omega) else at.torque
    length = float(np.linalg.norm(direction))
    return direction / length if length > 0.0 else np.zeros(3)


def along_axis(at: EvaluationPoint, vector: np.ndarray) -> np.ndarray:
    """Return the component (1,) of a vector (3,) [body] along the axis; 0 if it is a rounding error by `_ROUNDING`."""
    component = float(axis(at) @ vector)
    size = max(float(np.abs(vector).max()), float(np.abs(at.gyroscopic).max()))
    return np.array([component if abs(component) > _ROUNDING * size else 0.0])


ANGLE = Equation(
    (
        Term(
            r"J_a\,\ddot\phi",
            "moment of inertia about the axis times the angular acceleration",
            lambda at: along_axis(at, at.J @ at.omega_rate),
            "omega",
        ),
    ),
    (
        Term(
            r"a\cdot n",
            "torque of the loads about the axis",
            lambda at: along_axis(at, at.torque),
            "torque",
        ),
    ),
    "N m",
    "the axis a",
    "the angle",
)

SYMBOLS = (
    Symbol("a", "Unit vector along the axis of rotation", frame=BODY),
    Symbol("J_a", "Moment of inertia about the axis", "kg m²"),
    Symbol(r"\phi", "Angle of the rotation", "rad"),
)


def equations(variant: str) -> tuple[Equation, ...]:
    return ANGLE, KINEMATICS
