"""Where what is known at samples passes through zero between two of them. Not a measure."""

import numpy as np

Array = np.ndarray

_NEWTON = 6
"""Steps from the secant's root: each doubles the digits."""


def changes(x: Array, upward: bool | None = None) -> Array:
    """Whether x (s, b) changes its sign between each row and the next (s-1, b); only from below zero to above, or the other way
    round, where that is asked. Zero counts as above."""
    below = x < 0.0
    there = below[1:] != below[:-1]
    if upward is not None:
        there &= below[:-1] == upward
    if not np.isfinite(x[-1]).all():  # a run that ended: what is NaN once stays NaN
        there &= np.isfinite(x[1:])
    return there


def roots(low: Array, high: Array, slope_low: Array, slope_high: Array, interval: float) -> Array:
    """The shares (n,) of an interval [s] at which the cubic with these values and slopes at its ends, of which one is below
    zero and the other not, passes through zero: an error of the fourth power of the interval."""
    rise, one, two = high - low, slope_low * interval, slope_high * interval
    share = low / (low - high)
    for _ in range(_NEWTON):
        turn = share * (1.0 - share)
        a, b = one - rise, rise - two
        value = low + share * rise + turn * ((1.0 - share) * a + share * b)
        slope = rise + (1.0 - 2.0 * share) * ((1.0 - share) * a + share * b) + turn * (b - a)
        with np.errstate(all="ignore"):
            moved = share - value / slope
        share = np.where((moved >= 0.0) & (moved <= 1.0), moved, share)
    return share


def between(
    low: Array, high: Array, slope_low: Array, slope_high: Array, interval: float, share: Array
) -> Array:
    """The values (..., n) of such a cubic at shares (n,) of the interval."""
    rise = high - low
    turn = share * (1.0 - share)
    return low + share * rise + turn * (
        (1.0 - share) * (slope_low * interval - rise) + share * (rise - slope_high * interval)
    )  # fmt: skip
