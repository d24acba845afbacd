"""Curves that agree, drawn so that each can be seen.

Lanes describe one motion: their curves coincide and the last drawn would hide the rest. Time is cut into
buckets fixed in data time. Within a bucket in which curves stay within a pixel of each other they take
turns, one bucket each; where they part, all are drawn fully.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

WIDTH = 12.0
"""The least width of a stripe in pixels."""

TOUCH = 1.0
"""Curves no further apart than this many pixels count as one."""


def bucket_time(seconds_per_pixel: float, spacing: float) -> float:
    """Length of a stripe in seconds: a power of two, so that it keeps its place while the view scrolls or
    zooms a little, and never shorter than the `spacing` of the points that draw it.

    >>> bucket_time(seconds_per_pixel=0.02, spacing=0.01)
    0.25
    """
    least = max(WIDTH * seconds_per_pixel, spacing, 1e-300)
    return float(2.0 ** math.ceil(math.log2(least)))


@dataclass(frozen=True)
class Turns:
    """Whose turn it is: numbers of the buckets (m,), and who is `shown` (curves, m) in each."""

    length: float
    buckets: np.ndarray
    shown: np.ndarray

    def mask(self, curve: int, times: np.ndarray) -> np.ndarray:
        """Which points (n,) of a curve at `times` (n,) [s] are drawn; runs overlap by one, so that turns join without a gap."""
        return self.masks(times, [curve])[0]

    def masks(self, times: np.ndarray, curves: list[int]) -> np.ndarray:
        """The same of several curves (curves, points)."""
        place = np.searchsorted(self.buckets, _bucket(times, self.length))
        masks: np.ndarray = self.shown[curves][:, np.minimum(place, len(self.buckets) - 1)]
        masks[:, 1:] |= masks[:, :-1]
        return masks


def turns(times: np.ndarray, pixels: np.ndarray, length: float) -> Turns:
    """`times` (points,) [s] are shared by the curves, `pixels` (curves, points) are heights, NaN where there is
    none; `length` is `bucket_time`."""
    buckets = _bucket(times, length)
    starts = np.flatnonzero(np.diff(buckets, prepend=buckets[0] - 1))
    turn = buckets[starts]
    own = np.arange(len(pixels))[:, None]
    spread = pixels.max(axis=0) - pixels.min(axis=0)
    together = np.maximum.reduceat(spread, starts) <= TOUCH
    if together.all():  # which is most often so
        return Turns(length, turn, turn % len(pixels) == own)
    touching = _touching(pixels, starts, together)
    rank = (own > own.T)[:, :, None] & touching
    return Turns(length, turn, turn % touching.sum(axis=1) == rank.sum(axis=1))


APART = 80.0
"""Pixels from one shape to the next, about."""


def shape_times(turns: Turns | None, curve: int, low: float, high: float, pixel: float) -> np.ndarray:
    """Times (m,) [s] within [low, high] of the shapes that tell a curve, fixed in data time as stripes are; `pixel` is a
    pixel's width in seconds.

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


def _bucket(times: np.ndarray, length: float) -> np.ndarray:
    return np.floor(times / length).astype(np.int64)


def _touching(pixels: np.ndarray, starts: np.ndarray, together: np.ndarray) -> np.ndarray:
    """(curves, curves, buckets): whether two curves stay within a pixel all through a bucket, as all do where `together`."""
    touching = np.ones((len(pixels), len(pixels), len(starts)), dtype=bool)
    counts = np.diff(starts, append=pixels.shape[1])
    firsts = np.cumsum(counts[~together]) - counts[~together]
    touching[:, :, ~together] = _pairs(pixels[:, np.repeat(~together, counts)], firsts)
    return touching


def _pairs(pixels: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The same for each pair by itself."""
    apart = np.abs(pixels[:, None, :] - pixels[None, :, :])
    missing = np.isnan(pixels)
    # Two gaps agree; a gap against a value does not.
    apart[missing[:, None, :] & missing[None, :, :]] = 0.0
    apart[np.isnan(apart)] = np.inf
    return np.maximum.reduceat(apart, starts, axis=2) <= TOUCH


CELL = 11.0
"""Side of the squares on the paper, in pixels, in which paths that agree take turns."""


def taken_in_turns(
    times: Sequence[np.ndarray], pixels: Sequence[np.ndarray], seen: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Which of the points that are `seen` (m,) of paths at `times` (m,) [s] and `pixels` (m, 2) are their own to draw: where
    paths agree they take turns, so that each is seen."""
    longest = max(times, key=len, default=())
    if len(times) < 2 or len(longest) < 2:
        return [np.ones(len(own), dtype=bool) for own in times]
    slack = 1e-3 * float(np.ptp(longest)) / len(longest)
    places = np.full((2, len(times), len(longest)), np.nan)
    for number, (own, at, mask) in enumerate(zip(times, pixels, seen, strict=True)):
        # The last row of a lane that has got less far is between the rows of the others.
        shared = mask & (np.abs(own - longest[: len(mask)]) <= slack)
        places[:, number, : len(mask)][:, shared] = at[shared].T
    # One cell for all that touch: that of the first of them. Stripes have their places on the paper, not in time:
    # so a path that comes by again is striped as it was before.
    numbers, cells = np.arange(len(times))[:, None], np.floor(np.nan_to_num(places) / CELL).T @ (1.0, 2.0)
    mine = cells[:, 0] % len(times) == numbers
    parted = ~(np.ptp(places, axis=1) <= TOUCH).all(axis=0)  # most often nowhere
    apart = places[:, :, parted]
    touching = (np.abs(apart[:, :, None] - apart[:, None]) <= TOUCH).all(axis=0)
    size, rank = touching.sum(axis=1), (touching & (numbers > numbers.T)[:, :, None]).sum(axis=1)
    cell = np.take_along_axis(cells[parted].T, np.argmax(touching, axis=1), axis=0)
    mine[:, parted] = (cell % np.maximum(size, 1) == rank) | (size == 0)
    return [mask[: len(own)] for mask, own in zip(mine, times, strict=True)]
