"""A constant force at a point of the body."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.parameters import Numbers, parameter
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import ConstantLoad, Load


@dataclass(frozen=True, eq=False)
class PointForce(Load):
    """A force at a point u of the body, constant in space or in the body. A force f constant in space has V = -f^T A u.

    S0 section 4 gives three generalized forces for it, all with the same motion.

    >>> import quatviz as qv
    >>> body, upright = qv.Body(inertia=[1.0, 1.0, 0.5]), np.array([[1.0, 0.0, 0.0, 0.0]])
    >>> push = qv.PointForce(force=["2*cos(t)", 0.0, 0.0], point=[0.0, 0.0, 0.5]).bind(body)
    >>> push.torque(np.zeros(1), upright, np.zeros((1, 3))).tolist()  # at t = 0 [N m, body]
    [[0.0, 1.0, 0.0]]
    """

    name: ClassVar[str] = "point_force"
    sort_order = 10
    action_text = "a force at a body point, constant in space or in the body"
    potential_text = r"$-f \cdot A u$, in space"

    force: Numbers = parameter(
        unit="N", shape=(3,), timed=True, explanation="The force, in the components of `frame`."
    )
    point: Numbers = parameter(unit="m", shape=(3,), explanation="Point where it acts, in body components.")
    frame: str = parameter(
        default="space", choices=("space", "body"), explanation="Frame in which the force is constant."
    )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        force = [0.0, 0.0, round_to_two_digits(0.1 * scale.force)]
        return {"force": force, "point": [round_to_two_digits(scale.length), 0.0, 0.0]}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (
            cls(force=[1.0, 2.0, -1.5], point=[0.3, -0.2, 0.7]),
            cls(force=[0.5, -1.0, 0.4], point=[-0.1, 0.2, 0.3], frame="body"),
        )

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        force = np.asarray(self.force)
        return np.cross(self.point, A.T @ force if self.frame == "space" else force)

    @property
    def constant(self) -> ConstantLoad:
        return ConstantLoad(self.frame, np.asarray(self.force), np.asarray(self.point))
