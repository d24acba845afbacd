"""The body torque of each kind of load, from its definition as a force in space: nothing here is shared with kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from quatviz.core.loads._divided import divided
from quatviz.core.loads.attitude_control import AttitudeControl
from quatviz.core.loads.base import Load
from quatviz.core.loads.damping import Damping
from quatviz.core.loads.gravity import Gravity
from quatviz.core.loads.gravity_gradient import GravityGradient
from quatviz.core.loads.guided_spring import GuidedSpring
from quatviz.core.loads.internal_dissipation import InternalDissipation
from quatviz.core.loads.point_force import PointForce
from quatviz.core.loads.spring import Spring
from quatviz.core.loads.torque import Torque
from quatviz.core.rotations import rotation_matrix

_parts = lru_cache(maxsize=64)(divided)


def moment(load: Load, t: float, p: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
    """n (3,) [N m, body] at t [s], p (4,) and omega (3,) [rad/s, body] of a body with the inertia J (3, 3)."""
    parts = _parts(load)
    if parts != [(load, None)]:
        times = np.array([t])
        return sum(
            (moment(part, t, p, omega, J) * (1.0 if f is None else f.at(times)[0]) for part, f in parts),
            np.zeros(3),
        )
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
    if isinstance(load, GravityGradient):
        r = A.T @ _from_centre(load, t)
        return 3.0 * load.gravitational_parameter / load.distance**3 * np.cross(r, J @ r)
    if isinstance(load, AttitudeControl):
        B = rotation_matrix(np.asarray(load.target) / np.linalg.norm(load.target)).T @ A
        angle = np.arccos(np.clip(0.5 * (np.trace(B) - 1.0), -1.0, 1.0))
        axis = np.array([B[2, 1] - B[1, 2], B[0, 2] - B[2, 0], B[1, 0] - B[0, 1]]) / (2.0 * np.sin(angle))
        return -load.stiffness * np.sin(0.5 * angle) * axis - load.damping * omega
    if isinstance(load, InternalDissipation):
        h = J @ omega
        return load.coefficient / (h @ h) * np.cross(h, np.cross(h, omega))
    raise TypeError(f"no definition of {load.name} here: write its torque beside the others")


def total_moment(
    loads: Sequence[Load], t: float, p: np.ndarray, omega: np.ndarray, J: np.ndarray
) -> np.ndarray:
    """The sum of all (3,) [N m, body]."""
    return sum((moment(load, t, p, omega, J) for load in loads), np.zeros(3))


def _from_centre(load: GravityGradient, t: float) -> np.ndarray:
    """The unit vector (3,) of space from the attracting centre, by Rodrigues' formula about the orbit's normal."""
    a = np.asarray(load.direction) / np.linalg.norm(load.direction)
    if load.orbit == "fixed":
        return a
    k = np.asarray(load.normal) / np.linalg.norm(load.normal)
    angle = t * np.sqrt(load.gravitational_parameter / load.distance**3)
    return a * np.cos(angle) + np.cross(k, a) * np.sin(angle) + k * (k @ a) * (1.0 - np.cos(angle))
