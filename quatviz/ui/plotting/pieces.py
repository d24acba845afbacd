"""Least and greatest values between jumps, for the few blocks of a pyramid in which a curve jumps."""

from __future__ import annotations

import numpy as np

from quatviz.ui.lazy import Column
from quatviz.ui.plotting.pyramid import FACTOR, Pyramid

Piece = tuple[np.ndarray, np.ndarray, np.ndarray]
"""First rows (m,), and the extremes (m,) of the rows from each to the next, or to the end of its block."""


class Pieces:
    """The blocks of FACTOR rows of a column (n, k) inside which a component jumps, cut at its jumps.

    It grows in two halves, as a pyramid does.
    """

    def __init__(self, width: int) -> None:
        self._carried = np.empty((0, width))
        """Rows of the block that is not full yet."""
        self._first = 0
        """The first of these."""
        self._jumps = [np.empty(0, dtype=np.int64) for _ in range(width)]
        """Their jumps."""
        self._pieces: list[Piece] = [(np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))] * width

    def digest(self, rows: np.ndarray, jumps: list[np.ndarray]) -> list[Piece]:
        """Cut the rows (m, k) that follow those digested before at the rows that come after `jumps` of each component."""
        rows = np.concatenate([self._carried, rows])
        first, full = self._first, len(rows) // FACTOR * FACTOR
        pieces = []
        for component, new in enumerate(jumps):
            found = np.concatenate([self._jumps[component], new])
            self._jumps[component] = found[found >= first + full]
            found = found[(found < first + full) & (found % FACTOR != 0)]
            blocks = np.unique(found // FACTOR)
            starts = np.union1d(blocks * FACTOR, found)
            places = (blocks[:, None] * FACTOR + np.arange(FACTOR)).ravel()
            pieces.append(_cut(rows[places - first, component], places, starts))
        self._carried, self._first = rows[full:].copy(), first + full
        return pieces

    def absorb(self, pieces: list[Piece]) -> None:
        """Take in what was digested."""
        for component, (old, new) in enumerate(zip(self._pieces, pieces, strict=True)):
            if len(new[0]):
                low, high = np.append(old[1], new[1]), np.append(old[2], new[2])
                self._pieces[component] = np.append(old[0], new[0]), low, high

    def extremes(
        self, component: int, cut: np.ndarray, size: int, starts: np.ndarray, pyramid: Pyramid, values: Column
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the buckets `cut` of `size` >= FACTOR rows, in the pieces that begin at the rows `starts`: the least and the
        greatest values (m,), and whether the curve falls in it. `values` has the rows that fill no block yet."""
        blocks = (cut[:, None] * (size // FACTOR) + np.arange(size // FACTOR)).ravel()
        behind = np.arange(max(pyramid.blocks * FACTOR, int(cut[0]) * size), len(values))
        behind = behind[np.isin(behind // size, cut[-1:])]
        rows = values[behind, component] if len(behind) else np.empty(0)
        firsts, lows, highs = self._pieces[component]
        mine = np.isin(firsts // size, cut)
        whole = blocks[(blocks < pyramid.blocks) & ~np.isin(blocks, firsts[mine] // FACTOR)]
        low, high = pyramid.finest(whole, component)
        at = np.concatenate([whole * FACTOR, firsts[mine], behind])
        order = np.argsort(at, kind="stable")
        low = np.concatenate([low, lows[mine], rows])[order]
        high = np.concatenate([high, highs[mine], rows])[order]
        places = np.searchsorted(at[order], starts)
        last = np.append(places[1:], len(at)) - 1
        falling = low[places] + high[places] > low[last] + high[last]
        return np.minimum.reduceat(low, places), np.maximum.reduceat(high, places), falling


def _cut(values: np.ndarray, rows: np.ndarray, starts: np.ndarray) -> Piece:
    if len(starts) == 0:
        return starts, np.empty(0), np.empty(0)
    places = np.searchsorted(rows, starts)
    return starts, np.minimum.reduceat(values, places), np.maximum.reduceat(values, places)
