"""The sphere of Euler parameters seen in three dimensions: stereographic projection onto balls of radius 1.

Every `p` (..., 4), scalar first, is projected as `p/|p|` and from the pole that is farther away, (-1, 0, 0, 0) or
(1, 0, 0, 0): its image `r` lies in the ball |r| <= 1, and `sheet`, the sign of e0, says in which of two. The balls are
joined along their whole surface, e0 = 0, point by point: together they are the sphere. For a rotation by phi about n,
with 0 <= phi <= pi and e0 >= 0,

    r = e/(1 + e0) = tan(phi/4) n,

the modified Rodrigues parameters (Schaub and Junkins, Analytical Mechanics of Space Systems, 3.5). The surface is half
a turn. As orientations p and -p are one: then one ball is enough, and opposite points of its surface are the same.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quatviz.physics.mechanics.rotations import continuous_sign, norm, normalise

Array = np.ndarray


def sheet_of(p: ArrayLike) -> Array:
    """1 where e0 >= 0, -1 elsewhere (...)."""
    return np.where(np.asarray(p, dtype=np.float64)[..., 0] < 0.0, -1.0, 1.0)


def stereographic(p: ArrayLike) -> Array:
    """`r = e/(|p| + |e0|)` (..., 3), |r| <= 1, in the ball of `sheet_of(p)`. NaN where p is zero."""
    p = np.asarray(p, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return p[..., 1:] / (norm(p) + np.abs(p[..., 0]))[..., np.newaxis]


def orientation_point(p: ArrayLike) -> Array:
    """`r` (..., 3) of the one of p and -p that has e0 >= 0: the same for both, but on the surface, where it is the
    direction of p and the opposite point is the same orientation.

    >>> orientation_point(np.array([-0.8, 0.6, 0.0, 0.0])).round(6).tolist()
    [-0.333333, -0.0, -0.0]
    """
    return sheet_of(p)[..., np.newaxis] * stereographic(p)


def from_stereographic(r: ArrayLike, sheet: ArrayLike = 1.0) -> Array:
    """Unit p (..., 4) of `r` (..., 3) in the ball of `sheet` (...)."""
    r = np.asarray(r, dtype=np.float64)
    square = np.sum(r * r, axis=-1)[..., np.newaxis]
    e0 = np.asarray(sheet, dtype=np.float64)[..., np.newaxis] * (1.0 - square)
    return np.concatenate([e0, 2.0 * r], axis=-1) / (1.0 + square)


@dataclass(frozen=True, eq=False)
class BallPath:
    """A path of Euler parameters in the balls, ready to be drawn.

    points (m, 3), a row of NaN where the line breaks; rows (m,), the place of each point between the given rows; sheets
    (m,), the ball. Where it goes through the surface, points are put in: the last one of a ball and the first one of the
    next, `leaves` (k, 3) and `returns` (k, 3), at `places` (k,) between the rows, out of the ball `left` (k,).
    """

    points: Array
    rows: Array
    sheets: Array
    leaves: Array
    returns: Array
    places: Array
    left: Array


def ball_path(p: ArrayLike, as_one: bool) -> BallPath:
    """The path of `p` (n, 4). With `as_one` p and -p are one orientation: there is one ball, which the path leaves at a
    point of the surface to come back at the opposite one. Without, p counts as it is: the path leaves one ball and
    enters the other at the same point, and breaks where p changes its sign from row to row."""
    p = np.asarray(p, dtype=np.float64).reshape(-1, 4)
    with np.errstate(invalid="ignore"):
        p = normalise(p)
        whole = continuous_sign(p)
        jumps = np.sum(p[1:] * p[:-1], axis=-1) < 0.0
    smooth, sheets = (whole, sheet_of(whole)) if as_one else (p, sheet_of(p))
    points = stereographic(smooth) * (sheets[:, np.newaxis] if as_one else 1.0)
    passes = sheets[1:] != sheets[:-1]
    broken = np.flatnonzero(passes if as_one else passes | jumps)
    before, after = smooth[broken], smooth[broken + 1]
    jumped = np.zeros(len(broken), dtype=bool) if as_one else jumps[broken]
    share = np.where(jumped, 0.5, before[:, 0] / np.where(jumped, 1.0, before[:, 0] - after[:, 0]))
    middle = normalise((before + share[:, np.newaxis] * (after - before))[:, 1:])
    middle[jumped] = np.nan
    leaves, returns = (middle * (sheets[broken + step][:, np.newaxis] if as_one else 1.0) for step in (0, 1))
    at = np.repeat(broken + 1, 3)
    gap = np.full_like(leaves, np.nan)
    inserted = np.stack((leaves, gap, returns), axis=1).reshape(-1, 3)
    kept = ~jumped
    drawn = np.ones(len(p)) if as_one else sheets
    sides = np.stack((drawn[broken], drawn[broken], drawn[broken + 1]), axis=1).ravel()
    return BallPath(
        np.insert(points, at, inserted, axis=0),
        np.insert(np.arange(len(p), dtype=float), at, np.repeat(broken + share, 3)),
        np.insert(drawn, at, sides),
        leaves[kept],
        returns[kept],
        (broken + share)[kept],
        drawn[broken][kept],
    )
