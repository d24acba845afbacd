"""Equations in three coordinates q with omega = S q'."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.evaluation_point import Point, derivative


@dataclass(frozen=True)
class Coordinates:
    """`q` gives the coordinates (3,) of a point, `S` the matrix (3, 3) of coordinates."""

    q: Callable[[Point], np.ndarray]
    S: Callable[[np.ndarray], np.ndarray]

    def matrix(self, at: Point) -> np.ndarray:
        """S (3, 3) with omega = S q' [rad/s, body]."""
        return _found(self, at).matrix

    def rate(self, at: Point) -> np.ndarray:
        """q' (3,); NaN at the singularity."""
        return _found(self, at).rate

    def drift(self, at: Point) -> np.ndarray:
        """S' q' (3,) [rad/s^2]."""
        return _found(self, at).drift

    def second(self, at: Point) -> np.ndarray:
        """q'' (3,)."""
        found = _found(self, at)
        return solved(found.matrix, at.omega_rate - found.drift)


class _Found(NamedTuple):
    matrix: np.ndarray
    rate: np.ndarray
    drift: np.ndarray


@lru_cache(maxsize=2)
def _found(coordinates: Coordinates, at: Point) -> _Found:
    """Computed once for the terms of a point."""
    q = coordinates.q(at)
    matrix = coordinates.S(q)
    rate = solved(matrix, at.omega)
    return _Found(matrix, rate, derivative(lambda near: coordinates.S(near) @ rate, q, rate))


def solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """matrix^-1 right (k,) of a matrix (k, k) and a right side (k,); NaN where the matrix is singular."""
    try:
        return np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return np.full(len(right), np.nan)


def equations_of(coordinates: Coordinates, unit: str, frame: str) -> tuple[Equation, ...]:
    """The motion, multiplied by S^T, and the kinematics."""

    def moved(moment: Callable[[Point], np.ndarray]) -> Callable[[Point], np.ndarray]:
        return lambda at: coordinates.matrix(at).T @ moment(at)

    def inertia(at: Point) -> np.ndarray:
        S = coordinates.matrix(at)
        return S.T @ at.J @ S @ coordinates.second(at)

    motion = Equation(
        (Term(r"S^{T}JS\,\ddot q", "mass matrix times the second rates", inertia),),
        (
            Term(r"S^{T}n", "torque of all loads about the axes of q", moved(lambda at: at.torque), "torque"),
            Term(
                r"S^{T}J\dot S\,\dot q",
                "the axes of q turn too",
                moved(lambda at: at.J @ coordinates.drift(at)),
                "",
                -1,
            ),
            Term(
                r"S^{T}(\omega\times J\omega)",
                "gyroscopic torque about the axes of q",
                moved(lambda at: at.gyroscopic),
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
                "rates of the coordinates: they grow as 1/det S",
                lambda at: coordinates.matrix(at) @ coordinates.rate(at),
            ),
        ),
        "rad/s",
        BODY,
        "the kinematics",
    )
    return motion, kinematics
