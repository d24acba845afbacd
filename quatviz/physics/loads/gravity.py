"""Uniform gravity on a body held at a pivot."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from quatviz.base.errors import phrase
from quatviz.base.parameters import Numbers, Timed, parameter, quote_value
from quatviz.physics.loads._start_values import STANDARD_GRAVITY, MotionScale, round_to_two_digits
from quatviz.physics.loads.base import ConstantLoad, Load
from quatviz.physics.mechanics.body import Body


@dataclass(frozen=True, eq=False)
class Gravity(Load):
    """Weight W at the center of mass u of a body that turns about a pivot. Down is -z in space, and V = W (A u)_3.

    >>> import quatviz as qv
    >>> weight = qv.Gravity(weight=5.0, centre=[0.0, 0.0, 0.2]).bind(qv.Body(inertia=[1.0, 1.0, 0.5]))
    >>> lying = np.sqrt([[0.5, 0.5, 0.0, 0.0]])  # a quarter turn about x
    >>> weight.torque(np.zeros(1), lying, np.zeros((1, 3))).round(12).tolist()  # [N m, body]
    [[1.0, 0.0, 0.0]]
    """

    name: ClassVar[str] = "gravity"
    sort_order = 20
    action_text = "the weight at the center of mass of a body on a pivot"
    potential_text = "$W (A u)_z$"

    weight: Timed = parameter(
        unit="N", minimum=0.0, timed=True, explanation="Weight of the body, acting along space -z."
    )
    centre: Numbers = parameter(
        unit="m", shape=(3,), explanation="Center of mass from the pivot, in body components."
    )

    @classmethod
    def start_values(cls, scale: MotionScale) -> dict[str, Any]:
        is_free = scale.body.about == "centre_of_mass"
        known_center = np.zeros(3) if is_free else scale.body.centre_of_mass
        center = [0.0, 0.0, 0.5 * scale.length] if known_center is None else known_center.tolist()
        weight = scale.body.mass * STANDARD_GRAVITY if scale.body.mass else 0.5 * scale.force
        return {"weight": round_to_two_digits(weight), "centre": center}

    @classmethod
    def samples(cls) -> tuple[Self, ...]:
        return (cls(weight=5.0, centre=[0.1, 0.2, -0.3]),)

    def reference_torque(self, t: float, A: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
        return np.cross(self.centre, A.T @ [0.0, 0.0, -self.weight])

    def body_remark(self, body: Body) -> str:
        """Return a remark if `centre` differs from the body's center of mass."""
        is_free = body.about == "centre_of_mass"
        expected = np.zeros(3) if is_free else body.centre_of_mass
        is_idle = not self.timed and self.is_zero
        if is_idle or expected is None or np.allclose(self.centre, expected, rtol=1e-6, atol=1e-12):
            return ""
        if is_free:
            return phrase(
                "Gravity acts at centre = {centre} m, but the body turns about its center of mass, where its weight has no lever "
                'arm. For a top, write about = "pivot" in [body], with the inertia about the pivot. For a body in free flight, '
                "centre = {expected}",
                centre=quote_value(self.centre),
                expected=quote_value(expected),
            )
        return phrase(
            "Gravity acts at centre = {centre} m, but the center of mass of the body is at {expected} m from the pivot: write the "
            "same numbers for both",
            centre=quote_value(self.centre),
            expected=quote_value(expected),
        )

    @property
    def constant(self) -> ConstantLoad:
        return ConstantLoad("space", np.array([0.0, 0.0, -self.weight]), np.asarray(self.centre))
