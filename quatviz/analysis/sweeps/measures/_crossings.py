"""Where what is known at samples passes through zero between two of them. Not a measure."""

import numpy as np

Array = np.ndarray

_NEWTON_STEPS = 6
"""Steps from the secant's root: each doubles the digits."""


def sign_changes(x: Array, upward: bool | None = None) -> Array:
    """Whether x (s, b) changes its sign between each row and the next (s-1, b); only from below zero to above, or the other way
    round, where that is asked. Zero counts as above."""
    below = x < 0.0
    crossings = below[1:] != below[:-1]
    if upward is not None:
        crossings &= below[:-1] == upward
    if not np.isfinite(x[-1]).all():  # a run that ended: what is NaN once stays NaN
        crossings &= np.isfinite(x[1:])
    return crossings


def crossing_fractions(
    low: Array, high: Array, slope_low: Array, slope_high: Array, interval: float
) -> Array:
    """The shares (n,) of an interval [s] at which the cubic with these values and slopes at its ends, of which one is below
    zero and the other not, passes through zero: an error of the fourth power of the interval."""
    rise, low_rise, high_rise = high - low, slope_low * interval, slope_high * interval
    fraction = low / (low - high)
    for _ in range(_NEWTON_STEPS):
        weight = fraction * (1.0 - fraction)
        a, b = low_rise - rise, rise - high_rise
        value = low + fraction * rise + weight * ((1.0 - fraction) * a + fraction * b)
        slope = rise + (1.0 - 2.0 * fraction) * ((1.0 - fraction) * a + fraction * b) + weight * (b - a)
        with np.errstate(all="ignore"):
            candidate = fraction - value / slope
        fraction = np.where((candidate >= 0.0) & (candidate <= 1.0), candidate, fraction)
    return fraction


def cubic_values(
    low: Array, high: Array, slope_low: Array, slope_high: Array, interval: float, fraction: Array
) -> Array:
    """The values (..., n) of such a cubic at shares (n,) of the interval."""
    rise = high - low
    weight = fraction * (1.0 - fraction)
    return low + fraction * rise + weight * (
        (1.0 - fraction) * (slope_low * interval - rise) + fraction * (rise - slope_high * interval)
    )  # fmt: skip
