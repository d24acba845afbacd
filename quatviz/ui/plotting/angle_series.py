"""Euler angles of one lane: a series that knows where it jumps and never draws a line across."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from quatviz.ui.plotting.breaks import find
from quatviz.ui.plotting.pieces import Pieces
from quatviz.ui.plotting.pyramid import FACTOR
from quatviz.ui.plotting.series import NO_JUMPS, Jumps, Series, Window


class AngleSeries(Series):
    """Angles (n, 3) [deg] of `sequence`. A jump is named by the row that comes after it."""

    def __init__(self, sequence: str) -> None:
        super().__init__(3)
        self.sequence = sequence
        self._last: np.ndarray | None = None
        self._cut_blocks = Pieces(3)
        self._rows = [np.empty(0, dtype=np.int64) for _ in range(3)]
        self._causes = [np.empty(0, dtype=np.int8) for _ in range(3)]

    def digest(self, rows: np.ndarray) -> Any:
        looked_at = rows if self._last is None else np.vstack([self._last, rows])
        self._last = np.array(rows[-1:])
        causes = find(looked_at, self.sequence)
        first = self.digested + len(rows) - len(causes)
        found = [np.flatnonzero(causes[:, component]) for component in range(3)]
        jumps = [
            (first + rows_found, causes[rows_found, component]) for component, rows_found in enumerate(found)
        ]
        return super().digest(rows), jumps, self._cut_blocks.digest(rows, [at for at, _ in jumps])

    def absorb(self, digest: Any) -> None:
        super().absorb(digest[0])
        self._cut_blocks.absorb(digest[2])
        for component, (rows, causes) in enumerate(digest[1]):
            if len(rows):
                self._rows[component] = np.append(self._rows[component], rows)
                self._causes[component] = np.append(self._causes[component], causes)

    def curve(self, view: Window, component: int) -> tuple[np.ndarray, np.ndarray]:
        times, values = super().curve(view, component)
        rows = self._rows[component]
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

    def jumps(self, component: int) -> Jumps:
        """Rows that jump one after the other, as beside the pole, are one jump, and singular if one of them is."""
        rows, causes = self._rows[component], self._causes[component]
        if len(rows) == 0:
            return NO_JUMPS
        first = np.flatnonzero(np.diff(rows, prepend=-9) > 1)
        start = rows[first] - 1
        stop = rows[np.append(first[1:], len(rows)) - 1]
        heights = (self.values[start, component] + self.values[stop, component]) / 2
        return Jumps((self.times[start] + self.times[stop]) / 2, heights, np.maximum.reduceat(causes, first))

    def _interpolated(self, time: float) -> list[float]:
        """Across a jump nothing lies between two rows: there it is the nearer one."""
        row = super()._interpolated(time)
        right = int(self.times.searchsorted(time, "right"))
        for component, rows in enumerate(self._rows):
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


def _cut(times: np.ndarray, values: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A gap in front of the points at `places`."""
    return np.insert(times, places, times[places]), np.insert(values, places, np.nan)
