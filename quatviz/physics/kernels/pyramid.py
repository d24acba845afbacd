"""Smallest and largest values of blocks of rows, which are updated while a history grows.

A curve of a million rows is drawn on a few hundred pixels. Rows are therefore grouped into buckets whose size is a
power of two and whose borders are multiples of that size. The values of a bucket never change as the view scrolls,
and its extremes are computed from coarser blocks that are already reduced.
"""

from dataclasses import dataclass

import numpy as np

from quatviz.physics.kernels.extremes import BLOCK, STORED_DTYPE, reduce_groups, row_extremes

LEVEL_FACTOR = BLOCK
"""Number of rows in a block of the finest level, and number of blocks of one level that form a block of the
next coarser level.
"""


def bucket_size(rows: int, pixels: float) -> int:
    """Return the number of rows per bucket: the power of two that gives about one bucket per pixel (0.75 to
    1.5).
    """
    size = 1
    while rows > 1.5 * size * max(pixels, 1.0):
        size *= 2
    return size


class GrowableArray:
    """An array that grows by rows of a given shape. Its capacity doubles when it is full.

    `append` only keeps references to the new rows; they are copied when the array is read. Many small copies would
    often have to wait for other threads.
    """

    def __init__(self, dtype: type[np.generic], *shape: int) -> None:
        self._buffer = np.empty((16, *shape), dtype=dtype)
        self._copied_count = 0
        self._pending: list[np.ndarray] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> np.ndarray:
        if self._pending:
            self._flush()
        return self._buffer[: self._copied_count]

    def append(self, rows: np.ndarray) -> None:
        if len(rows):
            self._pending.append(rows)
            self._count += len(rows)

    def _flush(self) -> None:
        if self._count > len(self._buffer):
            buffer = np.empty(
                (max(self._count, 2 * self._copied_count), *self._buffer.shape[1:]), self._buffer.dtype
            )
            buffer[: self._copied_count] = self._buffer[: self._copied_count]
            self._buffer = buffer
        np.concatenate(self._pending, out=self._buffer[self._copied_count : self._count], casting="same_kind")
        self._copied_count, self._pending = self._count, []


class _Level:
    """One level of an `ExtremaPyramid`: the extremes of each full block of `size` rows."""

    def __init__(self, size: int, width: int) -> None:
        self.size = size
        self.low, self.high = GrowableArray(STORED_DTYPE, width), GrowableArray(STORED_DTYPE, width)

    @property
    def count(self) -> int:
        return len(self.low)

    def append(self, low: np.ndarray, high: np.ndarray) -> None:
        self.low.append(low)
        self.high.append(high)


@dataclass(frozen=True)
class ReducedRows:
    """Consecutive rows after their reduction, to be appended to a pyramid.

    `count` is the number of new rows. `low` and `high` (blocks, k) are the extremes of the blocks of the finest level
    that these rows complete. `pending` are the remaining rows, which do not fill a block yet.
    """

    count: int
    low: np.ndarray
    high: np.ndarray
    pending: np.ndarray
    limits: np.ndarray
    """Smallest finite value, largest finite value and smallest positive magnitude (3, k) of all rows; NaN if there is
    none."""


class ExtremaPyramid:
    """Extremes of the rows of a growing array (n, k), at several levels of block sizes. If `magnitude` is True, they are
    the extremes of absolute values.

    New rows are added in two steps: `reduce` reduces them and may run in another thread than drawing; `append`, which is
    fast, adds the result to the pyramid.
    """

    def __init__(self, width: int, magnitude: bool = False) -> None:
        self._levels = [_Level(LEVEL_FACTOR**power, width) for power in (1, 2, 3)]
        self._magnitude = magnitude
        self._carried_rows = self._pending = np.empty((0, width))

    def reduce(self, rows: np.ndarray) -> ReducedRows:
        """Reduce the next rows, which follow all rows that were reduced before."""
        count = len(rows)
        if len(self._carried_rows):
            rows = np.concatenate([self._carried_rows, rows])
        full = len(rows) // LEVEL_FACTOR * LEVEL_FACTOR
        self._carried_rows = rows[full:].copy()
        low, high, limits = row_extremes(rows, self._magnitude)
        return ReducedRows(count, low, high, self._magnitudes(self._carried_rows), limits)

    def append(self, reduced_rows: ReducedRows) -> None:
        """Add the result of `reduce` to the pyramid."""
        if len(reduced_rows.low):
            self._levels[0].append(reduced_rows.low, reduced_rows.high)
        self._pending = reduced_rows.pending

    def _update_coarse_levels(self) -> None:
        """Update the coarse levels from the finest level.

        This is done on demand, since most new rows are not drawn from coarse levels yet.
        """
        for fine, coarse in zip(self._levels, self._levels[1:], strict=False):
            done_blocks, ready_blocks = coarse.count * LEVEL_FACTOR, fine.count // LEVEL_FACTOR * LEVEL_FACTOR
            if ready_blocks > done_blocks:
                low = reduce_groups(fine.low.values[done_blocks:ready_blocks], LEVEL_FACTOR, np.minimum)
                high = reduce_groups(fine.high.values[done_blocks:ready_blocks], LEVEL_FACTOR, np.maximum)
                coarse.append(low, high)

    def extremes(self, first: int, last: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the smallest and the largest values (buckets, k) of the full buckets with the indices
        `first` to `last` - 1. A bucket has `size` rows, at least `LEVEL_FACTOR`.
        """
        level = next(candidate for candidate in reversed(self._levels) if candidate.size <= size)
        if level.size > LEVEL_FACTOR:
            self._update_coarse_levels()
        group = size // level.size
        block = slice(first * group, max(first, last) * group)
        low, high = level.low.values[block], level.high.values[block]
        return reduce_groups(low, group, np.minimum), reduce_groups(high, group, np.maximum)

    def tail(self, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the smallest and the largest values (1, k) of the rows from `start` to the end.

        `start` is a multiple of `LEVEL_FACTOR`.
        """
        finest = self._levels[0]
        blocks = slice(start // LEVEL_FACTOR, None)
        low = np.concatenate([finest.low.values[blocks], self._pending])
        high = np.concatenate([finest.high.values[blocks], self._pending])
        return low.min(axis=0, keepdims=True), high.max(axis=0, keepdims=True)

    @property
    def block_count(self) -> int:
        """Number of full blocks of the finest level."""
        return self._levels[0].count

    def block_extremes(self, blocks: np.ndarray, component: int) -> tuple[np.ndarray, np.ndarray]:
        """Return smallest and largest values (m,) of one component in the blocks (m,) of the finest level."""
        finest = self._levels[0]
        return finest.low.values[blocks, component], finest.high.values[blocks, component]

    def _magnitudes(self, rows: np.ndarray) -> np.ndarray:
        return np.abs(rows) if self._magnitude else rows
