"""Coordinates of the orientation of one lane: series that know where they jump and never draw a line across."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

import numpy as np

from quatviz.export.figures.breaks import Breaks, Find, find, flips
from quatviz.ui.plotting.series import NO_JUMPS, Jumps, Series, Window


class JumpSeries(Series):
    """Values (n, k) whose jumps `find` finds."""

    def __init__(self, width: int, find: Find) -> None:
        super().__init__(width)
        self.breaks = Breaks(width, find)

    def take(self, times: np.ndarray, values: np.ndarray) -> bool:
        grown = super().take(times, values)
        if grown:
            self.breaks.take(self.values[self.breaks.looked_at :])
        return grown

    def curve(self, view: Window, component: int) -> tuple[np.ndarray, np.ndarray]:
        times, values = super().curve(view, component)
        rows = self.breaks.rows(component)
        first = view.first * view.size
        rows = rows[(rows > first) & (rows < min(view.last * view.size, len(self.times)))]
        if len(rows) == 0:
            return times, values
        if view.size == 1:
            return _cut(times, values, rows - first)
        pairs = len(times) // 2
        starts = (view.first + np.arange(pairs)) * view.size
        inside = rows[rows % view.size != 0]
        if len(inside) == 0:
            return _cut(times, values, 2 * np.searchsorted(starts, rows))
        cut = np.unique(inside // view.size)
        kept = ~np.isin(starts, cut * view.size)
        pieces, piece_times, piece_values = self._pieces(cut, inside, view.size, component)
        order = np.argsort(np.append(starts[kept], pieces), kind="stable")
        starts = np.append(starts[kept], pieces)[order]
        times = np.concatenate([times.reshape(-1, 2)[kept], piece_times])[order].ravel()
        values = np.concatenate([values.reshape(-1, 2)[kept], piece_values])[order].ravel()
        return _cut(times, values, 2 * np.searchsorted(starts, rows))

    def jumps(self, component: int, low: float = -math.inf, high: float = math.inf) -> Jumps:
        """From the last row before each jump to the first behind it, half-way in time and height."""
        start, stop, causes = self.breaks.grouped(component)
        first, last = np.searchsorted(self.times, low, "left"), np.searchsorted(self.times, high, "right")
        seen = slice(*np.searchsorted(start, (first, last)).tolist())
        start, stop, causes = start[seen], stop[seen], causes[seen]
        if len(start) == 0:
            return NO_JUMPS
        heights = (self.values[start, component] + self.values[stop, component]) / 2
        return Jumps((self.times[start] + self.times[stop]) / 2, heights, causes)

    def _interpolated(self, time: float) -> list[float]:
        """Across a jump nothing lies between two rows: there it is the nearer one."""
        row = super()._interpolated(time)
        right = int(self.times.searchsorted(time, "right"))
        for component in range(len(row)):
            rows = self.breaks.rows(component)
            place = int(rows.searchsorted(right))
            if place < len(rows) and rows[place] == right and not math.isnan(row[component]):
                late = time - self.times[right - 1] > self.times[right] - time
                row[component] = float(self.values[right if late else right - 1, component])
        return row

    def _pieces(
        self, cut: np.ndarray, inside: np.ndarray, size: int, component: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Buckets with jumps inside, in pieces without: first rows (m,), times (m, 2) and values (m, 2)."""
        rows = (cut[:, None] * size + np.arange(size)).ravel()
        rows = rows[rows < len(self.times)]
        values = self.values[rows, component]
        starts = np.union1d(cut * size, inside)
        places = np.searchsorted(rows, starts)
        stops = rows[np.append(places[1:], len(rows)) - 1]
        low, high = np.minimum.reduceat(values, places), np.maximum.reduceat(values, places)
        falling = self.values[starts, component] > self.values[stops, component]
        pairs = np.stack([np.where(falling, high, low), np.where(falling, low, high)], axis=1)
        return starts, np.stack([self.times[starts], self.times[stops]], axis=1), pairs


def angle_series(sequence: str) -> JumpSeries:
    """Of angles (n, 3) [deg] of a sequence, wrapped or not."""
    return JumpSeries(3, partial(find, sequence=sequence))


def parameter_series() -> JumpSeries:
    """Of Euler parameters (n, 4)."""
    return JumpSeries(4, flips)


def counts_of(series: Mapping[str, Series]) -> tuple[dict[str, dict[int, int]], list[dict[int, int]]]:
    """How often each lane jumps, by cause, where that is counted; and the same of those lanes that got furthest."""
    found = {lane: one for lane, one in series.items() if isinstance(one, JumpSeries) and len(one.times)}
    longest = max((len(one.times) for one in found.values()), default=0)
    counts = {lane: one.breaks.counts() for lane, one in found.items()}
    return counts, [counts[lane] for lane, one in found.items() if len(one.times) == longest]


def _cut(times: np.ndarray, values: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A gap in front of the points at `places`."""
    return np.insert(times, places, times[places]), np.insert(values, places, np.nan)
