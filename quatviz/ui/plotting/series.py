"""One quantity of one lane as a panel draws it: views of the source, and few enough points for a screen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from quatviz.ui.growth import Following
from quatviz.ui.lazy import Column, large_numbers, upto
from quatviz.ui.plotting.pyramid import FACTOR, Digest, Pyramid, bucket_extremes, bucket_size

FEWEST = 100
"""Buckets by which a curve can be told."""


@dataclass(frozen=True)
class Window:
    """Which rows a plot shows, the same for every lane of a run: buckets `first` to `last` of `size` rows."""

    first: int
    last: int
    size: int


@dataclass(frozen=True)
class Jumps:
    """Where a curve jumps: times (m,), the heights half-way (m,), and causes (m,) of `breaks.CAUSES`."""

    times: np.ndarray
    middles: np.ndarray
    causes: np.ndarray


NO_JUMPS = Jumps(np.empty(0), np.empty(0), np.empty(0, dtype=np.int8))


def window(times: np.ndarray, low: float, high: float, pixels: float, coarse: bool = False) -> Window:
    """The buckets that cover [low, high] s, with one more on either side so that curves run off the edge. `coarse`: as few
    as the curve can be told by, where those are reduced already."""
    start = int(np.searchsorted(times, low, "left"))
    stop = int(np.searchsorted(times, high, "right"))
    rows = stop - start
    if rows > 0 and len(times) > 1:
        # Count the rows that will be there once computed, or the bucket size would change as data arrive.
        spacing = (times[-1] - times[0]) / (len(times) - 1)
        rows = max(rows, int((high - low) / spacing))
    size = bucket_size(rows, pixels)
    if coarse and rows >= FEWEST * FACTOR:
        size = max(size, 2 ** math.floor(math.log2(rows / FEWEST)))
    return Window(max(start // size - 1, 0), -(-stop // size) + 1, size)


@dataclass(frozen=True)
class Reduced:
    """What a series needs of some rows: their extremes by blocks, and of all that are numbers (k,)."""

    blocks: Digest
    least: np.ndarray
    greatest: np.ndarray
    least_positive: np.ndarray
    """Of magnitudes."""


class Series(Following):
    """Times (n,) and values (n, k) of one lane and quantity, growing; `magnitude` draws absolute values.

    Rows are drawn once they are reduced. A column of a run is reduced off the window's thread (`ui.growth`): there
    `digest` runs, in the order of the rows, and `take` has `absorb` take in what it made. A subclass that looks at new
    rows does so in `digest`, and changes what is drawn in `absorb` only.
    """

    def __init__(self, width: int, magnitude: bool = False) -> None:
        super().__init__()
        self.times = np.empty(0)
        self.values: Column = np.empty((0, width))
        self.magnitude = magnitude
        self.least = np.full(width, np.nan)
        self.greatest = np.full(width, np.nan)
        self.least_positive = np.full(width, np.nan)
        self._whole: tuple[np.ndarray, Column] = (self.times, self.values)
        """Times and values as far as they can be read."""
        self._key: tuple[Window, int] | None = None
        self._points = (np.empty(0), np.empty((0, width)))
        self._time_key: tuple[float, int] | None = None
        self._row: list[float] = []
        self._pyramid = Pyramid(width, magnitude)

    def empty(self) -> Series:
        """Another one of its kind, without rows."""
        return Series(len(self.least), self.magnitude)

    def take(self, times: np.ndarray, values: Column) -> bool:
        """Look at the columns as they are now; true where rows are new."""
        before = len(self.times)
        count = min(len(times), len(values))
        self.grow(upto(values, count))
        self._whole = times[:count], values
        self.times, self.values = times[: self.count], upto(values, self.count)
        return len(self.times) != before

    def digest(self, rows: np.ndarray) -> Any:
        """What becomes of the rows (m, k) that follow those digested before; it must not change what is drawn."""
        blocks = self._pyramid.digest(rows)
        low = np.concatenate([blocks.low, blocks.pending])
        high = np.concatenate([blocks.high, blocks.pending])
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            low = high = np.where(np.isfinite(rows), np.abs(rows) if self.magnitude else rows, np.nan)
        positive = low
        if self.magnitude and not (low > 0).all():
            positive = np.where(rows != 0, np.abs(rows), np.nan)
            positive = np.where(np.isfinite(positive), positive, np.nan)
        least, greatest = np.fmin.reduce(low, axis=0), np.fmax.reduce(high, axis=0)
        return Reduced(blocks, least, greatest, np.fmin.reduce(positive, axis=0))

    def absorb(self, digest: Any) -> None:
        """Take in what was made of new rows."""
        self._pyramid.absorb(digest.blocks)
        self.count += digest.blocks.count
        self.least = np.fmin(self.least, digest.least)
        self.greatest = np.fmax(self.greatest, digest.greatest)
        self.least_positive = np.fmin(self.least_positive, digest.least_positive)

    def points(self, view: Window) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) and values (m, k) to draw: each row, or a pair per bucket in the order of the curve.

        A bucket with NaN in it is NaN: a break stays a gap, at most two pixels wider than it is. The strips of
        a quantity ask one after another for the same view, so the last answer is kept.
        """
        key = (view, len(self.times))
        if key != self._key:
            self._key, self._points = key, self._reduced(view)
        return self._points

    def curve(self, view: Window, component: int) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) and values (m,) of one component, with NaN where the line must not go on."""
        times, values = self.points(view)
        return times, values[:, component]

    def jumps(self, component: int, low: float = -math.inf, high: float = math.inf) -> Jumps:
        """Where one component jumps from `low` to `high` [s]."""
        return NO_JUMPS

    @property
    def reach(self) -> float:
        """Time of the last row that can be drawn [s]."""
        return float(self.times[-1]) if len(self.times) else -math.inf

    def end(self, component: int) -> tuple[float, float] | None:
        """Time and value of the last row that is a number."""
        times, values = self._whole
        (good,) = np.nonzero(np.isfinite(values[-64:, component]))
        if len(good) == 0:
            return None
        row = len(values) - min(len(values), 64) + int(good[-1])
        return float(times[row]), float(values[row, component])

    def at(self, time: float) -> list[float]:
        """The values on the drawn lines at `time`: linear between rows, NaN outside them or in a break.

        Where rows are not drawn yet, it is the row before.
        """
        key = (time, len(self.times))
        if key != self._time_key or self._is_ahead(time):
            self._time_key = key
            self._row = self._beyond(time) if self._is_ahead(time) else self._interpolated(time)
        return self._row

    def _is_ahead(self, time: float) -> bool:
        count, times = len(self.times), self._whole[0]
        return 0 < len(times) > count and not (count and time <= self.times[-1])

    def _beyond(self, time: float) -> list[float]:
        times, values = self._whole
        if not times[0] <= time <= times[-1]:
            return [math.nan] * values.shape[1]
        return values[int(times.searchsorted(time, "right")) - 1].tolist()

    def _interpolated(self, time: float) -> list[float]:
        count = len(self.times)
        if count == 0 or not self.times[0] <= time <= self.times[-1]:
            return [math.nan] * self.values.shape[1]
        right = min(int(self.times.searchsorted(time, "right")), count - 1)
        left = max(right - 1, 0)
        start, stop = float(self.times[left]), float(self.times[right])
        rows = self.values[left : right + 1].tolist()
        before, after = rows[0], rows[-1]
        if time >= stop or stop == start:
            return after
        if time == start:
            return before  # a neighbour that is NaN does not spoil a row that is not
        part = (time - start) / (stop - start)
        return [a + part * (b - a) for a, b in zip(before, after, strict=True)]

    def _reduced(self, view: Window) -> tuple[np.ndarray, np.ndarray]:
        count, size = len(self.times), view.size
        if size == 1:
            rows = slice(view.first, min(view.last, count))
            return self.times[rows], np.abs(self.values[rows]) if self.magnitude else self.values[rows]
        full = min(view.last, count // size)
        tail = view.last > full >= view.first and count > full * size
        if size < FACTOR:
            read = self.values[view.first * size : count if tail else max(view.first, full) * size]
            low, high = bucket_extremes(np.abs(read) if self.magnitude else read, size)
        else:
            low, high = self._pyramid.extremes(view.first, full, size)
            if tail:
                least, greatest = self._pyramid.tail(full * size)
                low, high = np.concatenate([low, least]), np.concatenate([high, greatest])
        starts = np.arange(view.first, view.first + len(low)) * size
        return self._pairs(starts, np.minimum(starts + size, count) - 1, low, high)

    @large_numbers
    def _pairs(
        self, starts: np.ndarray, stops: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Two points for each bucket, in the order in which the curve runs from the bucket before to the next one."""
        middles = low + high
        falling = np.concatenate([middles[:1], middles[:-1]]) > np.concatenate([middles[1:], middles[-1:]])
        times = np.empty(2 * len(starts))
        values = np.empty((2 * len(starts), low.shape[1]))
        times[0::2], times[1::2] = self.times[starts], self.times[stops]
        values[0::2], values[1::2] = np.where(falling, high, low), np.where(falling, low, high)
        return times, values
