"""The card of the mistaken forms: their own rates on the left, what they equate them with on the right."""

from dataclasses import replace

import numpy as np

from quatviz.physics.equations.equation import BODY, PARAMETERS, Equation, Term, Value
from quatviz.physics.equations.evaluation_point import Point
from quatviz.physics.equations.shared_terms import GYROSCOPIC, LT, TORQUE
from quatviz.physics.formulations.mistaken import COEFFICIENTS
from quatviz.physics.mechanics.rotations import matrix_G

_GT = r"G^{T}"


def equations(variant: str) -> tuple[Equation, ...]:
    gyroscopic, of_L, of_G = COEFFICIENTS[variant]
    own = Term(
        r"J\dot\omega",
        "inertia times the acceleration of these equations, not of the body",
        lambda at: at.torque - gyroscopic * at.gyroscopic,
        "omega",
    )
    turning = (replace(GYROSCOPIC, sign=-int(gyroscopic)),) if gyroscopic else ()
    motion = Equation((own,), (TORQUE, *turning), "N m", BODY, "the angular velocity")

    def rate(at: Point) -> np.ndarray:
        return of_L * at.L.T @ at.omega + of_G * matrix_G(at.p).T @ at.omega

    left = Term(r"\dot p", "rate of p by these equations, not of the body", rate, "p")
    if of_G:
        right = Term(rf"\tfrac12\,{_GT}\omega", "ω of the body taken for ω in space", _of_G, "omega")
    else:
        factor = r"\tfrac12\," if of_L == 0.5 else ""
        right = Term(rf"{factor}{LT}\omega", "the angular velocity turned into rates", _turned(of_L), "omega")
    return motion, Equation((left,), (right,), "1/s", PARAMETERS, "this is not the motion of the body")


def _of_G(at: Point) -> np.ndarray:
    """1/2 G^T omega (4,) [1/s] by components."""
    e0, e, w = at.p[0], at.p[1:], at.omega
    return 0.5 * np.concatenate(([-e @ w], e0 * w - np.cross(e, w)))


def _turned(factor: float) -> Value:
    """a L^T omega (4,) [1/s] by components."""

    def value(at: Point) -> np.ndarray:
        e0, e, w = at.p[0], at.p[1:], at.omega
        return factor * np.concatenate(([-e @ w], e0 * w + np.cross(e, w)))

    return value
