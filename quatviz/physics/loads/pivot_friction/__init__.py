"""Friction in the pivot of a body: dry, regularized, and viscous."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.parameters import Timed, parameter
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.pivot_friction.kernel import friction
from quatviz.physics.mechanics.body import Body


@dataclass(frozen=True, eq=False)
class PivotFriction(Load):
    """A torque against the angular velocity, n = -tau omega/sqrt(|omega|^2 + epsilon^2) - c omega.

    The first term is dry friction, the second viscous friction. Real dry friction has the torque tau at any speed
    and none at rest, a jump that no step can follow. It is therefore regularized: at rates below epsilon it
    decreases to zero in proportion to omega, so that a body creeps where a real one would stick. The torque tau is
    given; it does not depend on the force in the bearing.

    >>> import quatviz as qv
    >>> top = qv.Body(inertia=[1.0, 1.0, 0.5], about="pivot")
    >>> bearing = qv.PivotFriction(dry=0.2, viscous=0.1).bind(top)
    >>> upright, omega = np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 3.0]])
    >>> bearing.torque(np.zeros(1), upright, omega).round(5).tolist()  # [N m, body]
    [[0.0, 0.0, -0.5]]
    """

    name: ClassVar[str] = "pivot_friction"
    sort_order = 65
    action_text = (
        r"$-\tau\,\omega/\sqrt{\lvert\omega\rvert^2 + \epsilon^2} - c\,\omega$, dry (regularized) and viscous"
    )
    torque_kernel = friction

    dry: Timed = parameter(
        unit="N m",
        default=0.0,
        minimum=0.0,
        timed=True,
        explanation="tau: torque of dry friction, reduced below the rate epsilon.",
    )
    viscous: Timed = parameter(
        unit="N m s",
        default=0.0,
        minimum=0.0,
        timed=True,
        explanation="c: torque per angular velocity of a lubricated bearing.",
    )
    rate: float = parameter(
        unit="rad/s",
        default=0.01,
        above=0.0,
        explanation="epsilon: angular velocity below which dry friction falls to zero.",
    )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        return {"dry": round_to_two_digits(0.05 * scale.torque)}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(dry=0.3, viscous=0.1, rate=0.2),)

    def body_remark(self, body: Body) -> str:
        """Return a remark if the body has no pivot and therefore no bearing."""
        if body.about == "pivot" or (not self.timed and self.is_zero):
            return ""
        return phrase(
            "Friction acts in a pivot, but this body turns about its center of mass and has no pivot. Write "
            'about = "pivot" in [body], or use the load damping for drag'
        )

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        speed = float(np.sqrt(omega @ omega))
        return -self.dry * omega / np.hypot(speed, self.rate) - self.viscous * omega

    def row(self, body: Body) -> tuple[float, ...]:
        return (self.dry, self.viscous, self.rate)

    def torque_on(self, body: Body, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        square = np.einsum("...i,...i->...", omega, omega)[..., None]
        return -(self.dry / np.sqrt(square + self.rate**2) + self.viscous) * omega
