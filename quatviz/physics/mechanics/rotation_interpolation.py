"""Hermite interpolation on SO(3): attitudes between two samples whose attitudes and angular velocities are known."""

import numpy as np

from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    to_rotation_vector,
)

_SMALL_ANGLE = 1e-2
"""Rotation angle [rad] below which a coefficient in the rate of a rotation vector is computed by its series.

The closed form of the coefficient is 0/0 at the angle zero.
"""


def interpolate_rotations(
    start_p: np.ndarray,
    end_p: np.ndarray,
    start_omega: np.ndarray,
    end_omega: np.ndarray,
    duration: np.ndarray,
    part: np.ndarray,
) -> np.ndarray:
    """Interpolate attitudes by cubics on SO(3) that match attitude and angular velocity at both ends.

    The rotation vector relative to the first attitude is interpolated by a cubic Hermite polynomial, so that the error
    falls with the fourth power of the duration. Whole turns are added as a steady rotation. Where an angular velocity is
    NaN, the result is a steady rotation along the shortest path.

    Parameters
    ----------
    start_p, end_p
        Unit Euler parameters (n, 4) at both ends.
    start_omega, end_omega
        Angular velocities (n, 3) [rad/s, body] at both ends; NaN if unknown. They determine the number of whole turns.
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
    start, end = h * start_omega, h * end_omega
    rotation = to_rotation_vector(multiply(conjugate(start_p), end_p))
    is_unknown = ~np.isfinite(start + end).all(axis=1)
    start[is_unknown], end[is_unknown] = rotation[is_unknown], rotation[is_unknown]
    turns = _whole_turns(0.5 * (start + end))
    if turns.any():
        start, end = start - turns, end - turns
        rotation = _nearest_winding(rotation, 0.5 * (start + end))
    end = _rotation_vector_rate(rotation, end)
    vector = u**2 * (3.0 - 2.0 * u) * rotation + u * (1.0 - u) * ((1.0 - u) * start - u * end)
    p = multiply(start_p, from_rotation_vector(vector))
    return multiply(p, from_rotation_vector(u * turns)) if turns.any() else p


def _whole_turns(rotation: np.ndarray) -> np.ndarray:
    """Return rotation vectors (n, 3) [rad] with their lengths rounded to the nearest whole number of turns."""
    angle = np.linalg.norm(rotation, axis=1)
    count = np.rint(angle / (2.0 * np.pi))
    factor = np.divide(2.0 * np.pi * count, angle, out=np.zeros_like(angle), where=count > 0.0)
    return factor[:, None] * rotation


def _nearest_winding(rotation: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return `rotation` (n, 3) [rad], the shortest rotation vectors, or the equivalent ones of the opposite sense.

    In each row the one that is nearer to `expected` (n, 3) is returned.
    """
    angle = np.linalg.norm(rotation, axis=1)[:, None]
    other = rotation - 2.0 * np.pi * rotation / np.where(angle > 0.0, angle, 1.0)
    is_nearer = np.linalg.norm(other - expected, axis=1) < np.linalg.norm(rotation - expected, axis=1)
    return np.where(is_nearer[:, None], other, rotation)


def _rotation_vector_rate(rotation: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return the time derivative (n, 3) [rad/s] of rotation vectors (n, 3) [rad] for angular velocities (n,
    3) [rad/s, body]: J_r^-1 omega with the right Jacobian J_r of SO(3).
    """
    angle = np.linalg.norm(rotation, axis=1)[:, None]
    is_small = angle < _SMALL_ANGLE
    safe_angle = np.where(is_small, 1.0, angle)
    factor = np.where(
        is_small,
        1.0 / 12.0 + angle**2 / 720.0,
        1.0 / safe_angle**2 - 0.5 / (safe_angle * np.tan(0.5 * safe_angle)),
    )
    # Without np.cross, which takes three times as long for the few rows of a frame.
    across = rotation[:, [1, 2, 0]] * omega[:, [2, 0, 1]] - rotation[:, [2, 0, 1]] * omega[:, [1, 2, 0]]
    twice_across = (rotation * omega).sum(axis=1, keepdims=True) * rotation - angle**2 * omega
    return omega + 0.5 * across + factor * twice_across
