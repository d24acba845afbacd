"""Equation card of the ring damper as printed in the document: the equations, divided into terms whose values
are displayed.
"""

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.ring import RingEvaluationPoint
from quatviz.physics.equations.shared_terms import GYROSCOPIC, KINEMATICS
from quatviz.physics.equations.symbols import RING_SYMBOLS
from quatviz.physics.formulations.ring_damper.card import ring_term

C = np.array([0.0, 0.0, 1.0])


def mu(r: RingEvaluationPoint) -> float:
    """Return mu = C_d R^2 beta' + dV/dbeta [N m]; eq. S3(61)."""
    return r.drag - float(r.weight[2])


def omega_rate(r: RingEvaluationPoint) -> np.ndarray:
    """Return omega' (3,) [rad/s^2, body] by the equations as printed in the document."""
    return np.linalg.solve(r.at.J, -r.at.gyroscopic + r.B.T @ r.weight + mu(r) * C)


def spin_rate(r: RingEvaluationPoint) -> float:
    """Return omega_m3' [rad/s^2] as printed: the third component of J_m^-1 times the torques on the ring, without the
    unknown torques about u and v."""
    return -float(np.linalg.solve(r.Jm, r.gyroscopic + mu(r) * C)[2])


ROTOR = Equation(
    (Term(r"\dot h", "rate of the rotor’s angular momentum", ring_term(lambda r: r.at.J @ omega_rate(r)), "h"),),
    (
        GYROSCOPIC,
        Term(
            r"\tfrac12\,L\,\frac{\partial V}{\partial p}", "weight of the ring", ring_term(lambda r: -r.B.T @ r.weight),
            "torque", -1,
        ),
        Term(r"\mu\,c", "torque of the ring about z; nothing about u and v", ring_term(lambda r: mu(r) * C)),
    ),
    "N m",
    BODY,
    "the rotor, without the reactions S3(58)",
)  # fmt: skip
RING = Equation(
    (Term(r"\dot\omega_{m3}", "the ring’s own rotation", ring_term(spin_rate), "ring_rate"),),
    (
        Term(
            r"c^{T}J_m^{-1}(\omega_m\times J_m\omega_m)", "gyroscopic torque of the ring",
            ring_term(lambda r: np.linalg.inv(r.Jm)[2] @ r.gyroscopic), "", -1,
        ),
        Term(
            r"\mu\,c^{T}J_m^{-1}c", "braking torque on the ring", ring_term(lambda r: mu(r) * np.linalg.inv(r.Jm)[2, 2]),
            "ring_rate", -1,
        ),
    ),
    "rad/s²",
    "the rotor’s z axis",
    "the ring about its axis",
)  # fmt: skip

SYMBOLS = RING_SYMBOLS


def equations(variant: str) -> tuple[Equation, ...]:
    return ROTOR, RING, KINEMATICS
