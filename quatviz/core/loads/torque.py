"""A constant torque, fixed in the body or in space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.kernel import inline, to_body
from quatviz.core.loads.base import Load
from quatviz.core.parameters import Numbers, check, parameter
from quatviz.core.rotations import rotate_back


@inline
def body_torque(row, t, p, omega):
    """n as given, or A^T n of a torque given in space."""
    n = (row[0], row[1], row[2])
    return to_body(p, n) if row[3] > 0.0 else n


@dataclass(frozen=True, eq=False)
class Torque(Load):
    """A pure moment (S0's m). It enters every form as 2 L^T n and has no potential."""

    name: ClassVar[str] = "torque"
    common = True
    torque_kernel = body_torque

    torque: Numbers = parameter(
        unit="N m", shape=(3,), timed=True, explanation="The torque, in the components of `frame`."
    )
    frame: str = parameter(
        default="body", choices=("body", "space"), explanation="In which frame the torque is constant."
    )

    def __post_init__(self) -> None:
        check(self)

    def row(self) -> tuple[float, ...]:
        return (*map(float, self.torque), 1.0 if self.frame == "space" else 0.0)

    def moment(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        given = np.broadcast_to(np.asarray(self.torque), (len(p), 3))
        return rotate_back(p, given) if self.frame == "space" else given
