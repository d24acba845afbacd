"""The body torque of loads from their definitions: nothing here is shared with kernels."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from quatviz.base.expression import Expression
from quatviz.physics.loads.base import Load, divided
from quatviz.physics.mechanics.rotations import rotation_matrix


@lru_cache(maxsize=64)
def _parts(load: Load) -> list[tuple[Load, Expression | None]]:
    return list(divided(load))


def moment(load: Load, t: float, p: np.ndarray, omega: np.ndarray, J: np.ndarray) -> np.ndarray:
    """n (3,) [N m, body] at t [s], p (4,) and omega (3,) [rad/s, body] of a body with the inertia J (3, 3)."""
    A, times = rotation_matrix(p), np.array([t])
    return sum(
        (
            part.by_definition(t, A, omega, J) * (1.0 if factor is None else factor.at(times)[0])
            for part, factor in _parts(load)
        ),
        np.zeros(3),
    )


def total_moment(
    loads: Sequence[Load], t: float, p: np.ndarray, omega: np.ndarray, J: np.ndarray
) -> np.ndarray:
    """The sum of all (3,) [N m, body]."""
    return sum((moment(load, t, p, omega, J) for load in loads), np.zeros(3))
