"""Terms and equations that several formulations share."""

import numpy as np

from quatviz.physics.equations.equation import BODY, EULER_PARAMETERS, SPACE, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint

LT = r"L^{T}"
L_RATE_T = r"\dot{L}{}^{T}"

INERTIA = Term(r"J\dot\omega", "inertia times angular acceleration", lambda at: at.J @ at.omega_rate, "omega")
TORQUE = Term("n", "torque of all loads", lambda at: at.torque, "torque", rotor_latex="n_r")
GYROSCOPIC = Term(
    r"\omega\times J\omega", "gyroscopic torque: rotation of h in the body", lambda at: at.gyroscopic, "h", -1
)
MOMENTUM = Equation(
    (INERTIA,), (TORQUE, GYROSCOPIC), "N m", BODY, "Euler's equation: the torque changes the angular momentum"
)
KINEMATICS = Equation(
    (Term(r"\dot p", "rate of the Euler parameters", lambda at: at.p_rate, "p"),),
    (
        Term(
            rf"\tfrac12\,{LT}\omega",
            "angular velocity, converted to rates of the Euler parameters",
            lambda at: p_rate_of(at),
            "omega",
        ),
    ),
    "1/s",
    EULER_PARAMETERS,
    "the kinematics: the body turns with ω",
)
CONSTRAINT = Equation(
    (Term(r"p^{T}\ddot p", "acceleration along p", lambda at: np.array([at.p @ at.p_acceleration]), "p"),),
    (
        Term(
            r"\dot p{}^{T}\dot p",
            "keeps p on the sphere; equal to a quarter of |ω|²",
            lambda at: np.array([at.p_rate @ at.p_rate]),
            "omega",
            -1,
        ),
    ),
    "1/s²",
    "",
    "the constraint |p|² = 1, differentiated twice",
)
TRANSLATION = Equation(
    (
        Term(
            r"m\,\ddot c",
            "mass times acceleration of the center of mass",
            lambda at: at.mass_times_center_acceleration,
            "centre",
        ),
    ),
    (
        Term(r"\textstyle\sum f", "sum of the forces at body points", lambda at: at.total_point_force),
        Term(
            r"\frac{\partial V}{\partial c}",
            "force of a potential that depends on position and attitude",
            lambda at: -at.center_force_without_point,
            "potential",
            -1,
            optional=True,
        ),
    ),
    "N",
    SPACE,
    "the translation, which depends on the attitude",
)
"""Equation for the motion of the center of mass, which is shown if rotation and translation depend on each
other; eqs. S3(41, 43).
"""
MASS_TIMES_ACCELERATION = Term(
    rf"4\,{LT}JL\,\ddot p",
    "mass matrix of rank 3 times the second derivatives",
    lambda at: 4.0 * at.L.T @ at.J @ at.L @ at.p_acceleration,
    "p",
)
MULTIPLIER = Term(
    r"p\,\lambda",
    "constraint force along p, with the λ of this lane",
    lambda at: at.lam * at.p,
    "lam",
)


def p_rate_of(at: EvaluationPoint) -> np.ndarray:
    """Return 1/2 L^T omega (4,) [1/s], computed by components independently of `EvaluationPoint.p_rate`."""
    e0, e, w = at.p[0], at.p[1:], at.omega
    return 0.5 * np.concatenate(([-e @ w], e0 * w + np.cross(e, w)))


def generalized_force_terms(variant: str) -> tuple[Term, ...]:
    """Return the terms of the generalized force Q, for a variant of the formulations with Lagrange's equations. The
    variant determines the load form."""
    load_form = variant.removesuffix("_closed") or "torque"
    if load_form == "torque":
        return (
            Term(
                rf"2\,{LT}n",
                "torque of all loads as a generalized force: tangent to the sphere",
                lambda at: 2.0 * at.L.T @ at.torque,
                "torque",
                rotor_latex=rf"2\,{LT}n_r",
            ),
        )
    terms = [
        Term(
            r"2\,H^{T}G^{T}f",
            "work-performing part of the forces at body points; it has a component along p",
            lambda at: at.split,
            "torque",
        )
    ]
    if load_form == "gradient":
        terms.append(
            Term(
                r"2\,p\,u^{T}f",
                "additional part of the gradient of A(p) u, along p; it does no work",
                lambda at: 2.0 * at.radial_work * at.p,
                "lam",
            )
        )
    terms.append(
        Term(
            rf"2\,{LT}n_{{\mathrm{{rest}}}}",
            "torques that are not forces at body points",
            lambda at: 2.0 * at.L.T @ at.torque_without_force,
            "torque",
            optional=True,
            rotor_latex=rf"2\,{LT}n_r",
        )
    )
    return tuple(terms)
