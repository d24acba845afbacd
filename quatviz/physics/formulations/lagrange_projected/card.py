"""Equation card of Lagrange's equations after their projection: the equations, divided into terms whose
values are displayed.
"""

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.shared_terms import CONSTRAINT, L_RATE_T

MOTION = Equation(
    (
        Term(
            r"4\,JL\,\ddot p",
            "inertia times the second derivatives",
            lambda at: 4.0 * at.J @ at.L @ at.p_acceleration,
            "p",
        ),
        Term(
            rf"8\,L{L_RATE_T}JL\,\dot p",
            "gyroscopic term: twice ω × Jω",
            lambda at: 8.0 * at.L @ at.L_rate.T @ at.J @ at.L @ at.p_rate,
            "h",
        ),
    ),
    (
        Term(
            r"2\,n",
            "twice the torque of all loads",
            lambda at: 2.0 * at.torque,
            "torque",
            rotor_latex=r"2\,n_r",
        ),
    ),
    "N m",
    BODY,
    "the motion; p λ vanishes since L p = 0",
)


def equations(variant: str) -> tuple[Equation, ...]:
    return MOTION, CONSTRAINT
