"""Stereographic projection of the sphere of Euler parameters onto two balls of radius 1 in three dimensions.

Every `p` (..., 4), scalar first, is projected as `p/|p|` from the pole that is farther away, (-1, 0, 0, 0) or
(1, 0, 0, 0). Its image `r` lies in the ball |r| <= 1, and `sheet`, the sign of e0, selects one of the two balls. The
surfaces of the balls, e0 = 0, are identified point by point, so that both balls together represent the sphere. For a
rotation by phi about n, with 0 <= phi <= pi and e0 >= 0,

    r = e/(1 + e0) = tan(phi/4) n,

the modified Rodrigues parameters (Schaub and Junkins, Analytical Mechanics of Space Systems, 3.5). Points of the surface
are rotations by half a turn. p and -p are the same attitude: one ball is enough for attitudes, and opposite points of its
surface are the same attitude.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quatviz.physics.mechanics.rotations import continuous_sign, norm, normalize

Array = np.ndarray


def sheet_of(p: ArrayLike) -> Array:
    """Return the sheet (...) of p (..., 4), that is, the ball into which p is projected: 1 if e0 >= 0,
    otherwise -1.
    """
    return np.where(np.asarray(p, dtype=np.float64)[..., 0] < 0.0, -1.0, 1.0)


def stereographic(p: ArrayLike) -> Array:
    """Return `r = e/(|p| + |e0|)` (..., 3), |r| <= 1, in the ball of `sheet_of(p)`; NaN for a zero p."""
    p = np.asarray(p, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return p[..., 1:] / (norm(p) + np.abs(p[..., 0]))[..., np.newaxis]


def orientation_point(p: ArrayLike) -> Array:
    """Return the point `r` (..., 3) of an attitude: the image of p if e0 >= 0, otherwise of -p.

    p and -p give the same point. Only on the surface they give opposite points, which are the same attitude.

    >>> orientation_point(np.array([-0.8, 0.6, 0.0, 0.0])).round(6).tolist()
    [-0.333333, -0.0, -0.0]
    """
    return sheet_of(p)[..., np.newaxis] * stereographic(p)


def from_stereographic(r: ArrayLike, sheet: ArrayLike = 1.0) -> Array:
    """Return unit p (..., 4) of the point `r` (..., 3) in the ball of `sheet` (...)."""
    r = np.asarray(r, dtype=np.float64)
    square = np.sum(r * r, axis=-1)[..., np.newaxis]
    e0 = np.asarray(sheet, dtype=np.float64)[..., np.newaxis] * (1.0 - square)
    return np.concatenate([e0, 2.0 * r], axis=-1) / (1.0 + square)


@dataclass(frozen=True, eq=False)
class BallPath:
    """A path of Euler parameters in the balls, ready to be drawn.

    `points` (m, 3) has a row of NaN where the line breaks. `rows` (m,) are the positions of the points along p, as row
    indices with fractions, and `sheets` (m,) are their balls. The path crosses the surface at the k positions
    `crossing_rows` (k,). There the path has two more points: `exit_points` (k, 3) in the ball that it leaves, given by
    `left_sheets` (k,), and `entry_points` (k, 3) in the ball that it enters.
    """

    points: Array
    rows: Array
    sheets: Array
    exit_points: Array
    entry_points: Array
    crossing_rows: Array
    left_sheets: Array


def ball_path(p: ArrayLike, identify_signs: bool) -> BallPath:
    """Return the path of `p` (n, 4) in the balls.

    Parameters
    ----------
    p
        Euler parameters (n, 4) of any length.
    identify_signs
        True to treat p and -p as the same attitude. There is only one ball then, and a path that leaves it at a point of
        the surface returns at the opposite point. False to distinguish p from -p: the path leaves one ball and enters the
        other at the same point, and breaks where p changes its sign from row to row.
    """
    p = np.asarray(p, dtype=np.float64).reshape(-1, 4)
    with np.errstate(invalid="ignore"):
        p = normalize(p)
        continuous = continuous_sign(p)
        jumps = np.sum(p[1:] * p[:-1], axis=-1) < 0.0
    smooth, sheets = (continuous, sheet_of(continuous)) if identify_signs else (p, sheet_of(p))
    points = stereographic(smooth) * (sheets[:, np.newaxis] if identify_signs else 1.0)
    crosses_surface = sheets[1:] != sheets[:-1]
    breaks = np.flatnonzero(crosses_surface if identify_signs else crosses_surface | jumps)
    before, after = smooth[breaks], smooth[breaks + 1]
    is_sign_jump = np.zeros(len(breaks), dtype=bool) if identify_signs else jumps[breaks]
    fraction = np.where(
        is_sign_jump, 0.5, before[:, 0] / np.where(is_sign_jump, 1.0, before[:, 0] - after[:, 0])
    )
    middle = normalize((before + fraction[:, np.newaxis] * (after - before))[:, 1:])
    middle[is_sign_jump] = np.nan
    exit_points, entry_points = (
        middle * (sheets[breaks + step][:, np.newaxis] if identify_signs else 1.0) for step in (0, 1)
    )
    insert_at = np.repeat(breaks + 1, 3)
    gap = np.full_like(exit_points, np.nan)
    inserted = np.stack((exit_points, gap, entry_points), axis=1).reshape(-1, 3)
    is_crossing = ~is_sign_jump
    drawn_sheets = np.ones(len(p)) if identify_signs else sheets
    inserted_sheets = np.stack(
        (drawn_sheets[breaks], drawn_sheets[breaks], drawn_sheets[breaks + 1]), axis=1
    ).ravel()
    return BallPath(
        np.insert(points, insert_at, inserted, axis=0),
        np.insert(np.arange(len(p), dtype=float), insert_at, np.repeat(breaks + fraction, 3)),
        np.insert(drawn_sheets, insert_at, inserted_sheets),
        exit_points[is_crossing],
        entry_points[is_crossing],
        (breaks + fraction)[is_crossing],
        drawn_sheets[breaks][is_crossing],
    )
