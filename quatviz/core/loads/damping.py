"""Viscous drag on the rotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.kernel import inline
from quatviz.core.loads.base import Load
from quatviz.core.parameters import Timed, check, parameter


@inline
def drag(row, t, p, omega):
    """n = -c omega."""
    return (-row[0] * omega[0], -row[0] * omega[1], -row[0] * omega[2])


@dataclass(frozen=True, eq=False)
class Damping(Load):
    """A torque against the angular velocity: the energy can only fall."""

    name: ClassVar[str] = "damping"
    common = True
    torque_kernel = drag

    coefficient: Timed = parameter(
        unit="N m s", minimum=0.0, timed=True, explanation="Torque per angular velocity, against it."
    )

    def __post_init__(self) -> None:
        check(self)

    def row(self) -> tuple[float, ...]:
        return (self.coefficient,)

    def moment(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        return -self.coefficient * omega
