"""Smallest and largest values of blocks of rows, from which curves are drawn.

One kernel serves all lanes and runs without the GIL.
"""

import math

import numpy as np

from quatviz.physics.kernels.binder import compiled, inline

BLOCK = 32
"""Number of rows in a block whose smallest and largest values are stored."""
_HALF = BLOCK // 2
STORED_DTYPE = np.float32
"""Data type of stored extremes.

Seven digits are enough for a screen and need half the memory. Values beyond 1e38 become inf; the curve is
interrupted there.
"""


@compiled
def block_extremes(columns, magnitude, low, high, limits):
    """Reduce `columns` (k, n) to the extremes of full blocks of `BLOCK` rows. If `magnitude` is True, the extremes are
    those of absolute values.

    The function writes the smallest and the largest value of each full block into `low` and `high` (k, n // BLOCK),
    or NaN if a value in the block is NaN. It writes the smallest finite value, the largest finite value and the
    smallest positive value of each column into `limits` (3, k), or NaN if there is none.
    """
    half = np.empty((3, _HALF))
    for column in range(columns.shape[0]):
        totals = (math.inf, -math.inf, math.inf)
        for block in range(low.shape[1]):
            first = block * BLOCK
            for i in range(_HALF):
                a, b = columns[column, first + i], columns[column, first + _HALF + i]
                if magnitude:
                    a, b = abs(a), abs(b)
                half[0, i] = a if a < b else b
                half[1, i] = b if a < b else a
                half[2, i] = (a - a) + (b - b)
            width = _HALF // 2
            while width > 0:  # halve the block repeatedly, which the compiler vectorizes
                for i in range(width):
                    a, b = half[0, i], half[0, i + width]
                    half[0, i] = a if a < b else b
                    a, b = half[1, i], half[1, i + width]
                    half[1, i] = b if a < b else a
                    half[2, i] += half[2, i + width]
                width //= 2
            least, greatest = half[0, 0], half[1, 0]
            if half[2, 0] == 0.0 and least != 0.0:
                positive = min(totals[2], least) if least > 0.0 else totals[2]
                totals = (min(totals[0], least), max(totals[1], greatest), positive)
            else:
                least, greatest, totals = _scan_rows(columns, column, first, first + BLOCK, magnitude, totals)
            low[column, block], high[column, block] = least, greatest
        tail_start = low.shape[1] * BLOCK
        totals = _scan_rows(columns, column, tail_start, columns.shape[1], magnitude, totals)[2]
        for index in range(3):
            limits[index, column] = totals[index] if math.isfinite(totals[index]) else math.nan


@inline
def _scan_rows(columns, column, first, stop, magnitude, totals):
    """Return the smallest and largest value in the rows `first` to `stop` - 1 of a column, and the updated
    `totals`.

    `totals` are the smallest finite value, the largest finite value and the smallest positive one.
    """
    low, high, (least, greatest, positive) = math.inf, -math.inf, totals
    for row in range(first, stop):
        value = abs(columns[column, row]) if magnitude else columns[column, row]
        low = low if low <= value or low != low else value
        high = high if high >= value or high != high else value
        if math.isfinite(value):
            least, greatest = min(least, value), max(greatest, value)
            positive = min(positive, value) if value > 0.0 else positive
    return low, high, (least, greatest, positive)


@compiled
def bucket_points(columns, size, magnitude, jumps, point_rows, values):
    """Reduce rows, given as `columns` (k, n), to the points from which curves are drawn, and return the number of
    points.

    Rows are grouped into buckets of `size` rows. A bucket has two points, its smallest and its largest value, in
    the order in which the curve runs from the previous bucket to the next one; both are NaN if a value is NaN. If
    `magnitude` is True, absolute values are used. The values of the points are written into `values` (k, m), and
    the rows at whose times they are drawn into `point_rows` (m,).

    `jumps` (j,) are ascending row indices: all columns jump between the previous row and this one. A NaN point
    interrupts the curve there. A bucket with a jump inside is divided there into pieces with two points each, which
    are in the order in which the curve runs from the first row of the piece to its last.
    """
    count, point_count = columns.shape[1], 0
    buckets = (count + size - 1) // size
    low, high = np.empty(buckets), np.empty(buckets)
    for column in range(columns.shape[0]):
        for bucket in range(buckets):
            low[bucket], high[bucket] = _bucket_extremes(
                columns, column, bucket * size, min(bucket * size + size, count), magnitude
            )
        point_count, jump = 0, 0
        for bucket in range(buckets):
            first, stop = bucket * size, min(bucket * size + size, count)
            before, after = max(bucket - 1, 0), min(bucket + 1, buckets - 1)
            is_falling = low[before] + high[before] > low[after] + high[after]
            least, greatest = low[bucket], high[bucket]
            while jump < len(jumps) and jumps[jump] < stop:
                jump_row = jumps[jump]
                if jump_row > first:
                    point_count = _write_piece(
                        columns, column, first, jump_row, magnitude, point_rows, values, point_count
                    )
                point_rows[point_count], values[column, point_count] = jump_row, math.nan
                point_count, first, jump = point_count + 1, jump_row, jump + 1
            if first > bucket * size:
                point_count = _write_piece(
                    columns, column, first, stop, magnitude, point_rows, values, point_count
                )
            else:
                point_rows[point_count], point_rows[point_count + 1] = first, stop - 1
                values[column, point_count] = greatest if is_falling else least
                values[column, point_count + 1] = least if is_falling else greatest
                point_count += 2
    return point_count


@inline
def _write_piece(columns, column, first, stop, magnitude, point_rows, values, point_count):
    """Write the two points of a piece of a bucket, the rows `first` to `stop` - 1, and return the new number
    of points.
    """
    least, greatest = _bucket_extremes(columns, column, first, stop, magnitude)
    is_falling = columns[column, first] > columns[column, stop - 1]
    point_rows[point_count], point_rows[point_count + 1] = first, stop - 1
    values[column, point_count] = greatest if is_falling else least
    values[column, point_count + 1] = least if is_falling else greatest
    return point_count + 2


@inline
def _bucket_extremes(columns, column, first, stop, magnitude):
    """Return the smallest and largest value in the rows `first` to `stop` - 1 of a column; NaN if a value is
    NaN."""
    even = first + (stop - first) // 2 * 2
    low, high, non_finite = columns[column, stop - 1], columns[column, stop - 1], 0.0
    if magnitude:
        low, high = abs(low), abs(high)
    other_low, other_high = low, high
    for row in range(first, even, 2):  # two independent chains, which the processor executes in parallel
        a, b = columns[column, row], columns[column, row + 1]
        if magnitude:
            a, b = abs(a), abs(b)
        low, high = a if a < low else low, a if a > high else high
        other_low, other_high = b if b < other_low else other_low, b if b > other_high else other_high
        non_finite += (a - a) + (b - b)
    low, high = other_low if other_low < low else low, other_high if other_high > high else high
    if non_finite == 0.0 and low - low == 0.0:
        return low, high
    low, high, _ = _scan_rows(columns, column, first, stop, magnitude, (math.inf, -math.inf, math.inf))
    return low, high


_NO_JUMPS = np.empty(0, dtype=np.int64)


def is_ready() -> bool:
    """Return True if the kernels of this module can be called without being compiled or loaded first."""
    return block_extremes.is_loaded


def row_extremes(rows: np.ndarray, magnitude: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the smallest and the largest values (blocks, k) of the full blocks of rows (n, k), and the limits (3, k) of
    all rows, see `ReducedRows.limits`.

    Until the kernel `block_extremes` is ready, NumPy computes the result.
    """
    blocks, width = len(rows) // BLOCK, rows.shape[1]
    if is_ready():
        columns = np.require(
            rows.T, requirements=["C", "W"]
        )  # a single array type needs a single compiled kernel
        (low, high), limits = np.empty((2, width, blocks), STORED_DTYPE), np.empty((3, width))
        block_extremes(columns, magnitude, low, high, limits)
        return low.T, high.T, limits
    magnitudes = np.abs(rows) if magnitude else rows
    with np.errstate(over="ignore"):
        low, high = (
            extreme.astype(STORED_DTYPE) for extreme in _group_extremes(magnitudes[: blocks * BLOCK], BLOCK)
        )
    magnitudes = np.where(np.isfinite(magnitudes), magnitudes, np.nan)
    positive = np.where(magnitudes > 0.0, magnitudes, np.nan)
    reductions = ((np.fmin, magnitudes), (np.fmax, magnitudes), (np.fmin, positive))
    return (
        low,
        high,
        np.array([reduce.reduce(operand, axis=0, initial=np.nan) for reduce, operand in reductions]),
    )


def curve_points(
    rows: np.ndarray, size: int, magnitude: bool = False, jumps: np.ndarray = _NO_JUMPS
) -> tuple[np.ndarray, np.ndarray]:
    """Return the points from which the curves of rows (n, k) are drawn: their row indices (m,) and their values (m,
    k); see `bucket_points`.

    The kernels must be ready, see `is_ready`.
    """
    columns = np.require(rows.T, requirements=["C", "W"])
    max_points = 2 * (-(-len(rows) // size) + len(jumps)) + len(jumps)
    point_rows, values = np.empty(max_points, dtype=np.int64), np.empty((rows.shape[1], max_points))
    count = bucket_points(columns, size, magnitude, jumps, point_rows, values)
    return point_rows[:count], values[:, :count].T


def bucket_extremes(rows: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return smallest and largest values (buckets, k) of rows (n, k) in buckets of `size` rows. The last bucket may be
    smaller."""
    full = len(rows) // size * size
    low, high = _group_extremes(rows[:full], size)
    if full < len(rows):
        low = np.concatenate([low, rows[full:].min(axis=0, keepdims=True)])
        high = np.concatenate([high, rows[full:].max(axis=0, keepdims=True)])
    return low, high


def reduce_groups(values: np.ndarray, size: int, reduce: np.ufunc) -> np.ndarray:
    """Return the result of `reduce` over consecutive groups of `size` rows.

    A group that contains a NaN gives NaN.
    """
    if size <= BLOCK:
        return reduce.reduce(_group_major(values, size), axis=0).T
    return reduce.reduce(values.reshape(-1, size, values.shape[1]), axis=1)


def _group_extremes(rows: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and largest values of consecutive groups of `size` rows."""
    groups = _group_major(rows, size)
    return np.minimum.reduce(groups, axis=0).T, np.maximum.reduce(groups, axis=0).T


def _group_major(values: np.ndarray, size: int) -> np.ndarray:
    """Return rows (n, k) as an array (size, k, groups), whose first axis runs over the rows of a group.

    NumPy reduces this axis in `size` passes, whereas a reduction within each group would need one call per group.
    The smallest and the largest values are computed from the same copy.
    """
    return np.ascontiguousarray(values.T.reshape(values.shape[1], -1, size).transpose(2, 0, 1))
