"""Few enough points for print: a curve of a million samples is the band that its extremes fill."""

from __future__ import annotations

import numpy as np

BUCKETS = 1000
"""Buckets across a plot: on 180 mm each is 0.18 mm wide, half as wide as the line that is drawn through it."""


def reduce(times: np.ndarray, values: np.ndarray, buckets: int = BUCKETS) -> tuple[np.ndarray, np.ndarray]:
    """Times (m,) and values (m,) with at most two points a bucket, from times (n,) and values (n,).

    A bucket's points are its least and its greatest value, in the order in which the curve goes through the bucket. A
    NaN in a bucket is a gap there.

    >>> times, values = reduce(np.arange(1000.0), np.sin(np.arange(1000.0)), buckets=10)
    >>> len(times), float(values.max()) > 0.99
    (20, True)
    """
    size = -(-len(times) // buckets)
    if size < 3:
        return times, values
    starts = np.arange(0, len(times), size)
    stops = np.append(starts[1:], len(times)) - 1
    low, high = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    falling = values[starts] > values[stops]
    made = np.empty(2 * len(starts)), np.empty(2 * len(starts))
    made[0][0::2], made[0][1::2] = times[starts], times[stops]
    made[1][0::2], made[1][1::2] = np.where(falling, high, low), np.where(falling, low, high)
    return made
