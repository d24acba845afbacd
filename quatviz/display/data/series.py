"""One quantity of one lane as a panel draws it: views of the source, and few enough points for a screen."""

import math
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
    before_event,
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
"""Times whose values are kept."""

MIN_COARSE_BUCKETS = 100
"""Buckets by which a curve can be told."""


@dataclass(frozen=True)
class BucketRange:
    """Which rows a plot shows, the same for every lane of a run: buckets `first` to `last` of `size` rows."""

    first: int
    last: int
    size: int
    times: np.ndarray = field(compare=False, repr=False)
    """Of all rows there are (n,) [s]."""

    @cached_property
    def point_times(self) -> np.ndarray:
        """The times (m,) of the points of a curve without jumps: of each row, or of the first and the last of each bucket. Lanes
        that share this window share this array too: that they have the same times is seen at a glance."""
        count, size = len(self.times), self.size
        if size == 1:
            return self.times[self.first : min(self.last, count)]
        starts = np.arange(self.first, min(self.last, -(-count // size))) * size
        return self.times[np.stack([starts, np.minimum(starts + size, count) - 1], axis=1).ravel()]

    def point_times_with_events(self, rows: tuple[int, ...]) -> np.ndarray:
        """The same where each row is a point, with the times of these rows thrice; lanes share it, too."""
        if rows not in self._times_by_events:
            positions = np.repeat(np.array(rows) - self.first, 2)
            self._times_by_events[rows] = np.insert(self.point_times, positions, self.point_times[positions])
        return self._times_by_events[rows]

    @cached_property
    def _times_by_events(self) -> dict[tuple[int, ...], np.ndarray]:
        return {}


@dataclass(frozen=True)
class CurveJumps:
    """Where a curve jumps: times (m,) and causes (m,) of `breaks.CAUSES`."""

    times: np.ndarray
    causes: np.ndarray


NO_JUMPS = CurveJumps(np.empty(0), np.empty(0, dtype=np.int8))


def bucket_range(
    times: np.ndarray, low: float, high: float, pixels: float, coarse: bool = False
) -> BucketRange:
    """The buckets that cover [low, high] s, with one more on either side so that curves run off the edge. `coarse`: as few
    as the curve can be told by, where those are reduced already. Of lanes that share their times it is one object."""
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
"""As long as a series has points for them; they hold the times, so that none of others can have their identity meanwhile."""


def _make_bucket_range(
    times: np.ndarray, low: float, high: float, pixels: float, coarse: bool
) -> BucketRange:
    start = int(np.searchsorted(times, low, "left"))
    stop = int(np.searchsorted(times, high, "right"))
    rows = stop - start
    if rows > 0 and len(times) > 1:
        # Count the rows that will be there once computed, or the bucket size would change as data arrive.
        spacing = (times[-1] - times[0]) / (len(times) - 1)
        rows = max(rows, int((high - low) / spacing))
    size = bucket_size(rows, pixels)
    if coarse and rows >= MIN_COARSE_BUCKETS * LEVEL_FACTOR:
        size = max(size, 2 ** math.floor(math.log2(rows / MIN_COARSE_BUCKETS)))
    return BucketRange(max(start // size - 1, 0), -(-stop // size) + 1, size, times)


class Series(IncrementalReducer):
    """Times (n,) and values (n, k) of one lane and quantity, growing; `magnitude` draws absolute values.

    Rows are drawn once they are reduced. A column of a run is reduced off the window's thread (`display.data.lazy_columns`): there
    `digest` runs, in the order of the rows, and `set_data` has `absorb` take in what it made. A subclass that looks at new
    rows does so in `digest`, and changes what is drawn in `absorb` only.
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
        """Times and values as far as they can be read."""
        self._key: tuple[BucketRange, int] | None = None
        self._points = (np.empty(0), np.empty((0, width)))
        self._curves: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        """Of these points, by component: curves, and the names at their ends, ask for the same."""
        self._cached_values: dict[float, list[float]] = {}
        """Values at the last times that were asked for [s]: at those of the cursor, of its digits, and at the end of an axis."""
        self._pre_event_values: dict[int, np.ndarray] = {}
        """The values (k,) that led to each row at which something happened at once,"""
        self._changes_at_event: dict[int, np.ndarray] = {}
        """and which components (k,) are another there; on log axes none, where what differs may be rounding."""
        self._pyramid = ExtremaPyramid(width, magnitude)

    def new_empty(self) -> "Series":
        """Another one of its kind, without rows."""
        return Series(len(self.minimum), self.magnitude)

    def set_data(self, times: np.ndarray, values: Column) -> bool:
        """Look at the columns as they are now; true where rows are new."""
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

    def _read_pre_event_values(self, cuts: Sequence[int]) -> None:
        """Know what led to the rows at which something happened at once."""
        for row in cuts:
            if row not in self._pre_event_values:
                values_before = before_event(self.values, row)
                self._changes_at_event[row] = changed_components(values_before, self.values[row]) & (
                    not self.magnitude
                )
                values_before = self._pre_event_values[row] = (
                    np.abs(values_before) if self.magnitude else values_before
                )
                finite = np.where(np.isfinite(values_before), values_before, np.nan)
                self._extend_limits(finite, finite, np.where(finite > 0.0, finite, np.nan))

    def digest(self, rows: np.ndarray) -> Any:
        """What becomes of the rows (m, k) that follow those digested before; it must not change what is drawn."""
        return self._pyramid.reduce(rows)

    def absorb(self, digest: Any) -> None:
        """Take in what was made of new rows."""
        self._pyramid.append(digest)
        self.count += digest.count
        self._extend_limits(*digest.limits)

    def _extend_limits(self, least: np.ndarray, greatest: np.ndarray, positive: np.ndarray) -> None:
        self.minimum = np.fmin(self.minimum, least)
        self.maximum = np.fmax(self.maximum, greatest)
        self.minimum_positive = np.fmin(self.minimum_positive, positive)

    def points(self, view: BucketRange) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) and values (m, k) to draw: each row, or a pair per bucket in the order of the curve.

        A bucket with NaN in it is NaN: a break stays a gap, at most two pixels wider than it is. The strips of
        a quantity ask one after another for the same view, so the last answer is kept.
        """
        key = (view, len(self.times))
        if key != self._key:
            self._key, self._points, self._curves = key, (view.point_times, self._reduce(view)), {}
        return self._points

    def curve(self, view: BucketRange, component: int) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) and values (m,) of one component, with NaN where the line must not go on."""
        times, values = self.points(view)
        if component not in self._curves:
            with_gaps = self._with_gaps(times, values[:, component], view, component)
            self._curves[component] = self._with_event_points(*with_gaps, view, component)
        return self._curves[component]

    def _with_event_points(
        self, times: np.ndarray, values: np.ndarray, view: BucketRange, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The points (m,) of a component with what led to the events in sight, each at the time of its event, and no line from
        there where it is another behind it: what happens at once is drawn so."""
        first, last = view.first * view.size, view.last * view.size
        rows = tuple(row for row in sorted(self._pre_event_values) if first < row < last)
        if not rows:
            return times, values
        if view.size > 1:
            for row in rows:
                if self._changes_at_event[row][component]:
                    times, values = self._split_bucket(times, values, row, view.size, component)
            return times, values
        positions = np.repeat(np.searchsorted(times, self.times[list(rows)]), 2)
        values_before = np.array([self._pre_event_values[row][component] for row in rows])
        gaps = np.where([self._changes_at_event[row][component] for row in rows], np.nan, values_before)
        event_times = (
            view.point_times_with_events(rows)
            if times is view.point_times
            else np.insert(times, positions, times[positions])
        )
        return event_times, np.insert(values, positions, np.stack([values_before, gaps], axis=1).ravel())

    def _split_bucket(
        self, times: np.ndarray, values: np.ndarray, row: int, size: int, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The points (m,) of buckets of `size` rows with a gap before a row: each piece of its bucket has its own extremes."""
        start, stop = row // size * size, min((row // size + 1) * size, len(self.times))
        first = int(np.searchsorted(times, self.times[start], "left"))
        last = int(np.searchsorted(times, self.times[stop - 1], "right"))
        if first == last or np.isnan(values[first:last]).any():  # it has a gap already
            return times, values
        rows = self.values[start:stop, component]
        rows_before = np.append(rows[: row - start], self._pre_event_values[row][component])
        event_times = self.times[[start, row, row, row, stop - 1]]
        points = [*_ordered_extremes(rows_before), math.nan, *_ordered_extremes(rows[row - start :])]
        values = np.concatenate([values[:first], points, values[last:]])
        return np.concatenate([times[:first], event_times, times[last:]]), values

    def _with_gaps(
        self, times: np.ndarray, values: np.ndarray, view: BucketRange, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The points (m,) of a component with NaN between those that no line joins."""
        return times, values

    def jumps(self, component: int, low: float = -math.inf, high: float = math.inf) -> CurveJumps:
        """Where one component jumps from `low` to `high` [s]."""
        return NO_JUMPS

    @property
    def drawn_until(self) -> float:
        """Time of the last row that can be drawn [s]."""
        return float(self.times[-1]) if len(self.times) else -math.inf

    def last_point(self, component: int) -> tuple[float, float] | None:
        """Time and value of the last row that is a number."""
        times, values = self._readable
        (finite_rows,) = np.nonzero(np.isfinite(values[-64:, component]))
        if len(finite_rows) == 0:
            return None
        row = len(values) - min(len(values), 64) + int(finite_rows[-1])
        return float(times[row]), float(values[row, component])

    def values_at(self, time: float) -> list[float]:
        """The values at `time`, between rows if it is there, drawn or not; NaN outside them or in a break."""
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
    """Both ends of what rows (n,) cover, in the order in which the curve runs through them."""
    low, high = float(rows.min()), float(rows.max())
    return (high, low) if rows[0] > rows[-1] else (low, high)


@large_numbers
def _interleave_extremes(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Both ends of each bucket (m, k), in the order in which the curve runs from the bucket before to the next one (2 m, k)."""
    middles = low + high
    is_falling = np.concatenate([middles[:1], middles[:-1]]) > np.concatenate([middles[1:], middles[-1:]])
    values = np.empty((2 * len(low), low.shape[1]))
    values[0::2], values[1::2] = np.where(is_falling, high, low), np.where(is_falling, low, high)
    return values


class StackSeries(Series):
    """Parts (n, k) whose curves are the sums of each component and those before it; `at` gives the parts themselves."""

    def set_data(self, times: np.ndarray, values: Column) -> bool:
        return super().set_data(times, DerivedColumn((values,), _cumulative_sums, values.shape[1]))

    def values_at(self, time: float) -> list[float]:
        sums = super().values_at(time)
        return [cumulative - before for cumulative, before in zip(sums, [0.0, *sums[:-1]], strict=True)]


def _cumulative_sums(parts: np.ndarray) -> np.ndarray:
    return np.cumsum(parts, axis=1)


BlockPieces = tuple[np.ndarray, np.ndarray, np.ndarray]
"""First rows (m,), and the extremes (m,) of the rows from each to the next, or to the end of its block."""
_NO_PIECES: BlockPieces = (np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))


class SplitBlocks:
    """The blocks of FACTOR rows of a column (n, k) inside which a component jumps, cut at its jumps.

    It grows in two halves, as a pyramid does.
    """

    def __init__(self, width: int) -> None:
        self._partial_rows = np.empty((0, width))
        """Rows of the block that is not full yet."""
        self._partial_start = 0
        """The first of these."""
        self._partial_jumps = [np.empty(0, dtype=np.int64) for _ in range(width)]
        """Their jumps."""
        self._pieces = [
            (GrowableArray(np.int64), GrowableArray(np.float64), GrowableArray(np.float64))
            for _ in range(width)
        ]

    def digest(self, rows: np.ndarray, jumps: list[np.ndarray]) -> list[BlockPieces]:
        """Cut the rows (m, k) that follow those digested before at the rows that come after `jumps` of each component."""
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
        """Take in what was digested."""
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
        """Of the buckets `buckets` of `size` >= FACTOR rows, in the pieces that begin at the rows `starts`: the least and the
        greatest values (m,), and whether the curve falls in it. `values` has the rows that fill no block yet."""
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
    """Values (n, k) whose jumps `find` finds."""

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
        """From the last row before each jump to the first behind it, half-way."""
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
        """Buckets with jumps inside, in pieces without: first rows (m,), times (m, 2) and values (m, 2)."""
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
    """Of angles (n, 3) [deg] of a sequence, wrapped or not."""
    return JumpSeries(3, partial(find_angle_jumps, sequence=sequence))


def parameter_series() -> JumpSeries:
    """Of Euler parameters (n, 4)."""
    return JumpSeries(4, find_sign_flips)


def jump_counts(series: Mapping[str, Series]) -> tuple[dict[str, dict[int, int]], list[dict[int, int]]]:
    """How often each lane jumps, by cause, where that is counted; and the same of those lanes that got furthest."""
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
    """A gap in front of the points at `positions`."""
    return np.insert(times, positions, times[positions]), np.insert(values, positions, np.nan)
