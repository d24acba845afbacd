"""Equation card of the consistent ring damper: the equations, divided into terms whose values are displayed."""

from collections.abc import Callable
from typing import Any

import numpy as np

from quatviz.physics.equations.equation import BODY, Equation, Term
from quatviz.physics.equations.evaluation_point import EvaluationPoint
from quatviz.physics.equations.ring import RingEvaluationPoint
from quatviz.physics.equations.shared_terms import GYROSCOPIC as OWN
from quatviz.physics.equations.shared_terms import KINEMATICS, TORQUE
from quatviz.physics.equations.symbols import RING_SYMBOLS


def ring_term(value: Callable[[RingEvaluationPoint], Any]) -> Callable[[EvaluationPoint], np.ndarray]:
    return lambda at: np.atleast_1d(value(RingEvaluationPoint(at)))


ROTOR = Equation(
    (
        Term(r"J\dot\omega", "inertia of the rotor", ring_term(lambda r: r.at.J @ r.rates[:3]), "omega"),
        Term(r"B^{T}J_mPB\,\dot\omega", "ring about u and v", ring_term(lambda r: r.B.T @ r.transverse_inertia @ r.rates[:3])),
        Term(r"B^{T}J_mc\,\dot\omega_{m3}", "the ring’s own rotation", ring_term(lambda r: r.B.T @ r.Jm[:, 2] * r.rates[3])),
    ),
    (
        TORQUE,
        OWN,
        Term(r"B^{T}J_mP\dot B\omega", "rotation of the ring’s axes", ring_term(lambda r: r.B.T @ r.carried_torque), "", -1),
        Term(
            r"B^{T}(\omega_m\times J_m\omega_m)", "gyroscopic torque of the ring", ring_term(lambda r: r.B.T @ r.gyroscopic),
            "h", -1,
        ),
        Term(r"B^{T}n_g", "weight of the ring", ring_term(lambda r: r.B.T @ r.weight), "torque"),
    ),
    "N m",
    BODY,
    "rotor and ring together",
)  # fmt: skip
RING = Equation(
    (
        Term(r"c^{T}J_mPB\,\dot\omega", "ring about u and v", ring_term(lambda r: r.transverse_inertia[2] @ r.rates[:3])),
        Term(r"J_{m33}\,\dot\omega_{m3}", "the ring’s own rotation", ring_term(lambda r: r.Jm[2, 2] * r.rates[3]), "ring_rate"),
    ),
    (
        Term(r"C_dR^2\dot\beta", "viscous torque", ring_term(lambda r: r.drag), "ring_rate", -1),
        Term(r"c^{T}J_mP\dot B\omega", "rotation of the ring’s axes", ring_term(lambda r: r.carried_torque[2]), "", -1),
        Term(
            r"c^{T}(\omega_m\times J_m\omega_m)", "gyroscopic torque of the ring", ring_term(lambda r: r.gyroscopic[2]),
            "", -1,
        ),
        Term(r"c^{T}n_g", "weight of the ring", ring_term(lambda r: r.weight[2])),
    ),
    "N m",
    "the rotor’s z axis",
    "the ring about its axis",
)  # fmt: skip

SYMBOLS = RING_SYMBOLS


def equations(variant: str) -> tuple[Equation, ...]:
    return ROTOR, RING, KINEMATICS
