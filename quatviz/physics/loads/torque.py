"""A constant torque, fixed in the body or in space."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from quatviz.base.parameters import Numbers, parameter
from quatviz.physics.loads.base import Constant, Load


@dataclass(frozen=True, eq=False)
class Torque(Load):
    """A pure moment (S0's m). It enters every form as 2 L^T n and has no potential.

    >>> import quatviz as qv
    >>> moment = qv.Torque(torque=[0.3, 0.0, 0.0], frame="space").bind(qv.Body(inertia=[1.0, 1.0, 0.5]))
    >>> aside = np.sqrt([[0.5, 0.0, 0.0, 0.5]])  # a quarter turn about z
    >>> moment.torque(np.zeros(1), aside, np.zeros((1, 3))).round(12).tolist()  # [N m, body]
    [[0.0, -0.3, 0.0]]
    """

    name: ClassVar[str] = "torque"
    place = 30
    acts = "a pure moment, constant in space or in the body"

    torque: Numbers = parameter(
        unit="N m", shape=(3,), timed=True, explanation="The torque, in the components of `frame`."
    )
    frame: str = parameter(
        default="body", choices=("body", "space"), explanation="In which frame the torque is constant."
    )

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(torque=[0.3, -0.8, 0.5], frame="space"),)

    def by_definition(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        given = np.asarray(self.torque)
        return A.T @ given if self.frame == "space" else given

    @property
    def constant(self) -> Constant:
        return Constant(self.frame, np.asarray(self.torque))
