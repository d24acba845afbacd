"""A constant force at a point of the body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quatviz.core.forces import half_split, scaled4, to_space
from quatviz.core.kernel import LT_times, cross, inline, to_body
from quatviz.core.loads.base import Load
from quatviz.core.parameters import Numbers, check, parameter
from quatviz.core.rotations import rotate, rotation_matrix


@inline
def torque(row, t, p, omega):
    """n = u~ A^T f for a force fixed in space, u~ f for one fixed in the body."""
    f, u = (row[0], row[1], row[2]), (row[3], row[4], row[5])
    return cross(u, f if row[6] > 0.0 else to_body(p, f))


@inline
def gradient(row, t, p):
    """dV/dp of V = -f^T A u. A force that turns with the body has no potential; its generalised force,
    2 L^T n, takes the gradient's place with its sign turned, so that every form that asks for gradients has it."""
    f, u = (row[0], row[1], row[2]), (row[3], row[4], row[5])
    if row[6] > 0.0:
        return scaled4(-2.0, LT_times(p, cross(u, f)))
    return scaled4(-2.0, half_split(p, u, f))


@inline
def application(row, t, p):
    """The force (3) [N, space], and the point of the body (3) [m] where it acts."""
    f = (row[0], row[1], row[2])
    return to_space(p, f) if row[6] > 0.0 else f, (row[3], row[4], row[5])


@dataclass(frozen=True, eq=False)
class PointForce(Load):
    """S0 section 4: one force, three generalised forces, one motion. Fixed in space it has V = -f^T A u."""

    name: ClassVar[str] = "point_force"
    common = True
    torque_kernel = torque
    gradient_kernel = gradient
    application_kernel = application

    force: Numbers = parameter(
        unit="N", shape=(3,), timed=True, explanation="The force, in the components of `frame`."
    )
    point: Numbers = parameter(unit="m", shape=(3,), explanation="Where it acts, in body components.")
    frame: str = parameter(
        default="space", choices=("space", "body"), explanation="In which frame the force is constant."
    )

    def __post_init__(self) -> None:
        check(self)

    @property
    def keeps_energy(self) -> bool:
        return self.frame == "space"

    def row(self) -> tuple[float, ...]:
        return (*map(float, self.force), *map(float, self.point), 1.0 if self.frame == "body" else 0.0)

    def applied(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        force = np.broadcast_to(np.asarray(self.force), (len(p), 3))
        return (rotate(p, force) if self.frame == "body" else force), np.asarray(self.point)

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        if self.frame == "body":
            return np.zeros(p.shape[:-1])
        return -(rotation_matrix(p) @ self.point) @ np.asarray(self.force)
