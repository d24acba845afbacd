"""A spring whose end slides on a guide, so that it pulls along a fixed direction only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.forces import half_split, scaled4, to_space, torque_of_gradient
from quatviz.core.kernel import dot3, inline
from quatviz.core.loads.base import Load
from quatviz.core.parameters import Numbers, Timed, check, parameter
from quatviz.core.rotations import rotation_matrix


@inline
def gradient(row, t, p):
    """dV/dp = k s ds/dp with s = d^T A u, homogeneous of degree four; S3(45)."""
    u, d = (row[1], row[2], row[3]), (row[4], row[5], row[6])
    return scaled4(2.0 * row[0] * dot3(d, to_space(p, u)), half_split(p, u, d))


@inline
def torque(row, t, p, omega):
    """n = -1/2 L dV/dp."""
    return torque_of_gradient(p, gradient(row, t, p))


@dataclass(frozen=True, eq=False)
class GuidedSpring(Load):
    """V = 1/2 k (d^T A u)^2 for a point u of the body and a direction d of space; S3 example 1."""

    name: ClassVar[str] = "guided_spring"
    common = True
    torque_kernel = torque
    gradient_kernel = gradient
    position_matters = True

    stiffness: Timed = parameter(unit="N/m", minimum=0.0, timed=True, explanation="Force per elongation.")
    point: Numbers = parameter(unit="m", shape=(3,), explanation="Where it is fixed, in body components.")
    direction: Numbers = parameter(
        shape=(3,), explanation="Direction of the pull in space; its length scales the elongation."
    )

    def __post_init__(self) -> None:
        check(self)

    def row(self) -> tuple[float, ...]:
        return (self.stiffness, *map(float, self.point), *map(float, self.direction))

    def acting(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """-k (d^T A u) d."""
        direction = np.asarray(self.direction)
        elongation = (rotation_matrix(p) @ self.point) @ direction
        return -self.stiffness * elongation[..., None] * direction, np.asarray(self.point)

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        return 0.5 * self.stiffness * ((rotation_matrix(p) @ self.point) @ np.asarray(self.direction)) ** 2
