"""Equation card of Lagrange's equations in three of the four Euler parameters: the equations, divided into
terms whose values are displayed.
"""

import numpy as np

from quatviz.physics.equations.coordinates import GeneralizedCoordinates, coordinate_equations
from quatviz.physics.equations.equation import Equation
from quatviz.physics.equations.symbols import coordinate_symbols
from quatviz.physics.mechanics.rotations import skew


def S(q: np.ndarray) -> np.ndarray:
    """Return S = 2 (q1 I - q~ + q q^T / q1) (3, 3); eq. S2(50)."""
    q1 = np.sqrt(max(1.0 - q @ q, 1e-300))
    return 2.0 * (q1 * np.eye(3) - skew(q) + np.outer(q, q) / q1)


def _step(q: np.ndarray) -> float:
    """Return the step of numerical derivatives with respect to q, a small part of the distance 1 - |q| from
    the pole of S."""
    return float(max(5e-4 * (1.0 - q @ q), 1e-9))


SYMBOLS = coordinate_symbols("Three of the Euler parameters")


def equations(variant: str) -> tuple[Equation, ...]:
    coordinates = GeneralizedCoordinates(lambda at: at.p[1:] if at.p[0] >= 0.0 else -at.p[1:], S, _step)
    return coordinate_equations(coordinates, "J", "q₂, q₃, q₄")
