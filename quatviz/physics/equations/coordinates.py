"""Equations of motion in three coordinates q, where a matrix S(q) gives the angular velocity omega = S q'."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.evaluation_point import STEP, EvaluationPoint, directional_derivative


@dataclass(frozen=True)
class GeneralizedCoordinates:
    """Three generalized coordinates q with omega = S(q) q'.

    Attributes
    ----------
    q
        Function that returns the coordinates (3,) at an evaluation point.
    S
        Function that returns the matrix (3, 3) for coordinates (3,).
    step
        Function that returns the step of numerical derivatives at coordinates (3,). The step must be small compared with the
        distance from a pole of S.
    """

    q: Callable[[EvaluationPoint], np.ndarray]
    S: Callable[[np.ndarray], np.ndarray]
    step: Callable[[np.ndarray], float] = lambda q: STEP

    def matrix_rate(self, q: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Return the time derivative S' (3, 3) at coordinates `q` (3,) that change at the `rate` q' (3,)
        [1/s].
        """
        speed = float(np.linalg.norm(rate))
        return directional_derivative(self.S, q, rate, self.step(q) / max(speed, 1.0))

    def matrix(self, at: EvaluationPoint) -> np.ndarray:
        """Return the matrix S (3, 3) with omega = S q' [rad/s, body]."""
        return _coordinate_values(self, at).matrix

    def rate(self, at: EvaluationPoint) -> np.ndarray:
        """Return the rates q' (3,) of the coordinates; NaN where S is singular."""
        return _coordinate_values(self, at).rate

    def drift(self, at: EvaluationPoint) -> np.ndarray:
        """Return S' q' (3,) [rad/s^2], the part of omega' that does not depend on q''."""
        return _coordinate_values(self, at).drift

    def momentum_rate(self, at: EvaluationPoint) -> np.ndarray:
        """Return d/dt dT/dq' (3,), the rate of the momenta S^T h; eq. S2(7)."""
        values = _coordinate_values(self, at)
        matrix_rate = self.matrix_rate(self.q(at), values.rate)
        h_rate = at.J @ (values.matrix @ self.acceleration(at) + values.drift)
        return matrix_rate.T @ at.h + values.matrix.T @ h_rate

    def energy_slope(self, at: EvaluationPoint) -> np.ndarray:
        """Return dT/dq (3,) at constant q'; eq. S2(8).

        T is differentiated numerically. The result therefore does not assume the properties of S from which Euler's
        form follows.
        """
        rate = self.rate(at)

        def kinetic_energy(q: np.ndarray) -> float:
            omega = self.S(q) @ rate
            return 0.5 * float(omega @ at.J @ omega)

        q = self.q(at)
        return directional_derivative(kinetic_energy, q, np.eye(3), self.step(q))

    def acceleration(self, at: EvaluationPoint) -> np.ndarray:
        """Return the second derivatives q'' (3,) of the coordinates; NaN where S is singular."""
        values = _coordinate_values(self, at)
        return solve_or_nan(values.matrix, at.omega_rate - values.drift)


class _CoordinateValues(NamedTuple):
    matrix: np.ndarray
    rate: np.ndarray
    drift: np.ndarray


@lru_cache(maxsize=2)
def _coordinate_values(coordinates: GeneralizedCoordinates, at: EvaluationPoint) -> _CoordinateValues:
    """Return S, q' and S' q' at a point.

    The values are cached, since several terms of an equation use them.
    """
    q = coordinates.q(at)
    matrix = coordinates.S(q)
    rate = solve_or_nan(matrix, at.omega)
    return _CoordinateValues(matrix, rate, coordinates.matrix_rate(q, rate) @ rate)


def solve_or_nan(matrix: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Solve a linear system with a matrix (k, k) and a right-hand side (k,) and return the solution (k,), or
    NaN if the matrix is singular.
    """
    try:
        return np.linalg.solve(matrix, rhs)
    except np.linalg.LinAlgError:
        return np.full(len(rhs), np.nan)


_MOMENTUM_RATE = r"\frac{d}{dt}\frac{\partial T}{\partial\dot q}"
_ENERGY_SLOPE = r"\frac{\partial T}{\partial q}"


def coordinate_equations(coordinates: GeneralizedCoordinates, unit: str, frame: str) -> tuple[Equation, ...]:
    """Return the kinematic equation and three forms of the equation of motion.

    The forms are the equation as it is integrated, Lagrange's form, and Euler's form.
    """
    return (
        _integrated_equation(coordinates, unit, frame),
        _lagrange_equation(coordinates, unit, frame),
        _euler_equation(coordinates),
        _kinematic_equation(coordinates),
    )


def _project(
    coordinates: GeneralizedCoordinates, moment: Callable[[EvaluationPoint], np.ndarray]
) -> Callable[[EvaluationPoint], np.ndarray]:
    """Return a function that computes S^T m (3,) at an evaluation point, where `moment` returns m (3,) [body]."""
    return lambda at: coordinates.matrix(at).T @ moment(at)


def _torque_term(coordinates: GeneralizedCoordinates) -> Term:
    return Term(
        r"S^{T}n",
        "torque of all loads about the axes of q",
        _project(coordinates, lambda at: at.torque),
        "torque",
        rotor_latex=r"S^{T}n_r",
    )


def _integrated_equation(coordinates: GeneralizedCoordinates, unit: str, frame: str) -> Equation:
    """Return the equation S^T J S q'' = ..., which is Euler's equation multiplied by S^T; eqs. S2(10, 13)."""

    def inertia(at: EvaluationPoint) -> np.ndarray:
        S = coordinates.matrix(at)
        return S.T @ at.J @ S @ coordinates.acceleration(at)

    return Equation(
        (Term(r"S^{T}JS\,\ddot q", "mass matrix times the second derivatives", inertia),),
        (
            _torque_term(coordinates),
            Term(
                r"S^{T}J\dot S\,\dot q",
                "rotation of the axes of q",
                _project(coordinates, lambda at: at.J @ coordinates.drift(at)),
                "",
                -1,
            ),
            Term(
                r"S^{T}(\omega\times J\omega)",
                "gyroscopic torque about the axes of q",
                _project(coordinates, lambda at: at.gyroscopic),
                "h",
                -1,
            ),
        ),
        unit,
        frame,
        "the motion",
    )


def _lagrange_equation(coordinates: GeneralizedCoordinates, unit: str, frame: str) -> Equation:
    """Return Lagrange's equation from the kinetic energy T(q, q'); eqs. S2(2, 9)."""
    return Equation(
        (
            Term(
                _MOMENTUM_RATE, "rate of the momenta of q, which are S^T times h", coordinates.momentum_rate
            ),
            Term(
                _ENERGY_SLOPE,
                "change of the kinetic energy with q, at constant rates",
                coordinates.energy_slope,
                "",
                -1,
            ),
        ),
        (_torque_term(coordinates),),
        unit,
        frame,
        "Lagrange's form",
    )


def _euler_equation(coordinates: GeneralizedCoordinates) -> Equation:
    """Return the equation whose left side is S^-T times the left side of Lagrange's equation, and whose right side
    is the left side of Euler's equation; eqs. S2(13, 14)."""

    def lagrange_side(at: EvaluationPoint) -> np.ndarray:
        left_side = coordinates.momentum_rate(at) - coordinates.energy_slope(at)
        return solve_or_nan(coordinates.matrix(at).T, left_side)

    return Equation(
        (
            Term(
                rf"S^{{-T}}\left({_MOMENTUM_RATE}-{_ENERGY_SLOPE}\right)",
                "left side of Lagrange's form, about the axes of the body",
                lagrange_side,
            ),
        ),
        (
            Term(
                r"J\dot\omega", "inertia times angular acceleration", lambda at: at.J @ at.omega_rate, "omega"
            ),
            Term(r"\omega\times J\omega", "gyroscopic torque", lambda at: at.gyroscopic, "h"),
        ),
        "N m",
        BODY,
        "Euler's form: both are the torque n",
    )


def _kinematic_equation(coordinates: GeneralizedCoordinates) -> Equation:
    return Equation(
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
