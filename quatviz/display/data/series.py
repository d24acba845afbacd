"""One quantity of one lane as a panel draws it, reduced to the few points that a screen can show."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from quatviz.display.data.jump_index import JumpIndex
from quatviz.display.data.lazy_columns import (
    Column,
    DerivedColumn,
    IncrementalReducer,
    before_events,
    event_rows,
    interpolate,
    large_numbers,
    truncate,
)
from quatviz.physics.kernels import extremes
from quatviz.physics.kernels.extremes import bucket_extremes
from quatviz.physics.kernels.pyramid import LEVEL_FACTOR, ExtremaPyramid, GrowableArray, bucket_size
from quatviz.physics.observables.jumps import (
    JumpFinder,
    changed_components,
    find_angle_jumps,
    find_sign_flips,
)

MAX_CACHED_TIMES = 4
"""Largest number of instants for which a series caches its interpolated values."""

MIN_COARSE_BUCKETS = 100
"""Smallest number of buckets with which the shape of a curve is still visible."""


@dataclass(frozen=True)
class BucketRange:
    """The rows that a plot shows, grouped into buckets of `size` rows, from bucket `first` to bucket
    `last`. All lanes of a run have the same buckets."""

    first: int
    last: int
    size: int
    times: np.ndarray = field(compare=False, repr=False)
    """Times (n,) [s] of all rows that can be read."""

    @cached_property
    def point_times(self) -> np.ndarray:
        """Times (m,) of the points of a curve without jumps: each row, or the first and last row of each bucket.

        Lanes with the same buckets share this array, so that equal times are recognized by identity.
        """
        count, size = len(self.times), self.size
        if size == 1:
            return self.times[self.first : min(self.last, count)]
        starts = np.arange(self.first, min(self.last, -(-count // size))) * size
        return self.times[np.stack([starts, np.minimum(starts + size, count) - 1], axis=1).ravel()]

    def point_times_with_events(self, rows: tuple[int, ...]) -> np.ndarray:
        """Return the times (m,) [s] of `point_times`, in which the time of each event row in `rows` occurs
        three times. Lanes share this array."""
        if rows not in self._times_by_events:
            positions = np.repeat(np.array(rows) - self.first, 2)
            self._times_by_events[rows] = np.insert(self.point_times, positions, self.point_times[positions])
        return self._times_by_events[rows]

    @cached_property
    def _times_by_events(self) -> dict[tuple[int, ...], np.ndarray]:
        return {}


@dataclass(frozen=True)
class CurveJumps:
    """Jumps of a curve: times (m,) [s] and causes (m,), see `physics.observables.jumps.CAUSES`."""

    times: np.ndarray
    causes: np.ndarray


NO_JUMPS = CurveJumps(np.empty(0), np.empty(0, dtype=np.int8))


def bucket_range(
    times: np.ndarray, low: float, high: float, pixels: float, coarse: bool = False
) -> BucketRange:
    """Return the buckets that cover the time range from `low` to `high` [s], and one more bucket on each
    side, so that curves extend beyond the edges of the plot.

    `times` (n,) [s] are those of all available rows. With `coarse`, the buckets are as few as the shape of a
    curve allows. Lanes that share their times get the same object.
    """
    time_limits = (times[0], times[-1]) if len(times) else ()
    key = (
        id(times if times.base is None else times.base),
        len(times),
        time_limits,
        low,
        high,
        pixels,
        coarse,
    )
    buckets = _bucket_ranges.get(key)
    if buckets is None:
        buckets = _bucket_ranges[key] = _make_bucket_range(times, low, high, pixels, coarse)
    return buckets


_bucket_ranges: WeakValueDictionary[object, BucketRange] = WeakValueDictionary()
"""Bucket ranges that are in use, so that equal requests get the same object. Each range holds its array of
times, so that the `id` of this array in the key stays valid."""


def _make_bucket_range(
    times: np.ndarray, low: float, high: float, pixels: float, coarse: bool
) -> BucketRange:
    start = int(np.searchsorted(times, low, "left"))
    stop = int(np.searchsorted(times, high, "right"))
    rows = stop - start
    if rows > 0 and len(times) > 1:
        # Count the rows that will be computed, so that the bucket size does not change as data arrive.
        spacing = (times[-1] - times[0]) / (len(times) - 1)
        rows = max(rows, int((high - low) / spacing))
    size = bucket_size(rows, pixels)
    if coarse and rows >= MIN_COARSE_BUCKETS * LEVEL_FACTOR:
        size = max(size, 2 ** math.floor(math.log2(rows / MIN_COARSE_BUCKETS)))
    return BucketRange(max(start // size - 1, 0), -(-stop // size) + 1, size, times)


class Series(IncrementalReducer):
    """Growing times (n,) and values (n, k) of one lane and quantity. With `magnitude`, absolute
    values are drawn.

    A row is drawn only after it has been reduced. The columns of a run are reduced by `digest` in a background thread
    (`display.data.lazy_columns`), in the order of their rows. `set_data` passes the results to `absorb`. A subclass
    that examines new rows does so in `digest`, and changes what is drawn in `absorb` only.
    """

    def __init__(self, width: int, magnitude: bool = False) -> None:
        super().__init__()
        self.times = np.empty(0)
        self.values: Column = np.empty((0, width))
        self.magnitude = magnitude
        self.minimum = np.full(width, np.nan)
        self.maximum = np.full(width, np.nan)
        self.minimum_positive = np.full(width, np.nan)
        self._readable: tuple[np.ndarray, Column] = (self.times, self.values)
        """Times and values of all rows that can be read, reduced or not."""
        self._key: tuple[BucketRange, int] | None = None
        self._points = (np.empty(0), np.empty((0, width)))
        self._curves: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        """Cached curves of the current points, by component. Labels at the ends of curves use them as well."""
        self._cached_values: dict[float, list[float]] = {}
        """Cache of interpolated values by time [s]: for the cursor, the readouts, and the end of the axis."""
        self._event_rows = np.empty(0, dtype=np.int64)
        """Indices (m,) of the event rows that have been read."""
        self._pre_event_values = np.empty((0, width))
        """Values (m, k) just before the event at each event row."""
        self._changes_at_events = np.empty((0, width), dtype=bool)
        """Mask (m, k) that is True for the components that change at each event row. On log axes it is always False,
        because differences may be round-off."""
        self._pyramid = ExtremaPyramid(width, magnitude)

    def new_empty(self) -> "Series":
        """Return an empty series with the same parameters."""
        return Series(len(self.minimum), self.magnitude)

    def set_data(self, times: np.ndarray, values: Column) -> bool:
        """Update the series from the columns `times` (n,) [s] and `values` (n, k). Return True if there are
        new rows."""
        before = len(self.times)
        count = min(len(times), len(values))
        self.grow(truncate(values, count))
        self._cached_values.clear()
        self._readable = times[:count], values
        self.times, self.values = times[: self.count], truncate(values, self.count)
        has_new_rows = len(self.times) != before
        if has_new_rows:
            self._read_pre_event_values(event_rows(self.values))
        return has_new_rows

    @large_numbers
    def _read_pre_event_values(self, cuts: Sequence[int]) -> None:
        """Store the values just before each of the ascending event rows `cuts`, all of which are read at once."""
        last = self._event_rows[-1] if len(self._event_rows) else -1
        rows = np.array(cuts[bisect_right(cuts, last) :], dtype=np.int64)
        if len(rows) == 0:
            return
        before = before_events(self.values, rows)
        changes = changed_components(before, self.values[rows]) & (not self.magnitude)
        before = np.abs(before) if self.magnitude else before
        self._event_rows = np.concatenate([self._event_rows, rows])
        self._pre_event_values = np.concatenate([self._pre_event_values, before])
        self._changes_at_events = np.concatenate([self._changes_at_events, changes])
        finite = np.where(np.isfinite(before), before, np.nan)
        positive = np.where(finite > 0.0, finite, np.nan)
        self._extend_limits(np.fmin.reduce(finite), np.fmax.reduce(finite), np.fmin.reduce(positive))

    def digest(self, rows: np.ndarray) -> Any:
        """Reduce `rows` (m, k), which follow the rows of the previous call, and return the result for `absorb`.
        This method must not change what is drawn."""
        return self._pyramid.reduce(rows)

    def absorb(self, digest: Any) -> None:
        """Add the result of `digest` to the data that are drawn."""
        self._pyramid.append(digest)
        self.count += digest.count
        self._extend_limits(*digest.limits)

    def _extend_limits(self, least: np.ndarray, greatest: np.ndarray, positive: np.ndarray) -> None:
        self.minimum = np.fmin(self.minimum, least)
        self.maximum = np.fmax(self.maximum, greatest)
        self.minimum_positive = np.fmin(self.minimum_positive, positive)

    def points(self, view: BucketRange) -> tuple[np.ndarray, np.ndarray]:
        """Return the times (m,) and values (m, k) to draw: each row, or two points per bucket in the order of the
        curve.

        A bucket with a NaN is NaN, so that a gap stays visible, at most two pixels wider. The last result is cached,
        because the strips of a quantity ask for the same range in turn.
        """
        key = (view, len(self.times))
        if key != self._key:
            self._key, self._points, self._curves = key, (view.point_times, self._reduce(view)), {}
        return self._points

    def curve(self, view: BucketRange, component: int) -> tuple[np.ndarray, np.ndarray]:
        """Return times (m,) and values (m,) of one component, with NaN where the line is interrupted."""
        times, values = self.points(view)
        if component not in self._curves:
            with_gaps = self._with_gaps(times, values[:, component], view, component)
            self._curves[component] = self._with_event_points(*with_gaps, view, component)
        return self._curves[component]

    def _with_event_points(
        self, times: np.ndarray, values: np.ndarray, view: BucketRange, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the points (times and values) of a component. For each visible event, a point with the value just before
        the event is added at the time of the event.

        Where the event changes the component, the line is interrupted after this point.
        """
        first, last = view.first * view.size, view.last * view.size
        events = slice(
            int(self._event_rows.searchsorted(first, "right")),
            int(self._event_rows.searchsorted(last, "left")),
        )
        rows, values_before = self._event_rows[events], self._pre_event_values[events, component]
        is_changed = self._changes_at_events[events, component]
        if len(rows) == 0:
            return times, values
        if view.size > 1:
            return self._split_buckets_at_events(
                times, values, rows[is_changed], values_before[is_changed], view.size, component
            )
        positions = np.repeat(np.searchsorted(times, self.times[rows]), 2)
        gaps = np.where(is_changed, np.nan, values_before)
        event_times = (
            view.point_times_with_events(tuple(rows.tolist()))
            if times is view.point_times
            else np.insert(times, positions, times[positions])
        )
        return event_times, np.insert(values, positions, np.stack([values_before, gaps], axis=1).ravel())

    def _split_buckets_at_events(
        self,
        times: np.ndarray,
        values: np.ndarray,
        rows: np.ndarray,
        values_before: np.ndarray,
        size: int,
        component: int,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the points of a component after buckets with events were divided in two. The first event in a bucket
        begins the second part, and each part has its own extremes. `rows` (m,) are the rows of the events, and
        `values_before` (m,) the values just before them."""
        is_first = np.diff(rows // size, prepend=-1) > 0
        rows, values_before = rows[is_first], values_before[is_first]
        starts = rows // size * size
        stops = np.minimum(starts + size, len(self.times))
        first = np.searchsorted(times, self.times[starts], "left")
        last = np.searchsorted(times, self.times[stops - 1], "right")
        gaps = np.append(0, np.cumsum(np.isnan(values)))
        is_whole = (first < last) & (gaps[first] == gaps[last])  # other buckets have a gap already
        split = [array[is_whole] for array in (rows, values_before, starts, stops, first, last)]
        time_pieces, value_pieces, copied = [], [], 0
        for row, before, start, stop, begin, end in zip(*(array.tolist() for array in split), strict=True):
            in_bucket = self.values[start:stop, component]
            points = [
                *_ordered_extremes(np.append(in_bucket[: row - start], before)),
                math.nan,
                *_ordered_extremes(in_bucket[row - start :]),
            ]
            time_pieces += [times[copied:begin], self.times[[start, row, row, row, stop - 1]]]
            value_pieces += [values[copied:begin], points]
            copied = end
        return (
            np.concatenate([*time_pieces, times[copied:]]),
            np.concatenate([*value_pieces, values[copied:]]),
        )

    def _with_gaps(
        self, times: np.ndarray, values: np.ndarray, view: BucketRange, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the points (m,) of a component, with NaN between points that no line connects."""
        return times, values

    def jumps(self, component: int, low: float = -math.inf, high: float = math.inf) -> CurveJumps:
        """Return the jumps of a component from `low` to `high` [s]."""
        return NO_JUMPS

    @property
    def drawn_until(self) -> float:
        """Time of the last row that has been reduced and can be drawn [s]."""
        return float(self.times[-1]) if len(self.times) else -math.inf

    def last_point(self, component: int) -> tuple[float, float] | None:
        """Return time and value of the last finite row; None if there is none among the last 64 rows."""
        times, values = self._readable
        (finite_rows,) = np.nonzero(np.isfinite(values[-64:, component]))
        if len(finite_rows) == 0:
            return None
        row = len(values) - min(len(values), 64) + int(finite_rows[-1])
        return float(times[row]), float(values[row, component])

    def values_at(self, time: float) -> list[float]:
        """Return the values interpolated at `time` [s]; NaN outside the rows or in a gap."""
        row = self._cached_values.get(time)
        if row is None:
            if len(self._cached_values) >= MAX_CACHED_TIMES:
                self._cached_values.clear()
            row = self._cached_values[time] = self._interpolate(time)
        return row

    def _interpolate(self, time: float) -> list[float]:
        times, values = self._readable
        if not len(times) or not times[0] <= time <= times[-1]:
            return [math.nan] * values.shape[1]
        spacing = float(times[1] - times[0]) if len(times) > 1 else 1.0
        return interpolate(values, (time - float(times[0])) / spacing).tolist()

    def _reduce(self, view: BucketRange) -> np.ndarray:
        count, size = len(self.times), view.size
        if size == 1:
            rows = self.values[view.first : min(view.last, count)]
            return np.abs(rows) if self.magnitude else rows
        full_buckets = min(view.last, count // size)
        has_partial_bucket = view.last > full_buckets >= view.first and count > full_buckets * size
        if size < LEVEL_FACTOR:
            values_in_view = self.values[
                view.first * size : count if has_partial_bucket else max(view.first, full_buckets) * size
            ]
            if extremes.is_ready() and len(values_in_view):
                return extremes.curve_points(values_in_view, size, self.magnitude)[1]
            return _interleave_extremes(
                *bucket_extremes(np.abs(values_in_view) if self.magnitude else values_in_view, size)
            )
        low, high = self._pyramid.extremes(view.first, full_buckets, size)
        if has_partial_bucket:
            least, greatest = self._pyramid.tail(full_buckets * size)
            low, high = np.concatenate([low, least]), np.concatenate([high, greatest])
        return _interleave_extremes(low, high)


def _ordered_extremes(rows: np.ndarray) -> tuple[float, float]:
    """Return the smallest and the largest value of rows (n,), in the order in which the curve passes them."""
    low, high = float(rows.min()), float(rows.max())
    return (high, low) if rows[0] > rows[-1] else (low, high)


@large_numbers
def _interleave_extremes(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return two points per bucket (2 m, k) from its extremes (m, k), ordered to connect with the neighboring buckets."""
    middles = low + high
    is_falling = np.concatenate([middles[:1], middles[:-1]]) > np.concatenate([middles[1:], middles[-1:]])
    values = np.empty((2 * len(low), low.shape[1]))
    values[0::2], values[1::2] = np.where(is_falling, high, low), np.where(is_falling, low, high)
    return values


class StackSeries(Series):
    """Series of the parts (n, k) of a sum, drawn as cumulative sums; `values_at` returns the parts
    themselves."""

    def set_data(self, times: np.ndarray, values: Column) -> bool:
        return super().set_data(times, DerivedColumn((values,), _cumulative_sums, values.shape[1]))

    def values_at(self, time: float) -> list[float]:
        sums = super().values_at(time)
        return [cumulative - before for cumulative, before in zip(sums, [0.0, *sums[:-1]], strict=True)]


def _cumulative_sums(parts: np.ndarray) -> np.ndarray:
    return np.cumsum(parts, axis=1)


BlockPieces = tuple[np.ndarray, np.ndarray, np.ndarray]
"""First row (m,) of each piece of a split block, and the smallest and largest value (m,) in each piece."""
_NO_PIECES: BlockPieces = (np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))


class SplitBlocks:
    """Blocks of `LEVEL_FACTOR` rows of a column (n, k) in which a component jumps. Each block is split at its jumps, and
    the extremes of each piece are stored.

    Like an `ExtremaPyramid`, it grows in two steps, `digest` and `absorb`.
    """

    def __init__(self, width: int) -> None:
        self._partial_rows = np.empty((0, width))
        """Rows of the block that is not full yet."""
        self._partial_start = 0
        """Index of the first row of the block that is not full yet."""
        self._partial_jumps = [np.empty(0, dtype=np.int64) for _ in range(width)]
        """Jumps in the block that is not full yet, by component."""
        self._pieces = [
            (GrowableArray(np.int64), GrowableArray(np.float64), GrowableArray(np.float64))
            for _ in range(width)
        ]

    def digest(self, rows: np.ndarray, jumps: list[np.ndarray]) -> list[BlockPieces]:
        """Split the next rows (m, k) at the `jumps` of each component, given as indices of the rows
        after a jump."""
        rows = np.concatenate([self._partial_rows, rows]) if len(self._partial_rows) else rows
        first, full = self._partial_start, len(rows) // LEVEL_FACTOR * LEVEL_FACTOR
        pieces = []
        for component, new in enumerate(jumps):
            component_jumps = (
                np.concatenate([self._partial_jumps[component], new])
                if len(self._partial_jumps[component])
                else new
            )
            self._partial_jumps[component] = component_jumps[component_jumps >= first + full]
            component_jumps = component_jumps[
                (component_jumps < first + full) & (component_jumps % LEVEL_FACTOR != 0)
            ]
            if len(component_jumps) == 0:
                pieces.append(_NO_PIECES)
                continue
            blocks = component_jumps // LEVEL_FACTOR
            blocks = blocks[np.diff(blocks, prepend=-1) > 0]
            starts = np.sort(np.concatenate([blocks * LEVEL_FACTOR, component_jumps]))
            block_rows = (blocks[:, None] * LEVEL_FACTOR + np.arange(LEVEL_FACTOR)).ravel()
            values, positions = rows[block_rows - first, component], np.searchsorted(block_rows, starts)
            pieces.append(
                (starts, np.minimum.reduceat(values, positions), np.maximum.reduceat(values, positions))
            )
        self._partial_rows, self._partial_start = rows[full:].copy(), first + full
        return pieces

    def absorb(self, pieces: list[BlockPieces]) -> None:
        """Add the result of `digest`."""
        for stored, new in zip(self._pieces, pieces, strict=True):
            for stored_array, new_array in zip(stored, new, strict=True):
                stored_array.append(new_array)

    def extremes(
        self,
        component: int,
        buckets: np.ndarray,
        size: int,
        starts: np.ndarray,
        pyramid: ExtremaPyramid,
        values: Column,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the extremes of the pieces into which buckets are split at jumps.

        Parameters
        ----------
        component
            Index of the component.
        buckets
            Indices of the buckets.
        size
            Rows per bucket, at least LEVEL_FACTOR.
        starts
            First rows of the pieces (m,).
        pyramid
            Extremes of the blocks without jumps.
        values
            The column, for rows that fill no block yet.

        Returns
        -------
        tuple
            Minima (m,), maxima (m,), and True for each piece (m,) in which the curve falls.
        """
        blocks = (buckets[:, None] * (size // LEVEL_FACTOR) + np.arange(size // LEVEL_FACTOR)).ravel()
        partial_rows = np.arange(max(pyramid.block_count * LEVEL_FACTOR, int(buckets[0]) * size), len(values))
        partial_rows = partial_rows[np.isin(partial_rows // size, buckets[-1:])]
        rows = values[partial_rows, component] if len(partial_rows) else np.empty(0)
        firsts, lows, highs = (kept.values for kept in self._pieces[component])
        in_buckets = np.isin(firsts // size, buckets)
        full_blocks = blocks[
            (blocks < pyramid.block_count) & ~np.isin(blocks, firsts[in_buckets] // LEVEL_FACTOR)
        ]
        low, high = pyramid.block_extremes(full_blocks, component)
        at = np.concatenate([full_blocks * LEVEL_FACTOR, firsts[in_buckets], partial_rows])
        order = np.argsort(at, kind="stable")
        low = np.concatenate([low, lows[in_buckets], rows])[order]
        high = np.concatenate([high, highs[in_buckets], rows])[order]
        positions = np.searchsorted(at[order], starts)
        last = np.append(positions[1:], len(at)) - 1
        is_falling = low[positions] + high[positions] > low[last] + high[last]
        return np.minimum.reduceat(low, positions), np.maximum.reduceat(high, positions), is_falling


class JumpSeries(Series):
    """Series of values (n, k) with jumps, which the function `find` detects. Curves are interrupted there."""

    def __init__(self, width: int, find: JumpFinder) -> None:
        super().__init__(width)
        self._find_jumps = find
        self.jump_index = JumpIndex(width, find)
        self._split_blocks = SplitBlocks(width)

    def new_empty(self) -> Series:
        return JumpSeries(len(self.minimum), self._find_jumps)

    def digest(self, rows: np.ndarray) -> Any:
        jump_digest = self.jump_index.digest(rows)
        jumps = [at for at, _ in jump_digest[1][:-1]] or [_NO_PIECES[0]] * len(self.minimum)
        return super().digest(rows), jump_digest, self._split_blocks.digest(rows, jumps)

    def absorb(self, digest: Any) -> None:
        reduced, jump_digest, pieces = digest
        super().absorb(reduced)
        self.jump_index.absorb(jump_digest)
        self._split_blocks.absorb(pieces)

    def _with_gaps(
        self, times: np.ndarray, values: np.ndarray, view: BucketRange, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        rows = self.jump_index.rows(component)
        first = view.first * view.size
        last = min(view.last * view.size, len(self.times))
        rows = rows[rows.searchsorted(first, "right") : rows.searchsorted(last, "left")]
        if len(rows) == 0:
            return times, values
        if view.size == 1:
            return _insert_gaps(times, values, rows - first)
        if view.size < LEVEL_FACTOR and extremes.is_ready():
            rows_in_view = self.values[first:last, component]
            positions, cut_values = extremes.curve_points(
                rows_in_view[:, None], view.size, jumps=rows - first
            )
            return self.times[first + positions], cut_values[:, 0]
        pairs = len(times) // 2
        starts = (view.first + np.arange(pairs)) * view.size
        inside = rows[rows % view.size != 0]
        if len(inside) == 0:
            return _insert_gaps(times, values, 2 * np.searchsorted(starts, rows))
        split_buckets = np.unique(inside // view.size)
        keep_mask = ~np.isin(starts, split_buckets * view.size)
        pieces, piece_times, piece_values = self._split_buckets(split_buckets, inside, view.size, component)
        order = np.argsort(np.append(starts[keep_mask], pieces), kind="stable")
        starts = np.append(starts[keep_mask], pieces)[order]
        times = np.concatenate([times.reshape(-1, 2)[keep_mask], piece_times])[order].ravel()
        values = np.concatenate([values.reshape(-1, 2)[keep_mask], piece_values])[order].ravel()
        return _insert_gaps(times, values, 2 * np.searchsorted(starts, rows))

    def jumps(self, component: int, low: float = -math.inf, high: float = math.inf) -> CurveJumps:
        """Return the jumps, each halfway between the last row before and the first row after it."""
        start, stop, causes = self.jump_index.grouped_jumps(component)
        if len(start) == 0:
            return NO_JUMPS
        first, last = np.searchsorted(self.times, low, "left"), np.searchsorted(self.times, high, "right")
        in_view = slice(*np.searchsorted(start, (first, last)).tolist())
        start, stop, causes = start[in_view], stop[in_view], causes[in_view]
        return CurveJumps((self.times[start] + self.times[stop]) / 2, causes)

    def _split_buckets(
        self, buckets: np.ndarray, inside: np.ndarray, size: int, component: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the pieces of buckets that are split at jumps: first rows (m,), times (m, 2) and values (m, 2)."""
        starts = np.union1d(buckets * size, inside)
        ends = np.minimum((starts // size + 1) * size, len(self.times))
        stops = np.minimum(np.append(starts[1:], len(self.times)), ends) - 1
        if size < LEVEL_FACTOR:
            rows = (buckets[:, None] * size + np.arange(size)).ravel()
            rows = rows[rows < len(self.times)]
            values = self.values[rows, component]
            positions = np.searchsorted(rows, starts)
            low, high = np.minimum.reduceat(values, positions), np.maximum.reduceat(values, positions)
            is_falling = values[positions] > values[np.searchsorted(rows, stops)]
        else:
            low, high, is_falling = self._split_blocks.extremes(
                component, buckets, size, starts, self._pyramid, self.values
            )
        pairs = np.stack([np.where(is_falling, high, low), np.where(is_falling, low, high)], axis=1)
        return starts, np.stack([self.times[starts], self.times[stops]], axis=1), pairs


def angle_series(sequence: str) -> JumpSeries:
    """Return a series for Euler angles (n, 3) [deg], wrapped or not."""
    return JumpSeries(3, partial(find_angle_jumps, sequence=sequence))


def parameter_series() -> JumpSeries:
    """Return an empty series for Euler parameters (n, 4), which detects changes of sign."""
    return JumpSeries(4, find_sign_flips)


def jump_counts(series: Mapping[str, Series]) -> tuple[dict[str, dict[int, int]], list[dict[int, int]]]:
    """Return the counts of jumps by cause, in two parts: a mapping from each lane to its counts, and a list with the
    counts of those lanes that have the most rows."""
    jump_series = {
        lane: lane_series
        for lane, lane_series in series.items()
        if isinstance(lane_series, JumpSeries) and len(lane_series.times)
    }
    longest = max((len(lane_series.times) for lane_series in jump_series.values()), default=0)
    counts = {lane: lane_series.jump_index.counts_by_cause() for lane, lane_series in jump_series.items()}
    return counts, [
        counts[lane] for lane, lane_series in jump_series.items() if len(lane_series.times) == longest
    ]


def _insert_gaps(
    times: np.ndarray, values: np.ndarray, positions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and values of points, with a gap (NaN) inserted before each index in `positions`."""
    return np.insert(times, positions, times[positions]), np.insert(values, positions, np.nan)
