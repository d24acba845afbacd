"""Equations of motion in three coordinates q with omega = S q'."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint, directional_derivative


@dataclass(frozen=True)
class GeneralizedCoordinates:
    """Three generalized coordinates: `q` returns them (3,) for an evaluation point, and `S` returns the matrix (3, 3)
    for coordinates."""

    q: Callable[[EvaluationPoint], np.ndarray]
    S: Callable[[np.ndarray], np.ndarray]

    def matrix(self, at: EvaluationPoint) -> np.ndarray:
        """Return S (3, 3) with omega = S q' [rad/s, body]."""
        return _coordinate_values(self, at).matrix

    def rate(self, at: EvaluationPoint) -> np.ndarray:
        """Return q' (3,); NaN at the singularity."""
        return _coordinate_values(self, at).rate

    def drift(self, at: EvaluationPoint) -> np.ndarray:
        """Return S' q' (3,) [rad/s^2]."""
        return _coordinate_values(self, at).drift

    def acceleration(self, at: EvaluationPoint) -> np.ndarray:
        """Return q'' (3,); NaN at the singularity."""
        values = _coordinate_values(self, at)
        return solve_or_nan(values.matrix, at.omega_rate - values.drift)


class _CoordinateValues(NamedTuple):
    matrix: np.ndarray
    rate: np.ndarray
    drift: np.ndarray


@lru_cache(maxsize=2)
def _coordinate_values(coordinates: GeneralizedCoordinates, at: EvaluationPoint) -> _CoordinateValues:
    """Return the values at a point, cached for the terms of an equation."""
    q = coordinates.q(at)
    matrix = coordinates.S(q)
    rate = solve_or_nan(matrix, at.omega)
    return _CoordinateValues(
        matrix, rate, directional_derivative(lambda q_near: coordinates.S(q_near) @ rate, q, rate)
    )


def solve_or_nan(matrix: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Return matrix^-1 rhs (k,) for a matrix (k, k) and a right-hand side (k,); NaN if the matrix is singular."""
    try:
        return np.linalg.solve(matrix, rhs)
    except np.linalg.LinAlgError:
        return np.full(len(rhs), np.nan)


def coordinate_equations(coordinates: GeneralizedCoordinates, unit: str, frame: str) -> tuple[Equation, ...]:
    """Return the equation of motion, multiplied by S^T, and the kinematic equation."""

    def project(moment: Callable[[EvaluationPoint], np.ndarray]) -> Callable[[EvaluationPoint], np.ndarray]:
        return lambda at: coordinates.matrix(at).T @ moment(at)

    def inertia(at: EvaluationPoint) -> np.ndarray:
        S = coordinates.matrix(at)
        return S.T @ at.J @ S @ coordinates.acceleration(at)

    motion = Equation(
        (Term(r"S^{T}JS\,\ddot q", "mass matrix times the second rates", inertia),),
        (
            Term(
                r"S^{T}n",
                "torque of all loads about the axes of q",
                project(lambda at: at.torque),
                "torque",
                rotor_latex=r"S^{T}n_r",
            ),
            Term(
                r"S^{T}J\dot S\,\dot q",
                "rotation of the axes of q",
                project(lambda at: at.J @ coordinates.drift(at)),
                "",
                -1,
            ),
            Term(
                r"S^{T}(\omega\times J\omega)",
                "gyroscopic torque about the axes of q",
                project(lambda at: at.gyroscopic),
                "h",
                -1,
            ),
        ),
        unit,
        frame,
        "the motion",
    )
    kinematics = Equation(
        (Term(r"\omega", "angular velocity", lambda at: at.omega, "omega"),),
        (
            Term(
                r"S\,\dot q",
                "rates of the coordinates, which grow as 1/det S",
                lambda at: coordinates.matrix(at) @ coordinates.rate(at),
            ),
        ),
        "rad/s",
        BODY,
        "the kinematics",
    )
    return motion, kinematics
