"""Viscous drag on the rotation."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from quatviz.base.parameters import Timed, parameter
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.damping.kernel import drag
from quatviz.physics.mechanics.body import Body


@dataclass(frozen=True, eq=False)
class Damping(Load):
    """A torque against the angular velocity: the energy can only fall.

    >>> import quatviz as qv
    >>> body, upright = qv.Body(inertia=[1.0, 1.0, 0.5]), np.array([[1.0, 0.0, 0.0, 0.0]])
    >>> drag = qv.Damping(coefficient=0.25).bind(body)
    >>> drag.torque(np.zeros(1), upright, np.array([[0.0, 0.0, 3.0]])).tolist()  # [N m, body]
    [[0.0, 0.0, -0.75]]
    """

    name: ClassVar[str] = "damping"
    sort_order = 60
    action_text = r"$-c\omega$"
    torque_kernel = drag

    coefficient: Timed = parameter(
        unit="N m s", minimum=0.0, timed=True, explanation="Torque per angular velocity, against it."
    )

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(coefficient=0.2),)

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        return -self.coefficient * omega

    def row(self, body: Body) -> tuple[float, ...]:
        return (self.coefficient,)

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        return -self.coefficient * omega
