"""The controller that turns the body to a target attitude and holds it there."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.errors import InputError
from quatviz.base.parameters import Numbers, Timed, is_zero_vector, parameter
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.attitude_control.kernel import torque
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import conjugate, multiply, normalize, rotation_matrix


@dataclass(frozen=True, eq=False)
class AttitudeControl(Load):
    """Proportional-derivative attitude control: n = -K sign(q0) q - D omega, where (q0, q) is the rotation from target
    to body.

    Near the target q is half the rotation vector. The sign makes the torque the same for p and -p, which are the
    same attitude. Without it the body would unwind: it would turn the long way round to reach p although -p is
    near. With the sign, the torque jumps when the body is half a turn away from the target. K = 0 gives pure
    damping. Wie and Barba 1985; Bhat and Bernstein 2000 on unwinding.

    >>> import quatviz as qv
    >>> control = qv.AttitudeControl(stiffness=2.0, damping=0.5).bind(qv.Body(inertia=[1.0, 1.0, 0.5]))
    >>> p, omega = np.array([[0.6, 0.0, 0.0, 0.8]]), np.array([[0.0, 0.0, 0.2]])
    >>> [control.torque(np.zeros(1), one, omega).round(12).tolist() for one in (p, -p)]  # [N m, body]
    [[[0.0, 0.0, -1.7]], [[0.0, 0.0, -1.7]]]
    """

    name: ClassVar[str] = "attitude_control"
    sort_order = 80
    action_text = r"$-K \operatorname{sign}(q_0) q - D\omega$, $(q_0, q)$ the turn from the target"
    help = r"""
    $(q_0, q)$ is the rotation from the target to the body. Near the target $q$ is half the angle, so that $K/2$ is the
    stiffness.

    The sign of $q_0$ makes the torque the same for $p$ and $-p$, which are the same attitude. Without it the controller
    would unwind: from beyond half a turn it would go the long way round.

    The torque jumps at half a turn. A step across the jump is of first order, whatever the method, and rounding errors
    decide on which side of it each stage lies. With K = 0.9 N m and 1 ms steps, lanes that agreed to 1e-10 rad differ by
    2.5e-4 rad/s afterwards.
    """
    torque_kernel = torque
    is_control = True

    stiffness: Timed = parameter(
        unit="N m", minimum=0.0, timed=True, explanation="K: torque at half a turn from the target."
    )
    damping: Timed = parameter(
        unit="N m s", minimum=0.0, timed=True, explanation="D: torque per angular velocity, against it."
    )
    target: Numbers = parameter(
        shape=(4,),
        default=(1.0, 0.0, 0.0, 0.0),
        symbols="e₀ e₁ e₂ e₃",
        explanation="Euler parameters to reach, scalar first.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if is_zero_vector(self.target):
            raise InputError(
                "AttitudeControl.target",
                expected="four Euler parameters that are not all zero",
                found="zeros",
                remedy="write for example [1, 0, 0, 0]; the length does not matter",
                key="target",
            )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        damping = round_to_two_digits(1.4 * scale.moment * scale.rate)
        return {"stiffness": round_to_two_digits(scale.torque), "damping": damping}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(stiffness=0.9, damping=0.1, target=[0.6, -0.2, 0.5, 0.4]),)

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        relative = rotation_matrix(np.asarray(self.target) / np.linalg.norm(self.target)).T @ A
        angle = np.arccos(np.clip(0.5 * (np.trace(relative) - 1.0), -1.0, 1.0))
        axis = np.array(
            [
                relative[2, 1] - relative[1, 2],
                relative[0, 2] - relative[2, 0],
                relative[1, 0] - relative[0, 1],
            ]
        ) / (2.0 * np.sin(angle))
        return -self.stiffness * np.sin(0.5 * angle) * axis - self.damping * omega

    @property
    def target_attitude(self) -> np.ndarray:
        """Unit Euler parameters (4) of the attitude to which the controller turns the body."""
        return np.asarray(normalize(np.asarray(self.target)))

    def discontinuity_branch(self, p: np.ndarray) -> np.ndarray:
        """Return a mask (n,) whose value changes where the torque jumps: half a turn from the target, where
        e0 of the rotation from the target changes its sign.
        """
        return np.asarray(p @ normalize(np.asarray(self.target)) < 0.0)

    def row(self, body: Body) -> tuple[float, ...]:
        return (self.stiffness, self.damping, *normalize(self.target).tolist())

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        error = multiply(conjugate(normalize(self.target)), normalize(p))
        sign = np.where(error[:, :1] < 0.0, -1.0, 1.0)
        return -self.stiffness * sign * error[:, 1:] - self.damping * omega
