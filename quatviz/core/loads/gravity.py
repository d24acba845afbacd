"""Uniform gravity on a body held at a pivot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.kernel import cross, inline, to_body
from quatviz.core.loads.base import Load
from quatviz.core.parameters import Numbers, Timed, check, parameter
from quatviz.core.rotations import rotation_matrix


@inline
def torque(row, t, p, omega):
    """n = u~ A^T f with f = (0, 0, -W) at the centre of mass u."""
    return cross((row[1], row[2], row[3]), to_body(p, (0.0, 0.0, -row[0])))


@inline
def gradient(row, t, p):
    """dV/dp = -2 H^T G^T f, the `split` form with its sign turned; V = W (A u)_3, so only row 3 of A counts."""
    weight, u = row[0], (row[1], row[2], row[3])
    # (A u)_3 with A = G L^T: 2 (e1 e3 - e0 e2) u1 + 2 (e2 e3 + e0 e1) u2 + (e0^2 - e1^2 - e2^2 + e3^2) u3
    return (
        2.0 * weight * (-p[2] * u[0] + p[1] * u[1] + p[0] * u[2]),
        2.0 * weight * (p[3] * u[0] + p[0] * u[1] - p[1] * u[2]),
        2.0 * weight * (-p[0] * u[0] + p[3] * u[1] - p[2] * u[2]),
        2.0 * weight * (p[1] * u[0] + p[2] * u[1] + p[3] * u[2]),
    )


@inline
def application(row, t, p):
    """The force (3) [N, space], and the point of the body (3) [m] where it acts."""
    return (0.0, 0.0, -row[0]), (row[1], row[2], row[3])


@dataclass(frozen=True, eq=False)
class Gravity(Load):
    """Weight W at the centre of mass u of a body turning about a pivot; space -z is down. V = W (A u)_3."""

    name: ClassVar[str] = "gravity"
    common = True
    torque_kernel = torque
    gradient_kernel = gradient
    application_kernel = application

    weight: Timed = parameter(
        unit="N", minimum=0.0, timed=True, explanation="Weight of the body, acting along space -z."
    )
    centre: Numbers = parameter(
        unit="m", shape=(3,), explanation="Centre of mass from the pivot, in body components."
    )

    def __post_init__(self) -> None:
        check(self)

    def row(self) -> tuple[float, ...]:
        return (self.weight, *map(float, self.centre))

    def applied(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.broadcast_to([0.0, 0.0, -self.weight], (len(p), 3)), np.asarray(self.centre)

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        return self.weight * (rotation_matrix(p) @ self.centre)[..., 2]
