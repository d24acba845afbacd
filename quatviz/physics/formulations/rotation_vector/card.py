"""Equation card of the Newton-Euler equations with the rotation vector: the equations, divided into terms
whose values are displayed.
"""

import numpy as np

from quatviz.physics.equations import attitude_vectors
from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import MOMENTUM
from quatviz.physics.equations.symbols import Symbol


def theta(at: EvaluationPoint) -> np.ndarray:
    """Return the rotation vector theta (3,) [rad] of the lane's attitude."""
    return attitude_vectors.rotation_vector(at.p)


def double_product_term(at: EvaluationPoint) -> np.ndarray:
    """Return the term c theta x (theta x omega) (3,) [rad/s] of theta'."""
    vector = theta(at)
    return attitude_vectors.kinematic_coefficient(vector) * np.cross(vector, np.cross(vector, at.omega))


KINEMATICS = Equation(
    (
        Term(
            r"\dot\theta",
            "rate of the rotation vector",
            attitude_vectors.rate_of_vector(attitude_vectors.rotation_vector),
        ),
    ),
    (
        Term(r"\omega", "angular velocity", lambda at: at.omega, "omega"),
        Term(
            r"\tfrac12\,\theta\times\omega",
            "rotation of θ by ω",
            lambda at: 0.5 * np.cross(theta(at), at.omega),
        ),
        Term(
            r"c\,\theta\times(\theta\times\omega)",
            "remaining terms; c diverges at a whole turn",
            double_product_term,
        ),
    ),
    "rad/s",
    BODY,
    "the kinematics: inverse of the differential of the exponential",
)

SYMBOLS = (
    Symbol(r"\theta", "Rotation vector of the attitude", "rad", "body to space"),
    Symbol("c", "Coefficient that depends on the length of θ; 1/12 at θ = 0"),
)


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
