"""A controller that turns the body to a target attitude and holds it there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.errors import Refusal
from quatviz.core.kernel import L_times, dot4, inline
from quatviz.core.loads.base import Load
from quatviz.core.parameters import Numbers, Timed, check, parameter
from quatviz.core.rotations import conjugate, multiply, normalise


@inline
def torque(row, t, p, omega):
    """n = -K sign(q0) q - D omega with (q0, q) = target* p, for which q = -L(p) target."""
    target = (row[2], row[3], row[4], row[5])
    turn = L_times(p, target)
    pull = row[0] / math.sqrt(dot4(p, p))
    if dot4(p, target) < 0.0:
        pull = -pull
    return (
        pull * turn[0] - row[1] * omega[0],
        pull * turn[1] - row[1] * omega[1],
        pull * turn[2] - row[1] * omega[2],
    )


@dataclass(frozen=True, eq=False)
class AttitudeControl(Load):
    """Proportional and derivative control: n = -K sign(q0) q - D omega, where (q0, q) turns the target into the body.

    Near the target q is half the angle. The sign makes the torque the same for p and -p, which are one attitude: without it
    the body would unwind, turning the long way round to reach p where -p is near. With it the torque jumps where the
    body is half a turn away. K = 0 leaves a damper. Wie and Barba 1985; Bhat and Bernstein 2000 on unwinding.
    """

    name: ClassVar[str] = "attitude_control"
    torque_kernel = torque

    stiffness: Timed = parameter(
        unit="N m", minimum=0.0, timed=True, explanation="K: torque at half a turn from the target."
    )
    damping: Timed = parameter(
        unit="N m s", minimum=0.0, timed=True, explanation="D: torque per angular velocity, against it."
    )
    target: Numbers = parameter(
        shape=(4,), default=(1.0, 0.0, 0.0, 0.0), explanation="Euler parameters to reach, scalar first."
    )

    def __post_init__(self) -> None:
        check(self)
        if not np.any(self.target):
            raise Refusal(
                "AttitudeControl.target",
                expected="four Euler parameters that are not all zero",
                found="zeros",
                remedy="write for example [1, 0, 0, 0]; the length does not matter",
                key="target",
            )

    def row(self) -> tuple[float, ...]:
        return (self.stiffness, self.damping, *normalise(self.target).tolist())

    def moment(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        error = multiply(conjugate(normalise(self.target)), normalise(p))
        sign = np.where(error[:, :1] < 0.0, -1.0, 1.0)
        return -self.stiffness * sign * error[:, 1:] - self.damping * omega
