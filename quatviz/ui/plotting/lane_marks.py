"""Where the shapes stand along the curve of a lane that shares its colour with another one."""

from __future__ import annotations

import math

import numpy as np

from quatviz.export.figures.stripes import Turns, bucket_time

APART = 80.0
"""Pixels from one shape to the next, about."""


def shape_times(turns: Turns | None, curve: int, low: float, high: float, pixel: float) -> np.ndarray:
    """Times (m,) [s] within [low, high], fixed in data time as stripes are; `pixel` is a pixel's width in seconds.

    Where curves agree a shape stands in the middle of its own curve's stripe, and belongs to no other.
    """
    if turns is None:
        length = bucket_time(pixel, 0.0)
        own = np.arange(math.floor(low / length), math.floor(high / length) + 1)
    else:
        length = turns.length
        own = turns.buckets[turns.shown[curve]]
    every = math.ceil(APART * pixel / length)
    _, first = np.unique((own + curve) // every, return_index=True)
    times = (own[first] + 0.5) * length
    return times[(times >= low) & (times <= high)]
