"""Hermite interpolation on SO(3): attitudes between two samples whose attitudes and angular velocities are known."""

import numpy as np

from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    slerp,
    to_rotation_vector,
)

_SMALL_ANGLE = 1e-2
"""Angle [rad] below which the coefficient is computed by its series, since its closed form is 0/0 at zero."""


def interpolate_rotations(
    start_p: np.ndarray,
    end_p: np.ndarray,
    start_omega: np.ndarray,
    end_omega: np.ndarray,
    duration: np.ndarray,
    part: np.ndarray,
) -> np.ndarray:
    """Interpolate attitudes by cubics on SO(3) that match attitude and angular velocity at both ends.

    The cubic is Hermite's for the rotation vector relative to the first attitude, so that its error falls with the
    fourth power of the duration. Where an angular velocity is NaN the rotation is steady (slerp).

    Parameters
    ----------
    start_p, end_p
        Unit Euler parameters (n, 4) at both ends, which differ by less than half a turn.
    start_omega, end_omega
        Angular velocities (n, 3) [rad/s, body] at both ends; NaN if unknown.
    duration
        Times (n,) [s] from the first end to the second.
    part
        Fractions (n,) of the durations, 0 to 1, at which to interpolate.

    Returns
    -------
    ndarray
        Unit Euler parameters (n, 4) whose sign continues that of `start_p`.

    Examples
    --------
    >>> start, end = np.array([[1.0, 0.0, 0.0, 0.0]]), from_rotation_vector([[0.0, 0.0, 0.8]])
    >>> spin, one = np.array([[0.0, 0.0, 0.8]]), np.ones(1)
    >>> middle = interpolate_rotations(start, end, spin, spin, one, 0.5 * one)
    >>> to_rotation_vector(middle).round(12).tolist()  # [rad]
    [[0.0, 0.0, 0.4]]
    """
    h, u = duration[:, None], part[:, None]
    rotation = to_rotation_vector(multiply(conjugate(start_p), end_p))
    start, end = h * start_omega, _rotation_vector_rate(rotation, h * end_omega)
    vector = u**2 * (3.0 - 2.0 * u) * rotation + u * (1.0 - u) * ((1.0 - u) * start - u * end)
    p = multiply(start_p, from_rotation_vector(vector))
    is_steady = ~np.isfinite(p).all(axis=1)
    if is_steady.any():
        p[is_steady] = slerp(start_p[is_steady], end_p[is_steady], part[is_steady])
    return p


def _rotation_vector_rate(rotation: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return the time derivative (n, 3) of the rotation vector `rotation` (n, 3) of a body with omega (n, 3): J_r^-1
    omega.
    """
    angle = np.linalg.norm(rotation, axis=1)[:, None]
    is_small = angle < _SMALL_ANGLE
    safe_angle = np.where(is_small, 1.0, angle)
    factor = np.where(
        is_small,
        1.0 / 12.0 + angle**2 / 720.0,
        1.0 / safe_angle**2 - 0.5 / (safe_angle * np.tan(0.5 * safe_angle)),
    )
    across = np.cross(rotation, omega)
    return omega + 0.5 * across + factor * np.cross(rotation, across)
