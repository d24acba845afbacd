"""Least and greatest values over blocks of rows, kept while a history grows.

A curve of a million rows is drawn on a few hundred pixels. Rows are grouped into buckets whose size is a
power of two and whose borders are multiples of that size, so a bucket's values never change as the view
scrolls, and its least and greatest values are found from coarser blocks already reduced.
"""

from __future__ import annotations

import numpy as np

FACTOR = 32
"""Rows per block of the finest level, and blocks of a level per block of the next."""


def bucket_size(rows: int, pixels: float) -> int:
    """The power of two of rows per bucket that gives about one bucket per pixel (0.75 to 1.5)."""
    size = 1
    while rows > 1.5 * size * max(pixels, 1.0):
        size *= 2
    return size


def _reduced(values: np.ndarray, size: int, reduce: np.ufunc) -> np.ndarray:
    """`reduce` over consecutive groups of `size` rows; NaN in a group makes its result NaN."""
    groups = values.reshape(-1, size, *values.shape[1:])
    if size <= FACTOR:
        # Reducing along the short axis costs a call per group; a transposed copy turns it into `size` sweeps.
        groups = np.ascontiguousarray(np.moveaxis(groups, 1, 0))
        return reduce.reduce(groups, axis=0)
    return reduce.reduce(groups, axis=1)


class _Level:
    """Least and greatest of each full block of `size` rows, in arrays that double as they fill."""

    def __init__(self, size: int, width: int) -> None:
        self.size = size
        self.count = 0
        self._low = np.empty((64, width))
        self._high = np.empty((64, width))

    @property
    def low(self) -> np.ndarray:
        return self._low[: self.count]

    @property
    def high(self) -> np.ndarray:
        return self._high[: self.count]

    def append(self, low: np.ndarray, high: np.ndarray) -> None:
        total = self.count + len(low)
        if total > len(self._low):
            room = max(total, 2 * len(self._low)) - self.count
            self._low = np.concatenate([self.low, np.empty((room, low.shape[1]))])
            self._high = np.concatenate([self.high, np.empty((room, low.shape[1]))])
        self._low[self.count : total] = low
        self._high[self.count : total] = high
        self.count = total


class Pyramid:
    """Extremes of an (n, k) column that only grows. `magnitude` reduces absolute values instead."""

    def __init__(self, width: int, magnitude: bool = False) -> None:
        self._levels = [_Level(FACTOR**power, width) for power in (1, 2, 3)]
        self._magnitude = magnitude

    def grow(self, values: np.ndarray) -> None:
        """Take in the rows of `values` that are new since the last call."""
        finest = self._levels[0]
        start, stop = finest.count * finest.size, len(values) // finest.size * finest.size
        if stop <= start:
            return
        rows = self._taken(values[start:stop])
        low, high = _reduced(rows, FACTOR, np.minimum), _reduced(rows, FACTOR, np.maximum)
        finest.append(low, high)
        for fine, coarse in zip(self._levels, self._levels[1:], strict=False):
            done, ready = coarse.count * FACTOR, fine.count // FACTOR * FACTOR
            if ready > done:
                low = _reduced(fine.low[done:ready], FACTOR, np.minimum)
                high = _reduced(fine.high[done:ready], FACTOR, np.maximum)
                coarse.append(low, high)

    def extremes(self, values: np.ndarray, first: int, last: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest (buckets, k) in the full buckets [first, last) of `size` rows."""
        if last <= first:
            return np.empty((0, values.shape[1])), np.empty((0, values.shape[1]))
        level = next((one for one in reversed(self._levels) if one.size <= size), None)
        if level is None:
            rows = self._taken(values[first * size : last * size])
            return _reduced(rows, size, np.minimum), _reduced(rows, size, np.maximum)
        group = size // level.size
        block = slice(first * group, last * group)
        low, high = level.low[block], level.high[block]
        return _reduced(low, group, np.minimum), _reduced(high, group, np.maximum)

    def tail(self, values: np.ndarray, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest (k,) of the rows from `start` on, which fill no bucket yet."""
        rows = self._taken(values[start:])
        return rows.min(axis=0), rows.max(axis=0)

    def _taken(self, rows: np.ndarray) -> np.ndarray:
        return np.abs(rows) if self._magnitude else rows
