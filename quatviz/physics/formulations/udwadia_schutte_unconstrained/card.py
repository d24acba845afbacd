"""Equation card of Udwadia and Schutte's equations without the constraint: the equations, divided into terms
whose values are displayed.
"""

import numpy as np

from quatviz.physics.equations.equation import EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import LT
from quatviz.physics.equations.symbols import FREE_INERTIA
from quatviz.physics.mechanics.rotations import matrix_L


def mass(at: EvaluationPoint) -> np.ndarray:
    """Return M_u = 4 L^T J L + 4 J0 u u^T (4, 4) [kg m^2] at u as integrated."""
    L = matrix_L(at.u)
    return 4.0 * L.T @ at.J @ L + 4.0 * at.effective_J0 * np.outer(at.u, at.u)


def gyroscopic(at: EvaluationPoint) -> np.ndarray:
    """Return the gyroscopic term 8 E'^T J4 E u' (4,) [J]."""
    L, L_rate = matrix_L(at.u), matrix_L(at.u_rate)
    return 8.0 * (L_rate.T @ at.J @ L @ at.u_rate + at.effective_J0 * at.constraint_rate * at.u_rate)


def free_inertia_term(at: EvaluationPoint) -> np.ndarray:
    """Return the term 4 J0 (u'^T u') u (4,) [J] that is due to J0."""
    return 4.0 * at.effective_J0 * (at.u_rate @ at.u_rate) * at.u


def load_term(at: EvaluationPoint) -> np.ndarray:
    """Return 2 L^T n (4,) [J] with L of u as integrated and the torque n at u/|u|."""
    return 2.0 * matrix_L(at.u).T @ at.torque


def acceleration(at: EvaluationPoint) -> np.ndarray:
    """Return u'' (4,) [1/s^2] by the equations without the constraint, which differs from u'' in the body's motion."""
    return solve_acceleration(at, gyroscopic(at))


def solve_acceleration(at: EvaluationPoint, gyroscopic_term: np.ndarray) -> np.ndarray:
    """Return u'' (4,) [1/s^2] of Lagrange's equation for four independent parameters, with the given
    gyroscopic term (4,) [J].
    """
    return np.linalg.solve(mass(at), load_term(at) - gyroscopic_term - free_inertia_term(at))


def unconstrained_equation(gyroscopic_term: Term) -> Equation:
    """Return Lagrange's equation for four independent parameters, with the given gyroscopic term."""
    return Equation(
        (
            Term(
                r"M_u\,\ddot u",
                "mass matrix of full rank times the second derivatives",
                lambda at: mass(at) @ solve_acceleration(at, gyroscopic_term.value(at)),
                "p",
            ),
        ),
        (
            gyroscopic_term,
            Term(r"4J_0(\dot u{}^{T}\dot u)\,u", "gyroscopic term of the free moment J₀", free_inertia_term, "omega", -1),
            Term(rf"2\,{LT}n", "torque of all loads as a generalized force", load_term, "torque"),
        ),
        "J",
        EULER_PARAMETERS,
        "nothing keeps |u| = 1: this is not the motion of the body",
    )  # fmt: skip


MOTION = unconstrained_equation(
    Term(
        r"8\,\dot E{}^{T}J_4E\,\dot u", "gyroscopic term, E = [uᵀ; L], J₄ = diag(J₀, J)", gyroscopic, "h", -1
    )
)

SYMBOLS = FREE_INERTIA


def equations(variant: str) -> tuple[Equation, ...]:
    return (MOTION,)
