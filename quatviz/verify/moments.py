"""The body torque of each kind of load, from its definition as a force in space: nothing here is shared with kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quatviz.core.loads.base import Load
from quatviz.core.loads.damping import Damping
from quatviz.core.loads.gravity import Gravity
from quatviz.core.loads.guided_spring import GuidedSpring
from quatviz.core.loads.point_force import PointForce
from quatviz.core.loads.spring import Spring
from quatviz.core.loads.torque import Torque
from quatviz.core.rotations import rotation_matrix


def moment(load: Load, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """n (3,) [N m, body] at p (4,) and omega (3,) [rad/s, body]."""
    A = rotation_matrix(p)
    if isinstance(load, Damping):
        return -load.coefficient * omega
    if isinstance(load, Torque):
        given = np.asarray(load.torque)
        return A.T @ given if load.frame == "space" else given
    if isinstance(load, Gravity):
        return np.cross(load.centre, A.T @ [0.0, 0.0, -load.weight])
    if isinstance(load, PointForce):
        given = np.asarray(load.force)
        return np.cross(load.point, A.T @ given if load.frame == "space" else given)
    if isinstance(load, Spring):
        reach = A @ load.point - np.asarray(load.anchor)
        length = np.linalg.norm(reach)
        return np.cross(load.point, A.T @ (-load.stiffness * (length - load.rest_length) / length * reach))
    if isinstance(load, GuidedSpring):
        direction = np.asarray(load.direction)
        pull = -load.stiffness * (direction @ A @ load.point) * direction
        return np.cross(load.point, A.T @ pull)
    raise TypeError(f"no definition of {load.name} here: write its torque beside the others")


def total_moment(loads: Sequence[Load], p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """The sum of all (3,) [N m, body]."""
    return sum((moment(load, p, omega) for load in loads), np.zeros(3))
