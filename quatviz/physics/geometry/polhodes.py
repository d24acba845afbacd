"""The curves that h and omega follow on a body which nothing turns, each an intersection of two quadrics.

J (3, 3) [kg m^2] is about the fixed point, vectors (..., 3) are in body components. |h| and 2T = h^T J^-1 h stay, so that
h keeps to the sphere |h| and to the ellipsoid of 2T at once. In principal components, with A_i = 1/J_i, the unit vector
u = h/|h| obeys

    A_1 u_1^2 + A_2 u_2^2 + A_3 u_3^2 = level = 2T/|h|^2     between the least of the A_i and the largest,

a closed curve about the axis of the largest A where the level is above the middle A, about that of the least where it is
below, and two great circles, the separatrix, at the middle one (Landau and Lifshitz, Mechanics, 37).
"""

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray

SAME = 1e-9
"""Moments of inertia closer than this, relative to the largest, are equal."""


def principal(inertia: ArrayLike) -> tuple[Array, Array]:
    """Moments (3,) [kg m^2], ascending, and their axes as the columns of a rotation (3, 3).

    >>> moments, axes = principal(np.diag([4.0, 1.0, 2.0]))
    >>> moments.tolist()
    [1.0, 2.0, 4.0]
    """
    moments, axes = np.linalg.eigh(np.asarray(inertia, dtype=np.float64))
    return moments, axes * np.sign(np.linalg.det(axes))


def twice_kinetic(inertia: ArrayLike, h: ArrayLike) -> Array:
    """2T = h^T J^-1 h (...) [J] of a rigid body with the angular momentum `h` (..., 3) [kg m^2/s]."""
    h = np.asarray(h, dtype=np.float64)
    return np.sum(h * _solved(inertia, h), axis=-1)


def level_of(inertia: ArrayLike, h: ArrayLike) -> Array:
    """2T/|h|^2 (...) [1/(kg m^2)]: the curve of `h` (..., 3). NaN where h is zero.

    >>> float(level_of(np.diag([1.0, 2.0, 4.0]), np.array([0.0, 6.0, 0.0])))  # about the middle axis: 1/J2
    0.5
    """
    h = np.asarray(h, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return twice_kinetic(inertia, h) / np.sum(h * h, axis=-1)


def directions(inertia: ArrayLike, level: float, count: int = 180) -> list[Array]:
    """The two closed curves, each (count + 1, 3), of unit vectors along h of a `level` of `level_of`, limited to those
    that the body has. None where all moments are equal: there every h stays where it is."""
    moments, axes = principal(inertia)
    inverse = 1.0 / moments
    if _same(moments[0], moments[2], moments):
        return []
    level = float(np.clip(level, inverse[2], inverse[0]))
    above = level > inverse[1] and not _same(moments[0], moments[1], moments)
    about, far = (0, 2) if above or _same(moments[1], moments[2], moments) else (2, 0)
    turn = np.linspace(0.0, 2.0 * np.pi, count + 1)
    squares = np.clip((level - inverse[about]) / (inverse[[far, 1]] - inverse[about]), 0.0, 1.0)
    own = np.zeros((count + 1, 3))
    own[:, far], own[:, 1] = np.sqrt(squares[0]) * np.cos(turn), np.sqrt(squares[1]) * np.sin(turn)
    own[:, about] = np.sqrt(np.maximum(1.0 - own[:, far] ** 2 - own[:, 1] ** 2, 0.0))
    other = own.copy()
    other[:, about] *= -1.0
    return [own @ axes.T, other @ axes.T]


def levels(inertia: ArrayLike, count: int) -> list[float]:
    """Levels 2T/|h|^2 [1/(kg m^2)] of curves that lie evenly: `count` between each outer axis and the separatrix; where two
    moments are equal, the equator and as many on each side of it."""
    moments, _ = principal(inertia)
    inverse, found = 1.0 / moments, []
    for about, far in ((0, 2), (2, 0)):
        if _same(moments[about], moments[1], moments):
            continue
        reach = (inverse[1] - inverse[about]) / (inverse[far] - inverse[about])
        whole = np.arcsin(np.sqrt(np.clip(reach, 0.0, 1.0)))
        parts = np.arange(1, count + 1) / (count + 1)
        if _same(moments[far], moments[1], moments):
            parts = np.append(parts, 1.0)
        found += [
            float(inverse[about] + (inverse[far] - inverse[about]) * np.sin(part * whole) ** 2)
            for part in parts
        ]
    return found


def separatrix(inertia: ArrayLike, count: int = 180) -> list[Array]:
    """The two great circles, each (count + 1, 3), of unit vectors along h through the middle axis; none where two of
    the moments are equal."""
    moments, axes = principal(inertia)
    if _same(moments[0], moments[1], moments) or _same(moments[1], moments[2], moments):
        return []
    inverse = 1.0 / moments
    slope = np.sqrt(inverse[0] - inverse[1]), np.sqrt(inverse[1] - inverse[2])
    turn = np.linspace(0.0, 2.0 * np.pi, count + 1)[:, np.newaxis]
    circles = []
    for side in (1.0, -1.0):
        across = np.array([slope[1], 0.0, side * slope[0]]) / np.hypot(*slope)
        circles.append((np.cos(turn) * [0.0, 1.0, 0.0] + np.sin(turn) * across) @ axes.T)
    return circles


def velocities(inertia: ArrayLike, directions: ArrayLike) -> Array:
    """omega/sqrt(2T) (..., 3) [1/sqrt(kg m^2), body] of unit vectors along h: the same curves on the ellipsoid
    omega^T J omega = 2T."""
    directions = np.asarray(directions, dtype=np.float64)
    turned = _solved(inertia, directions)
    return turned / np.sqrt(np.sum(directions * turned, axis=-1))[..., np.newaxis]


def _solved(inertia: ArrayLike, v: Array) -> Array:
    return np.linalg.solve(np.asarray(inertia, dtype=np.float64), v[..., np.newaxis])[..., 0]


def _same(one: float, other: float, moments: Array) -> bool:
    return bool(abs(one - other) <= SAME * moments[2])
