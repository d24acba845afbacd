"""Equation card of Hamilton's equations with four canonical momenta: the equations, divided into terms whose
values are displayed.
"""

import numpy as np

from quatviz.physics.equations.equation import EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import L_RATE_T, LT, MULTIPLIER, p_rate_of


def g_rate(at: EvaluationPoint) -> np.ndarray:
    """Return g' = 2 L'^T h + 2 L^T h' (4,) [J]."""
    return 2.0 * at.L_rate.T @ at.h + 2.0 * at.L.T @ at.J @ at.omega_rate


RATES = Equation(
    (Term(r"\dot p", "rate of the Euler parameters", lambda at: at.p_rate, "p"),),
    (Term(rf"\tfrac14\,{LT}J^{{-1}}Lg", "g = 2 Lᵀh, converted to rates", p_rate_of, "h"),),
    "1/s",
    EULER_PARAMETERS,
    "the attitude",
)
K = Term(
    rf"2\,{L_RATE_T}h",
    "k of S3(20): effect of the kinetic energy on g",
    lambda at: 2.0 * at.L_rate.T @ at.h,
    "h",
    -1,
)
LITERAL = Term(r"4T\,p", "remaining part of ∂T/∂p, along p", lambda at: 4.0 * at.T * at.p, "kinetic", -1)
LOADS = (
    Term(
        r"\frac{\partial V}{\partial p}", "gradient of the potential, with a component along p", lambda at: at.potential_gradient,
        "potential", -1,
    ),
    Term(
        rf"2\,{LT}n_{{\mathrm{{nc}}}}",
        "torque without a potential, as a generalized force",
        lambda at: 2.0 * at.L.T @ at.torque_without_potential,
        "torque", optional=True, rotor_latex=rf"2\,{LT}n_r",
    ),
)  # fmt: skip


def equations(variant: str) -> tuple[Equation, ...]:
    multiplier = Term(MULTIPLIER.latex, MULTIPLIER.words, MULTIPLIER.value, MULTIPLIER.quantity, -1)
    kinetic = (K, LITERAL) if variant == "literal" else (K,)
    left = (Term(r"\dot g", "rate of the canonical momenta", g_rate, "h"),)
    motion = Equation(left, (*kinetic, *LOADS, multiplier), "J", EULER_PARAMETERS, "the momenta g = 2 Lᵀh")
    return motion, RATES
