"""The card of Lagrange's equations for four independent parameters."""

import numpy as np

from quatviz.physics.equations.equation import EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import LT
from quatviz.physics.formulations.udwadia_schutte_unconstrained.card import (
    free_inertia_term,
    load_term,
    mass,
)
from quatviz.physics.mechanics.rotations import matrix_L


def gyroscopic(at: EvaluationPoint) -> np.ndarray:
    """8 L'^T J L u' (4,) [J]."""
    return 8.0 * matrix_L(at.u_rate).T @ at.J @ matrix_L(at.u) @ at.u_rate


def acceleration(at: EvaluationPoint) -> np.ndarray:
    """u'' (4,) [1/s^2] of these equations, not of the body's motion."""
    return np.linalg.solve(mass(at), load_term(at) - gyroscopic(at) - free_inertia_term(at))


MOTION = Equation(
    (
        Term(
            r"M_u\,\ddot u", "mass matrix of full rank times the second rates", lambda at: mass(at) @ acceleration(at), "p"
        ),
    ),
    (
        Term(r"8\,\dot L{}^{T}JL\,\dot u", "gyroscopic term of the body", gyroscopic, "h", -1),
        Term(r"4J_0(\dot u{}^{T}\dot u)\,u", "gyroscopic term of the free moment J₀", free_inertia_term, "omega", -1),
        Term(rf"2\,{LT}n", "torque of all loads as a generalized force", load_term, "torque"),
    ),
    "J",
    EULER_PARAMETERS,
    "nothing keeps |u| = 1: this is not the motion of the body",
)  # fmt: skip


def equations(variant: str) -> tuple[Equation, ...]:
    return (MOTION,)
