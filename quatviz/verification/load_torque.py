"""Body torque of loads computed from their definitions, independent of the kernels."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from quatviz.base.expression import Expression
from quatviz.physics.loads.base import Load, split_by_time_function
from quatviz.physics.mechanics.rotations import rotation_matrix


@lru_cache(maxsize=64)
def _time_factors(load: Load) -> list[tuple[Load, Expression | None]]:
    return list(split_by_time_function(load))


def load_torque_by_definition(
    load: Load, t: float, p: np.ndarray, omega: np.ndarray, J: np.ndarray
) -> np.ndarray:
    """Return the torque n (3,) [N m, body] of a load at t [s], p (4,) and omega (3,) [rad/s, body], for a body with
    inertia J (3, 3)."""
    A, times = rotation_matrix(p), np.array([t])
    return sum(
        (
            component.reference_torque(t, A, omega, J)
            * (1.0 if factor is None else factor.evaluate(times)[0])
            for component, factor in _time_factors(load)
        ),
        np.zeros(3),
    )


def total_torque(
    loads: Sequence[Load], t: float, p: np.ndarray, omega: np.ndarray, J: np.ndarray
) -> np.ndarray:
    """Return the total torque of several loads (3,) [N m, body]."""
    return sum((load_torque_by_definition(load, t, p, omega, J) for load in loads), np.zeros(3))
