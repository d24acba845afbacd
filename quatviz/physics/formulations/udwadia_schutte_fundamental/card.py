"""Equation card of the fundamental equation of constrained motion: the equations, divided into terms whose
values are displayed.
"""

import numpy as np

from quatviz.physics.equations.equation import EULER_PARAMETERS, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import CONSTRAINT, generalized_force_terms
from quatviz.physics.equations.symbols import FREE_INERTIA


def mass(at: EvaluationPoint) -> np.ndarray:
    """Return M_u = 4 L^T J L + 4 J0 p p^T (4, 4) [kg m^2]."""
    return 4.0 * at.L.T @ at.J @ at.L + 4.0 * at.effective_J0 * np.outer(at.p, at.p)


LEFT = Term(
    r"M_u\,\ddot u",
    "mass matrix of full rank times the second derivatives",
    lambda at: mass(at) @ at.p_acceleration,
    "p",
)
GYROSCOPIC = Term(
    r"8\,\dot E{}^{T}J_4E\,\dot u",
    "gyroscopic term, E = [uᵀ; L], J₄ = diag(J₀, J)",
    lambda at: 8.0 * at.L_rate.T @ at.J @ at.L @ at.p_rate,
    "h",
    -1,
)
FREE = Term(
    r"4J_0(\dot u{}^{T}\dot u)\,u",
    "gyroscopic term of the free moment J₀, without effect on the motion",
    lambda at: 4.0 * at.effective_J0 * (at.p_rate @ at.p_rate) * at.p,
    "omega",
    -1,
)
FORCE = Term(
    r"\lambda\,u", "constraint force −λu, with the λ of this lane", lambda at: at.lam * at.p, "lam", -1
)

SYMBOLS = FREE_INERTIA


def equations(variant: str) -> tuple[Equation, ...]:
    right = (GYROSCOPIC, FREE, *generalized_force_terms(variant), FORCE)
    return Equation((LEFT,), right, "J", EULER_PARAMETERS, "the motion; u is p"), CONSTRAINT
