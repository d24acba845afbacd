"""One quantity of one lane as a panel draws it: views of the source, and few enough points for a screen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from quatviz.ui.plotting.pyramid import Pyramid, bucket_size


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


def window(times: np.ndarray, low: float, high: float, pixels: float) -> Window:
    """The buckets that cover [low, high] s, with one more on either side so that curves run off the edge."""
    start = int(np.searchsorted(times, low, "left"))
    stop = int(np.searchsorted(times, high, "right"))
    rows = stop - start
    if rows > 0 and len(times) > 1:
        # Count the rows that will be there once computed, or the bucket size would change as data arrive.
        spacing = (times[-1] - times[0]) / (len(times) - 1)
        rows = max(rows, int((high - low) / spacing))
    size = bucket_size(rows, pixels)
    return Window(max(start // size - 1, 0), -(-stop // size) + 1, size)


class Series:
    """Times (n,) and values (n, k) of one lane and quantity, growing; `magnitude` draws absolute values."""

    def __init__(self, width: int, magnitude: bool = False) -> None:
        self.times = np.empty(0)
        self.values = np.empty((0, width))
        self.magnitude = magnitude
        self.least = np.full(width, np.nan)
        self.greatest = np.full(width, np.nan)
        self.least_positive = np.full(width, np.nan)
        self._seen = 0
        self._key: tuple[Window, int] | None = None
        self._points = (np.empty(0), np.empty((0, width)))
        self._time_key: tuple[float, int] | None = None
        self._row: list[float] = []
        self._pyramid = Pyramid(width, magnitude)

    def take(self, times: np.ndarray, values: np.ndarray) -> bool:
        """Look at the columns as they are now; true where rows are new."""
        count = min(len(times), len(values))
        self.times, self.values = times[:count], values[:count]
        if count == self._seen:
            return False
        self._pyramid.grow(self.values)
        self._widen(self.values[self._seen :])
        self._seen = count
        return True

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
        """Time of the last row taken in [s]."""
        return float(self.times[-1]) if len(self.times) else -math.inf

    def end(self, component: int) -> tuple[float, float] | None:
        """Time and value of the last row that is a number."""
        (good,) = np.nonzero(np.isfinite(self.values[-64:, component]))
        if len(good) == 0:
            return None
        row = len(self.values) - min(len(self.values), 64) + int(good[-1])
        return float(self.times[row]), float(self.values[row, component])

    def at(self, time: float) -> list[float]:
        """The values on the drawn lines at `time`: linear between rows, NaN outside them or in a break."""
        key = (time, len(self.times))
        if key != self._time_key:
            self._time_key, self._row = key, self._interpolated(time)
        return self._row

    def _interpolated(self, time: float) -> list[float]:
        count = len(self.times)
        if count == 0 or not self.times[0] <= time <= self.times[-1]:
            return [math.nan] * self.values.shape[1]
        right = min(int(self.times.searchsorted(time, "right")), count - 1)
        left = max(right - 1, 0)
        start, stop = float(self.times[left]), float(self.times[right])
        if time >= stop or stop == start:
            return self.values[right].tolist()
        before = self.values[left].tolist()
        if time == start:
            return before  # a neighbour that is NaN does not spoil a row that is not
        part = (time - start) / (stop - start)
        after = self.values[right].tolist()
        return [a + part * (b - a) for a, b in zip(before, after, strict=True)]

    def _reduced(self, view: Window) -> tuple[np.ndarray, np.ndarray]:
        count, size = len(self.times), view.size
        if size == 1:
            rows = slice(view.first, min(view.last, count))
            return self.times[rows], np.abs(self.values[rows]) if self.magnitude else self.values[rows]
        full = min(view.last, count // size)
        low, high = self._pyramid.extremes(self.values, view.first, full, size)
        starts = np.arange(view.first, full) * size
        stops = starts + size - 1
        if view.last > full >= view.first and count > full * size:
            least, greatest = self._pyramid.tail(self.values, full * size)
            low, high = np.vstack([low, least]), np.vstack([high, greatest])
            starts, stops = np.append(starts, full * size), np.append(stops, count - 1)
        return self._pairs(starts, stops, low, high)

    def _pairs(
        self, starts: np.ndarray, stops: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        first, last = self.values[starts], self.values[stops]
        if self.magnitude:
            first, last = np.abs(first), np.abs(last)
        falling = first > last
        times = np.empty(2 * len(starts))
        values = np.empty((2 * len(starts), low.shape[1]))
        times[0::2], times[1::2] = self.times[starts], self.times[stops]
        values[0::2], values[1::2] = np.where(falling, high, low), np.where(falling, low, high)
        return times, values

    def _widen(self, rows: np.ndarray) -> None:
        rows = np.where(np.isfinite(rows), np.abs(rows) if self.magnitude else rows, np.nan)
        self.least = np.fmin(self.least, np.fmin.reduce(rows, axis=0))
        self.greatest = np.fmax(self.greatest, np.fmax.reduce(rows, axis=0))
        positive = np.fmin.reduce(np.where(rows > 0, rows, np.nan), axis=0)
        self.least_positive = np.fmin(self.least_positive, positive)
