"""Equation card of the deliberately wrong equations.

The left side shows the rates that these equations give, which are not those of the body.
"""

from dataclasses import replace

import numpy as np

from quatviz.physics.equations.equation import BODY, EULER_PARAMETERS, Equation, Term, TermFunction
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.shared_terms import GYROSCOPIC, LT, TORQUE
from quatviz.physics.formulations.mistaken import COEFFICIENTS
from quatviz.physics.mechanics.rotations import matrix_G

_GT = r"G^{T}"


def equations(variant: str) -> tuple[Equation, ...]:
    gyroscopic, L_factor, G_factor = COEFFICIENTS[variant]
    acceleration_term = Term(
        r"J\dot\omega",
        "inertia times the angular acceleration of these equations, not of the body",
        lambda at: at.torque - gyroscopic * at.gyroscopic,
        "omega",
    )
    gyroscopic_terms = (replace(GYROSCOPIC, sign=-int(gyroscopic)),) if gyroscopic else ()
    motion = Equation((acceleration_term,), (TORQUE, *gyroscopic_terms), "N m", BODY, "the angular velocity")

    def rate(at: EvaluationPoint) -> np.ndarray:
        return L_factor * at.L.T @ at.omega + G_factor * matrix_G(at.p).T @ at.omega

    left = Term(r"\dot p", "rate of p by these equations, not of the body", rate, "p")
    if G_factor:
        right = Term(
            rf"\tfrac12\,{_GT}\omega", "ω in the body, used as if it were in space", _space_rate_term, "omega"
        )
    else:
        factor = r"\tfrac12\," if L_factor == 0.5 else ""
        right = Term(
            rf"{factor}{LT}\omega",
            "angular velocity, converted to rates of the Euler parameters",
            _body_rate_term(L_factor),
            "omega",
        )
    return motion, Equation((left,), (right,), "1/s", EULER_PARAMETERS, "this is not the motion of the body")


def _space_rate_term(at: EvaluationPoint) -> np.ndarray:
    """Return 1/2 G^T omega (4,) [1/s], computed by components: p' if the components of omega are taken for space
    components."""
    e0, e, w = at.p[0], at.p[1:], at.omega
    return 0.5 * np.concatenate(([-e @ w], e0 * w - np.cross(e, w)))


def _body_rate_term(factor: float) -> TermFunction:
    """Return a function that computes `factor` L^T omega (4,) [1/s] by components."""

    def value(at: EvaluationPoint) -> np.ndarray:
        e0, e, w = at.p[0], at.p[1:], at.omega
        return factor * np.concatenate(([-e @ w], e0 * w + np.cross(e, w)))

    return value
