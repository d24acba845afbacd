"""Least and greatest values over blocks of rows, kept while a history grows.

A curve of a million rows is drawn on a few hundred pixels. Rows are grouped into buckets whose size is a
power of two and whose borders are multiples of that size, so a bucket's values never change as the view
scrolls, and its least and greatest values are found from coarser blocks already reduced.
"""

from dataclasses import dataclass

import numpy as np

from quatviz.physics.kernels.extremes import BLOCK, KEPT, extremes_of, reduced

FACTOR = BLOCK
"""Rows per block of the finest level, and blocks of a level per block of the next."""


def bucket_size(rows: int, pixels: float) -> int:
    """The power of two of rows per bucket that gives about one bucket per pixel (0.75 to 1.5)."""
    size = 1
    while rows > 1.5 * size * max(pixels, 1.0):
        size *= 2
    return size


class Grown:
    """An array, each of whose rows has the `shape`, that rows are added to: its room doubles.

    What is added waits to be copied until somebody reads: whoever adds a little, a hundred times, would else wait as often
    for other threads.
    """

    def __init__(self, kind: type[np.generic], *shape: int) -> None:
        self._room = np.empty((16, *shape), dtype=kind)
        self._copied = 0
        self._waiting: list[np.ndarray] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def all(self) -> np.ndarray:
        if self._waiting:
            self._copy()
        return self._room[: self._copied]

    def append(self, rows: np.ndarray) -> None:
        if len(rows):
            self._waiting.append(rows)
            self._count += len(rows)

    def _copy(self) -> None:
        if self._count > len(self._room):
            room = np.empty((max(self._count, 2 * self._copied), *self._room.shape[1:]), self._room.dtype)
            room[: self._copied] = self._room[: self._copied]
            self._room = room
        np.concatenate(self._waiting, out=self._room[self._copied : self._count], casting="same_kind")
        self._copied, self._waiting = self._count, []


class _Level:
    """Least and greatest of each full block of `size` rows."""

    def __init__(self, size: int, width: int) -> None:
        self.size = size
        self.low, self.high = Grown(KEPT, width), Grown(KEPT, width)

    @property
    def count(self) -> int:
        return len(self.low)

    def append(self, low: np.ndarray, high: np.ndarray) -> None:
        self.low.append(low)
        self.high.append(high)


@dataclass(frozen=True)
class Digest:
    """What a pyramid needs of some rows: their number, the extremes (blocks, k) of the full blocks of the finest level
    that they end, and the rows behind those, with which it will go on."""

    count: int
    low: np.ndarray
    high: np.ndarray
    pending: np.ndarray
    ends: np.ndarray
    """Of all rows that are finite the least, the greatest and, of magnitudes, the least above 0 (3, k); NaN where there is
    none."""


class Pyramid:
    """Extremes of an (n, k) column that only grows. `magnitude` reduces absolute values instead.

    It grows in two halves: `digest` reduces new rows and may run beside the thread that draws, `absorb` is quick.
    """

    def __init__(self, width: int, magnitude: bool = False) -> None:
        self._levels = [_Level(FACTOR**power, width) for power in (1, 2, 3)]
        self._magnitude = magnitude
        self._carried = self._pending = np.empty((0, width))

    def digest(self, rows: np.ndarray) -> Digest:
        """Reduce the rows that follow those digested before."""
        count = len(rows)
        if len(self._carried):
            rows = np.concatenate([self._carried, rows])
        full = len(rows) // FACTOR * FACTOR
        self._carried = rows[full:].copy()
        low, high, ends = extremes_of(rows, self._magnitude)
        return Digest(count, low, high, self._taken(self._carried), ends)

    def absorb(self, digest: Digest) -> None:
        """Take in what was digested."""
        if len(digest.low):
            self._levels[0].append(digest.low, digest.high)
        self._pending = digest.pending

    def _reduce(self) -> None:
        """Bring the coarse levels up to the finest: most rows that come are drawn by none of them yet."""
        for fine, coarse in zip(self._levels, self._levels[1:], strict=False):
            done, ready = coarse.count * FACTOR, fine.count // FACTOR * FACTOR
            if ready > done:
                low = reduced(fine.low.all[done:ready], FACTOR, np.minimum)
                high = reduced(fine.high.all[done:ready], FACTOR, np.maximum)
                coarse.append(low, high)

    def extremes(self, first: int, last: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest (buckets, k) in the full buckets [first, last) of `size` >= FACTOR rows."""
        level = next(one for one in reversed(self._levels) if one.size <= size)
        if level.size > FACTOR:
            self._reduce()
        group = size // level.size
        block = slice(first * group, max(first, last) * group)
        low, high = level.low.all[block], level.high.all[block]
        return reduced(low, group, np.minimum), reduced(high, group, np.maximum)

    def tail(self, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest (1, k) of the rows from `start` on, a multiple of FACTOR."""
        finest = self._levels[0]
        blocks = slice(start // FACTOR, None)
        low = np.concatenate([finest.low.all[blocks], self._pending])
        high = np.concatenate([finest.high.all[blocks], self._pending])
        return low.min(axis=0, keepdims=True), high.max(axis=0, keepdims=True)

    @property
    def blocks(self) -> int:
        """Full blocks of the finest level."""
        return self._levels[0].count

    def finest(self, blocks: np.ndarray, component: int) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest (m,) of one component in these blocks (m,) of the finest level."""
        finest = self._levels[0]
        return finest.low.all[blocks, component], finest.high.all[blocks, component]

    def _taken(self, rows: np.ndarray) -> np.ndarray:
        return np.abs(rows) if self._magnitude else rows
