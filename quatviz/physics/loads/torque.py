"""A constant torque, fixed in the body or in space."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.parameters import Numbers, parameter
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import ConstantLoad, Load


@dataclass(frozen=True, eq=False)
class Torque(Load):
    """A pure torque, constant in the body or in space (S0's m). It enters every form as 2 L^T n and has no potential.

    >>> import quatviz as qv
    >>> moment = qv.Torque(torque=[0.3, 0.0, 0.0], frame="space").bind(qv.Body(inertia=[1.0, 1.0, 0.5]))
    >>> aside = np.sqrt([[0.5, 0.0, 0.0, 0.5]])  # a quarter turn about z
    >>> moment.torque(np.zeros(1), aside, np.zeros((1, 3))).round(12).tolist()  # [N m, body]
    [[0.0, -0.3, 0.0]]
    """

    name: ClassVar[str] = "torque"
    sort_order = 30
    action_text = "a pure moment, constant in space or in the body"

    torque: Numbers = parameter(
        unit="N m", shape=(3,), timed=True, explanation="The torque, in the components of `frame`."
    )
    frame: str = parameter(
        default="body", choices=("body", "space"), explanation="Frame in which the torque is constant."
    )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        return {"torque": [0.0, 0.0, round_to_two_digits(0.1 * scale.torque)]}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(torque=[0.3, -0.8, 0.5], frame="space"),)

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        torque_vector = np.asarray(self.torque)
        return A.T @ torque_vector if self.frame == "space" else torque_vector

    @property
    def constant(self) -> ConstantLoad:
        return ConstantLoad(self.frame, np.asarray(self.torque))
