"""A spring between a point of the body and an anchor in space."""

from __future__ import annotations

import math
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
    """dV/dp = k (1 - l0/|r|) r^T dr/dp with r = A u - a. Where the ends meet the pull has no direction: zero."""
    u = (row[1], row[2], row[3])
    end = to_space(p, u)
    r = (end[0] - row[4], end[1] - row[5], end[2] - row[6])
    length = math.sqrt(dot3(r, r))
    pull = row[0] * (1.0 - row[7] / length) if length > 0.0 else 0.0
    return scaled4(2.0 * pull, half_split(p, u, r))


@inline
def torque(row, t, p, omega):
    """n = -1/2 L dV/dp."""
    return torque_of_gradient(p, gradient(row, t, p))


@dataclass(frozen=True, eq=False)
class Spring(Load):
    """V = 1/2 k (|A u - a| - l0)^2."""

    name: ClassVar[str] = "spring"
    common = True
    torque_kernel = torque
    gradient_kernel = gradient
    position_matters = True

    stiffness: Timed = parameter(unit="N/m", minimum=0.0, timed=True, explanation="Force per elongation.")
    point: Numbers = parameter(unit="m", shape=(3,), explanation="Where it is fixed, in body components.")
    anchor: Numbers = parameter(unit="m", shape=(3,), explanation="Its other end, in space.")
    rest_length: float = parameter(unit="m", default=0.0, minimum=0.0, explanation="Length without force.")

    def __post_init__(self) -> None:
        check(self)

    def row(self) -> tuple[float, ...]:
        return (self.stiffness, *map(float, self.point), *map(float, self.anchor), self.rest_length)

    def acting(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """-k (|r| - l0) r/|r| with r = A u - a; zero where the ends meet."""
        r = rotation_matrix(p) @ self.point - np.asarray(self.anchor)
        length = np.linalg.norm(r, axis=-1, keepdims=True)
        pull = np.where(length > 0.0, 1.0 - self.rest_length / np.where(length > 0.0, length, 1.0), 0.0)
        return -self.stiffness * pull * r, np.asarray(self.point)

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        length = np.linalg.norm(rotation_matrix(p) @ self.point - np.asarray(self.anchor), axis=-1)
        return 0.5 * self.stiffness * (length - self.rest_length) ** 2
