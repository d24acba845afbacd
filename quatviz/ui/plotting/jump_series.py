"""Coordinates of the orientation of one lane: series that know where they jump and never draw a line across."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from quatviz.export.figures.breaks import Breaks, Find, Grown, find, flips
from quatviz.ui.plotting.pieces import Pieces
from quatviz.ui.plotting.pyramid import FACTOR
from quatviz.ui.plotting.series import NO_JUMPS, Jumps, Series, Window


class JumpSeries(Series):
    """Values (n, k) whose jumps `find` finds."""

    def __init__(self, width: int, find: Find) -> None:
        super().__init__(width)
        self._find = find
        self.breaks = Breaks(width, find)
        self._cut_blocks = Pieces(width)
        self._last: np.ndarray | None = None
        self._ends = [(Grown(np.float64), Grown(np.float64)) for _ in range(width)]
        """Of each component, the values before its jumps and behind them: many jumps may be in sight at once."""

    def empty(self) -> Series:
        return JumpSeries(len(self.least), self._find)

    def digest(self, rows: np.ndarray) -> Any:
        first = self.breaks.looked_at
        found = self.breaks.look(rows)
        jumps = [at for at, _ in found[:-1]] or [np.empty(0, dtype=np.int64)] * len(self._ends)
        before = np.vstack([rows[:1] if self._last is None else self._last, rows])
        self._last = np.array(rows[-1:])
        ends = [
            (before[at - first, component], rows[at - first, component]) for component, at in enumerate(jumps)
        ]
        return super().digest(rows), found, ends, self._cut_blocks.digest(rows, jumps)

    def absorb(self, digest: Any) -> None:
        reduced, found, ends, pieces = digest
        super().absorb(reduced)
        self.breaks.keep(found)
        self._cut_blocks.absorb(pieces)
        for kept, new in zip(self._ends, ends, strict=True):
            if len(new[0]):
                for all_values, values in zip(kept, new, strict=True):
                    all_values.append(values)

    def curve(self, view: Window, component: int) -> tuple[np.ndarray, np.ndarray]:
        times, values = super().curve(view, component)
        rows = self.breaks.rows(component)
        first = view.first * view.size
        last = min(view.last * view.size, len(self.times))
        rows = rows[rows.searchsorted(first, "right") : rows.searchsorted(last, "left")]
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
        before, behind = (values.all for values in self._ends[component])
        rows = self.breaks.rows(component)
        heights = (before[rows.searchsorted(start + 1)] + behind[rows.searchsorted(stop)]) / 2
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
        starts = np.union1d(cut * size, inside)
        ends = np.minimum((starts // size + 1) * size, len(self.times))
        stops = np.minimum(np.append(starts[1:], len(self.times)), ends) - 1
        if size < FACTOR:
            rows = (cut[:, None] * size + np.arange(size)).ravel()
            rows = rows[rows < len(self.times)]
            values = self.values[rows, component]
            places = np.searchsorted(rows, starts)
            low, high = np.minimum.reduceat(values, places), np.maximum.reduceat(values, places)
            falling = values[places] > values[np.searchsorted(rows, stops)]
        else:
            low, high, falling = self._cut_blocks.extremes(
                component, cut, size, starts, self._pyramid, self.values
            )
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
