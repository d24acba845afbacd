"""Example torque laws with gains that suit a body and its motion. This module defines no load."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quatviz.base.errors import phrase
from quatviz.physics.loads._start_values import MotionScale, round_to_two_digits

_ATTITUDE = re.compile(r"\bp\b")
_DEVIATION_LINES = "# Attitude relative to the target\nd = product(conjugate(target), p)/norm(target)"
EXAMPLE_NAMES = frozenset(("d", "e", "n", "s", "k", "D", "K", "M", "eps"))
"""Names that the examples assign or use as gains."""


@dataclass(frozen=True)
class LawExample:
    """A law under a title. `gain_values` returns its gains by name for a typical inertia [kg m^2] and rate [rad/s]."""

    title: str
    law: str
    gain_values: Callable[[float, float], Mapping[str, float]]

    def text(self, target: Sequence[str] = ()) -> str:
        """Return the lines of the law. With the lines `target`, the last of which is `target = ...`, the law turns the body
        to that attitude."""
        law = self.law
        if target and _ATTITUDE.search(law):
            law = "\n".join((_DEVIATION_LINES, _ATTITUDE.sub("d", law)))
        return "\n".join((*target, law))

    def table(
        self, scale: MotionScale, target: Sequence[str] = (), target_gains: Mapping[str, float] | None = None
    ) -> dict[str, Any]:
        """Return law and gains for a body with this motion. The lines `target` (see `text`) use `target_gains`."""
        gains = self.gain_values(scale.moment, scale.rate)
        rounded = {name: round_to_two_digits(value) for name, value in gains.items()}
        return {"law": self.text(target), "gains": {**(target_gains or {}), **rounded}}


def _stiffness_and_damping(factor: float) -> Callable[[float, float], Mapping[str, float]]:
    """Return a function of moment and rate that gives the gains K and D of a control loop, with the natural frequency
    `rate` and a damping ratio of 0.7.

    `factor` is the ratio of the rotation angle to the length of the error vector, for small angles.
    """
    return lambda moment, rate: {"K": factor * moment * rate**2, "D": 1.4 * moment * rate}


EXAMPLES = (
    LawExample(
        phrase("Quaternion feedback"),
        "e = sign(p[0])*p[1:]\nn = -K*e - D*omega",
        _stiffness_and_damping(2.0),
    ),
    LawExample(
        phrase("Quaternion feedback, no sign of p[0]"),
        "e = p[1:]\nn = -K*e - D*omega",
        _stiffness_and_damping(2.0),
    ),
    LawExample(phrase("Rate damping"), "n = -D*omega", lambda moment, rate: {"D": 0.05 * moment * rate}),
    LawExample(
        phrase("Sliding mode"),
        "s = omega + k*sign(p[0])*p[1:]\nn = -M*clip(s/eps, -1, 1)",
        lambda moment, rate: {"k": rate, "M": moment * rate**2, "eps": 0.1 * rate},
    ),
    LawExample(
        phrase("Modified Rodrigues parameters"),
        "# Shadow set where p[0] < 0\ns = sign(p[0])*p[1:]/(1 + abs(p[0]))\nn = -K*s - D*omega",
        _stiffness_and_damping(4.0),
    ),
)
"""Example laws. A new torque law starts as the first of them."""
