"""Curves of h and omega on a torque-free body, each an intersection of two quadrics.

J (3, 3) [kg m^2] is about the fixed point, vectors (..., 3) are in body components. |h| and 2T = h^T J^-1 h are
constant, so that h stays on the sphere of radius |h| and on the ellipsoid of 2T. In principal components, with
A_i = 1/J_i, the unit vector u = h/|h| satisfies

    A_1 u_1^2 + A_2 u_2^2 + A_3 u_3^2 = level = 2T/|h|^2     between the smallest of the A_i and the largest.

These are two closed curves on opposite sides of the body. They run about the axis of the largest A_i if the level is
above the middle A_i, and about the axis of the smallest A_i if the level is below it. If the level equals the middle A_i,
the curves are two great circles, the separatrix (Landau and Lifshitz, Mechanics, 37).
"""

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray

EQUAL_MOMENTS_TOLERANCE = 1e-9
"""Largest difference of principal moments that count as equal, relative to the largest moment."""


def principal_moments(inertia: ArrayLike) -> tuple[Array, Array]:
    """Return the principal moments (3,) [kg m^2], ascending, and their axes as the columns of a rotation matrix (3, 3).

    >>> moments, axes = principal_moments(np.diag([4.0, 1.0, 2.0]))
    >>> moments.tolist()
    [1.0, 2.0, 4.0]
    """
    moments, axes = np.linalg.eigh(np.asarray(inertia, dtype=np.float64))
    return moments, axes * np.sign(np.linalg.det(axes))


def twice_kinetic_energy(inertia: ArrayLike, h: ArrayLike) -> Array:
    """Return 2T = h^T J^-1 h (...) [J] of a rigid body with the angular momentum `h` (..., 3) [kg m^2/s, body]."""
    h = np.asarray(h, dtype=np.float64)
    return np.sum(h * _solve(inertia, h), axis=-1)


def polhode_level(inertia: ArrayLike, h: ArrayLike) -> Array:
    """Return the level 2T/|h|^2 (...) [1/(kg m^2)] of the curve on which `h` (..., 3) lies; NaN for a zero h.

    >>> float(polhode_level(np.diag([1.0, 2.0, 4.0]), np.array([0.0, 6.0, 0.0])))  # about the middle axis: 1/J2
    0.5
    """
    h = np.asarray(h, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return twice_kinetic_energy(inertia, h) / np.sum(h * h, axis=-1)


def polhode_curves(inertia: ArrayLike, level: float, count: int = 180) -> list[Array]:
    """Return the two closed curves of unit vectors along h that belong to a level.

    Parameters
    ----------
    inertia
        Inertia (3, 3) [kg m^2].
    level
        2T/|h|^2 [1/(kg m^2)], see `polhode_level`. It is clipped to the range that the body admits.
    count
        Number of segments of each curve.

    Returns
    -------
    list of numpy.ndarray
        Two curves (count + 1, 3) in body components; none if all moments are equal, since h then stays constant.
    """
    moments, axes = principal_moments(inertia)
    inverse = 1.0 / moments
    if _are_equal(moments[0], moments[2], moments):
        return []
    level = float(np.clip(level, inverse[2], inverse[0]))
    is_above_middle = level > inverse[1] and not _are_equal(moments[0], moments[1], moments)
    around, far = (0, 2) if is_above_middle or _are_equal(moments[1], moments[2], moments) else (2, 0)
    angles = np.linspace(0.0, 2.0 * np.pi, count + 1)
    squares = np.clip((level - inverse[around]) / (inverse[[far, 1]] - inverse[around]), 0.0, 1.0)
    curve = np.zeros((count + 1, 3))
    curve[:, far], curve[:, 1] = np.sqrt(squares[0]) * np.cos(angles), np.sqrt(squares[1]) * np.sin(angles)
    curve[:, around] = np.sqrt(np.maximum(1.0 - curve[:, far] ** 2 - curve[:, 1] ** 2, 0.0))
    opposite_curve = curve.copy()
    opposite_curve[:, around] *= -1.0
    return [curve @ axes.T, opposite_curve @ axes.T]


def evenly_spaced_levels(inertia: ArrayLike, count: int) -> list[float]:
    """Return levels 2T/|h|^2 [1/(kg m^2)] whose curves are evenly spaced.

    There are `count` levels on each side of the separatrix. If two moments are equal, there is no separatrix: the result
    is then `count` levels between the axis of symmetry and the equator, and the level of the equator. Each level has two
    curves, on opposite sides of the body.
    """
    moments, _ = principal_moments(inertia)
    inverse, level_values = 1.0 / moments, []
    for around, far in ((0, 2), (2, 0)):
        if _are_equal(moments[around], moments[1], moments):
            continue
        separatrix_fraction = (inverse[1] - inverse[around]) / (inverse[far] - inverse[around])
        separatrix_angle = np.arcsin(np.sqrt(np.clip(separatrix_fraction, 0.0, 1.0)))
        fractions = np.arange(1, count + 1) / (count + 1)
        if _are_equal(moments[far], moments[1], moments):
            fractions = np.append(fractions, 1.0)
        level_values += [
            float(
                inverse[around] + (inverse[far] - inverse[around]) * np.sin(fraction * separatrix_angle) ** 2
            )
            for fraction in fractions
        ]
    return level_values


def separatrix(inertia: ArrayLike, count: int = 180) -> list[Array]:
    """Return the two great circles (count + 1, 3) of unit vectors along h through the middle axis; none if two moments
    are equal."""
    moments, axes = principal_moments(inertia)
    if _are_equal(moments[0], moments[1], moments) or _are_equal(moments[1], moments[2], moments):
        return []
    inverse = 1.0 / moments
    slope = np.sqrt(inverse[0] - inverse[1]), np.sqrt(inverse[1] - inverse[2])
    angles = np.linspace(0.0, 2.0 * np.pi, count + 1)[:, np.newaxis]
    circles = []
    for side in (1.0, -1.0):
        direction = np.array([slope[1], 0.0, side * slope[0]]) / np.hypot(*slope)
        circles.append((np.cos(angles) * [0.0, 1.0, 0.0] + np.sin(angles) * direction) @ axes.T)
    return circles


def velocity_curve(inertia: ArrayLike, directions: ArrayLike) -> Array:
    """Return omega/sqrt(2T) (..., 3) [1/sqrt(kg m^2), body] for unit vectors along h.

    The function maps the curves of h to those of omega on the ellipsoid omega^T J omega = 2T.
    """
    directions = np.asarray(directions, dtype=np.float64)
    omega_directions = _solve(inertia, directions)
    return omega_directions / np.sqrt(np.sum(directions * omega_directions, axis=-1))[..., np.newaxis]


def _solve(inertia: ArrayLike, v: Array) -> Array:
    return np.linalg.solve(np.asarray(inertia, dtype=np.float64), v[..., np.newaxis])[..., 0]


def _are_equal(moment: float, other_moment: float, moments: Array) -> bool:
    return bool(abs(moment - other_moment) <= EQUAL_MOMENTS_TOLERANCE * moments[2])
