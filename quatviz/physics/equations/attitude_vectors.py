"""Attitude as a vector of three coordinates, and the rate of this vector.

The rate is computed as the directional derivative of the vector along p'.
"""

import math
from collections.abc import Callable

import numpy as np

from quatviz.physics.equations.evaluation_point import EvaluationPoint, directional_derivative
from quatviz.physics.mechanics.rotations import normalize

Attitude = Callable[[np.ndarray], np.ndarray]


def rotation_vector(p: np.ndarray) -> np.ndarray:
    """Return the rotation vector theta (3,) [rad] of p. Its length is determined up to whole turns."""
    unit = normalize(p)
    size = float(np.linalg.norm(unit[1:]))
    return 2.0 * math.atan2(size, unit[0]) / size * unit[1:] if size > 0.0 else np.zeros(3)


def modified_rodrigues(p: np.ndarray) -> np.ndarray:
    """Return modified Rodrigues parameters e / (1 + e0) (3,) of p or -p, whichever has e0 >= 0."""
    unit = normalize(p)
    return math.copysign(1.0, unit[0]) * unit[1:] / (1.0 + abs(unit[0]))


def rate_of_vector(attitude: Attitude) -> Callable[[EvaluationPoint], np.ndarray]:
    """Return a function that computes the rate (3,) [1/s] of an attitude vector at an evaluation point."""
    return lambda at: directional_derivative(attitude, at.p, at.p_rate)


def kinematic_coefficient(theta: np.ndarray) -> float:
    """Return c = (1 - (a/2) cot(a/2)) / a^2 with a = |theta|, the coefficient of theta x (theta x omega) in
    theta'."""
    square = float(theta @ theta)
    if square < 1e-4:
        return 1.0 / 12.0 + square / 720.0
    half = 0.5 * math.sqrt(square)
    return (1.0 - half / math.tan(half)) / square
