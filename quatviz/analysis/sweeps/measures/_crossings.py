"""Zero crossings of sampled quantities, which several sweep measures use."""

import numpy as np

Array = np.ndarray

_NEWTON_STEPS = 6
"""Number of Newton iterations, which start from the root of the secant. Each iteration doubles the number of
correct digits."""


def sign_changes(x: Array, upward: bool | None = None) -> Array:
    """Return a mask (s - 1, b) of the sign changes of x (s, b) between consecutive rows. Zero counts as positive.

    `upward` restricts the result to crossings from negative to positive (True) or the opposite (False).
    """
    below = x < 0.0
    crossings = below[1:] != below[:-1]
    if upward is not None:
        crossings &= below[:-1] == upward
    if not np.isfinite(x[-1]).all():  # A run that has ended stays NaN.
        crossings &= np.isfinite(x[1:])
    return crossings


def crossing_fractions(
    low: Array, high: Array, slope_low: Array, slope_high: Array, interval: float
) -> Array:
    """Return the positions (n,) of zero crossings as fractions of the interval [s].

    The sampled quantity is interpolated by the cubic with the given values and slopes at both ends of the
    interval. Exactly one of the two values must be negative. The error is of fourth order in the interval.
    """
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
    """Return the values (..., n) of cubics at fractions (n,) of the interval. Each cubic has the given values
    and slopes at the two ends."""
    rise = high - low
    weight = fraction * (1.0 - fraction)
    return low + fraction * rise + weight * (
        (1.0 - fraction) * (slope_low * interval - rise) + fraction * (rise - slope_high * interval)
    )  # fmt: skip
