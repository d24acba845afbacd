"""One quantity of one lane as a panel draws it: views of the source, and few enough points for a screen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from quatviz.display.data.jump_index import Breaks
from quatviz.display.data.lazy_columns import (
    Column,
    Derived,
    Following,
    before,
    between,
    cuts_of,
    large_numbers,
    upto,
)
from quatviz.physics.kernels import extremes
from quatviz.physics.kernels.extremes import bucket_extremes
from quatviz.physics.kernels.pyramid import FACTOR, Grown, Pyramid, bucket_size
from quatviz.physics.observables.jumps import Find, find, flips, stepped

ASKED = 4
"""Times whose values are kept."""

FEWEST = 100
"""Buckets by which a curve can be told."""


@dataclass(frozen=True)
class Window:
    """Which rows a plot shows, the same for every lane of a run: buckets `first` to `last` of `size` rows."""

    first: int
    last: int
    size: int
    times: np.ndarray = field(compare=False, repr=False)
    """Of all rows there are (n,) [s]."""

    @cached_property
    def drawn(self) -> np.ndarray:
        """The times (m,) of the points of a curve without jumps: of each row, or of the first and the last of each bucket. Lanes
        that share this window share this array too: that they have the same times is seen at a glance."""
        count, size = len(self.times), self.size
        if size == 1:
            return self.times[self.first : min(self.last, count)]
        starts = np.arange(self.first, min(self.last, -(-count // size))) * size
        return self.times[np.stack([starts, np.minimum(starts + size, count) - 1], axis=1).ravel()]

    def parted(self, rows: tuple[int, ...]) -> np.ndarray:
        """The same where each row is a point, with the times of these rows thrice; lanes share it, too."""
        if rows not in self._parted:
            places = np.repeat(np.array(rows) - self.first, 2)
            self._parted[rows] = np.insert(self.drawn, places, self.drawn[places])
        return self._parted[rows]

    @cached_property
    def _parted(self) -> dict[tuple[int, ...], np.ndarray]:
        return {}


@dataclass(frozen=True)
class Jumps:
    """Where a curve jumps: times (m,) and causes (m,) of `breaks.CAUSES`."""

    times: np.ndarray
    causes: np.ndarray


NO_JUMPS = Jumps(np.empty(0), np.empty(0, dtype=np.int8))


def window(times: np.ndarray, low: float, high: float, pixels: float, coarse: bool = False) -> Window:
    """The buckets that cover [low, high] s, with one more on either side so that curves run off the edge. `coarse`: as few
    as the curve can be told by, where those are reduced already. Of lanes that share their times it is one object."""
    ends = (times[0], times[-1]) if len(times) else ()
    key = (id(times if times.base is None else times.base), len(times), ends, low, high, pixels, coarse)
    made = _windows.get(key)
    if made is None:
        made = _windows[key] = _window(times, low, high, pixels, coarse)
    return made


_windows: WeakValueDictionary[object, Window] = WeakValueDictionary()
"""As long as a series has points for them; they hold the times, so that none of others can have their identity meanwhile."""


def _window(times: np.ndarray, low: float, high: float, pixels: float, coarse: bool) -> Window:
    start = int(np.searchsorted(times, low, "left"))
    stop = int(np.searchsorted(times, high, "right"))
    rows = stop - start
    if rows > 0 and len(times) > 1:
        # Count the rows that will be there once computed, or the bucket size would change as data arrive.
        spacing = (times[-1] - times[0]) / (len(times) - 1)
        rows = max(rows, int((high - low) / spacing))
    size = bucket_size(rows, pixels)
    if coarse and rows >= FEWEST * FACTOR:
        size = max(size, 2 ** math.floor(math.log2(rows / FEWEST)))
    return Window(max(start // size - 1, 0), -(-stop // size) + 1, size, times)


class Series(Following):
    """Times (n,) and values (n, k) of one lane and quantity, growing; `magnitude` draws absolute values.

    Rows are drawn once they are reduced. A column of a run is reduced off the window's thread (`ui.growth`): there
    `digest` runs, in the order of the rows, and `take` has `absorb` take in what it made. A subclass that looks at new
    rows does so in `digest`, and changes what is drawn in `absorb` only.
    """

    def __init__(self, width: int, magnitude: bool = False) -> None:
        super().__init__()
        self.times = np.empty(0)
        self.values: Column = np.empty((0, width))
        self.magnitude = magnitude
        self.least = np.full(width, np.nan)
        self.greatest = np.full(width, np.nan)
        self.least_positive = np.full(width, np.nan)
        self._whole: tuple[np.ndarray, Column] = (self.times, self.values)
        """Times and values as far as they can be read."""
        self._key: tuple[Window, int] | None = None
        self._points = (np.empty(0), np.empty((0, width)))
        self._curves: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        """Of these points, by component: curves, and the names at their ends, ask for the same."""
        self._rows: dict[float, list[float]] = {}
        """Values at the last times that were asked for [s]: at those of the cursor, of its digits, and at the end of an axis."""
        self._led: dict[int, np.ndarray] = {}
        """The values (k,) that led to each row at which something happened at once,"""
        self._stepped: dict[int, np.ndarray] = {}
        """and which components (k,) are another there; on log axes none, where what differs may be rounding."""
        self._pyramid = Pyramid(width, magnitude)

    def empty(self) -> "Series":
        """Another one of its kind, without rows."""
        return Series(len(self.least), self.magnitude)

    def take(self, times: np.ndarray, values: Column) -> bool:
        """Look at the columns as they are now; true where rows are new."""
        before = len(self.times)
        count = min(len(times), len(values))
        self.grow(upto(values, count))
        self._rows.clear()
        self._whole = times[:count], values
        self.times, self.values = times[: self.count], upto(values, self.count)
        grown = len(self.times) != before
        if grown:
            self._lead_to(cuts_of(self.values))
        return grown

    def _lead_to(self, cuts: Sequence[int]) -> None:
        """Know what led to the rows at which something happened at once."""
        for row in cuts:
            if row not in self._led:
                led = before(self.values, row)
                self._stepped[row] = stepped(led, self.values[row]) & (not self.magnitude)
                led = self._led[row] = np.abs(led) if self.magnitude else led
                finite = np.where(np.isfinite(led), led, np.nan)
                self._widen(finite, finite, np.where(finite > 0.0, finite, np.nan))

    def digest(self, rows: np.ndarray) -> Any:
        """What becomes of the rows (m, k) that follow those digested before; it must not change what is drawn."""
        return self._pyramid.digest(rows)

    def absorb(self, digest: Any) -> None:
        """Take in what was made of new rows."""
        self._pyramid.absorb(digest)
        self.count += digest.count
        self._widen(*digest.ends)

    def _widen(self, least: np.ndarray, greatest: np.ndarray, positive: np.ndarray) -> None:
        self.least = np.fmin(self.least, least)
        self.greatest = np.fmax(self.greatest, greatest)
        self.least_positive = np.fmin(self.least_positive, positive)

    def points(self, view: Window) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) and values (m, k) to draw: each row, or a pair per bucket in the order of the curve.

        A bucket with NaN in it is NaN: a break stays a gap, at most two pixels wider than it is. The strips of
        a quantity ask one after another for the same view, so the last answer is kept.
        """
        key = (view, len(self.times))
        if key != self._key:
            self._key, self._points, self._curves = key, (view.drawn, self._reduced(view)), {}
        return self._points

    def curve(self, view: Window, component: int) -> tuple[np.ndarray, np.ndarray]:
        """Times (m,) and values (m,) of one component, with NaN where the line must not go on."""
        times, values = self.points(view)
        if component not in self._curves:
            broken = self._broken(times, values[:, component], view, component)
            self._curves[component] = self._led_by(*broken, view, component)
        return self._curves[component]

    def _led_by(
        self, times: np.ndarray, values: np.ndarray, view: Window, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The points (m,) of a component with what led to the events in sight, each at the time of its event, and no line from
        there where it is another behind it: what happens at once is drawn so."""
        first, last = view.first * view.size, view.last * view.size
        rows = tuple(row for row in sorted(self._led) if first < row < last)
        if not rows:
            return times, values
        if view.size > 1:
            for row in rows:
                if self._stepped[row][component]:
                    times, values = self._parted(times, values, row, view.size, component)
            return times, values
        places = np.repeat(np.searchsorted(times, self.times[list(rows)]), 2)
        led = np.array([self._led[row][component] for row in rows])
        gaps = np.where([self._stepped[row][component] for row in rows], np.nan, led)
        parted = view.parted(rows) if times is view.drawn else np.insert(times, places, times[places])
        return parted, np.insert(values, places, np.stack([led, gaps], axis=1).ravel())

    def _parted(
        self, times: np.ndarray, values: np.ndarray, row: int, size: int, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The points (m,) of buckets of `size` rows with a gap before a row: each piece of its bucket has its own extremes."""
        start, stop = row // size * size, min((row // size + 1) * size, len(self.times))
        first = int(np.searchsorted(times, self.times[start], "left"))
        last = int(np.searchsorted(times, self.times[stop - 1], "right"))
        if first == last or np.isnan(values[first:last]).any():  # it has a gap already
            return times, values
        rows = self.values[start:stop, component]
        led = np.append(rows[: row - start], self._led[row][component])
        at = self.times[[start, row, row, row, stop - 1]]
        points = [*_ends(led), math.nan, *_ends(rows[row - start :])]
        values = np.concatenate([values[:first], points, values[last:]])
        return np.concatenate([times[:first], at, times[last:]]), values

    def _broken(
        self, times: np.ndarray, values: np.ndarray, view: Window, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The points (m,) of a component with NaN between those that no line joins."""
        return times, values

    def jumps(self, component: int, low: float = -math.inf, high: float = math.inf) -> Jumps:
        """Where one component jumps from `low` to `high` [s]."""
        return NO_JUMPS

    @property
    def reach(self) -> float:
        """Time of the last row that can be drawn [s]."""
        return float(self.times[-1]) if len(self.times) else -math.inf

    def end(self, component: int) -> tuple[float, float] | None:
        """Time and value of the last row that is a number."""
        times, values = self._whole
        (good,) = np.nonzero(np.isfinite(values[-64:, component]))
        if len(good) == 0:
            return None
        row = len(values) - min(len(values), 64) + int(good[-1])
        return float(times[row]), float(values[row, component])

    def at(self, time: float) -> list[float]:
        """The values at `time`, between rows if it is there, drawn or not; NaN outside them or in a break."""
        row = self._rows.get(time)
        if row is None:
            if len(self._rows) >= ASKED:
                self._rows.clear()
            row = self._rows[time] = self._read(time)
        return row

    def _read(self, time: float) -> list[float]:
        times, values = self._whole
        if not len(times) or not times[0] <= time <= times[-1]:
            return [math.nan] * values.shape[1]
        spacing = float(times[1] - times[0]) if len(times) > 1 else 1.0
        return between(values, (time - float(times[0])) / spacing).tolist()

    def _reduced(self, view: Window) -> np.ndarray:
        count, size = len(self.times), view.size
        if size == 1:
            rows = self.values[view.first : min(view.last, count)]
            return np.abs(rows) if self.magnitude else rows
        full = min(view.last, count // size)
        tail = view.last > full >= view.first and count > full * size
        if size < FACTOR:
            read = self.values[view.first * size : count if tail else max(view.first, full) * size]
            if extremes.at_hand() and len(read):
                return extremes.points_of(read, size, self.magnitude)[1]
            return _in_order(*bucket_extremes(np.abs(read) if self.magnitude else read, size))
        low, high = self._pyramid.extremes(view.first, full, size)
        if tail:
            least, greatest = self._pyramid.tail(full * size)
            low, high = np.concatenate([low, least]), np.concatenate([high, greatest])
        return _in_order(low, high)


def _ends(rows: np.ndarray) -> tuple[float, float]:
    """Both ends of what rows (n,) cover, in the order in which the curve runs through them."""
    low, high = float(rows.min()), float(rows.max())
    return (high, low) if rows[0] > rows[-1] else (low, high)


@large_numbers
def _in_order(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Both ends of each bucket (m, k), in the order in which the curve runs from the bucket before to the next one (2 m, k)."""
    middles = low + high
    falling = np.concatenate([middles[:1], middles[:-1]]) > np.concatenate([middles[1:], middles[-1:]])
    values = np.empty((2 * len(low), low.shape[1]))
    values[0::2], values[1::2] = np.where(falling, high, low), np.where(falling, low, high)
    return values


class StackSeries(Series):
    """Parts (n, k) whose curves are the sums of each component and those before it; `at` gives the parts themselves."""

    def take(self, times: np.ndarray, values: Column) -> bool:
        return super().take(times, Derived((values,), _sums, values.shape[1]))

    def at(self, time: float) -> list[float]:
        sums = super().at(time)
        return [one - before for one, before in zip(sums, [0.0, *sums[:-1]], strict=True)]


def _sums(parts: np.ndarray) -> np.ndarray:
    return np.cumsum(parts, axis=1)


Piece = tuple[np.ndarray, np.ndarray, np.ndarray]
"""First rows (m,), and the extremes (m,) of the rows from each to the next, or to the end of its block."""
_NO_PIECE: Piece = (np.empty(0, dtype=np.int64), np.empty(0), np.empty(0))


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
        self._pieces = [(Grown(np.int64), Grown(np.float64), Grown(np.float64)) for _ in range(width)]

    def digest(self, rows: np.ndarray, jumps: list[np.ndarray]) -> list[Piece]:
        """Cut the rows (m, k) that follow those digested before at the rows that come after `jumps` of each component."""
        rows = np.concatenate([self._carried, rows]) if len(self._carried) else rows
        first, full = self._first, len(rows) // FACTOR * FACTOR
        pieces = []
        for component, new in enumerate(jumps):
            found = np.concatenate([self._jumps[component], new]) if len(self._jumps[component]) else new
            self._jumps[component] = found[found >= first + full]
            found = found[(found < first + full) & (found % FACTOR != 0)]
            if len(found) == 0:
                pieces.append(_NO_PIECE)
                continue
            blocks = found // FACTOR
            blocks = blocks[np.diff(blocks, prepend=-1) > 0]
            starts = np.sort(np.concatenate([blocks * FACTOR, found]))
            places = (blocks[:, None] * FACTOR + np.arange(FACTOR)).ravel()
            values, at = rows[places - first, component], np.searchsorted(places, starts)
            pieces.append((starts, np.minimum.reduceat(values, at), np.maximum.reduceat(values, at)))
        self._carried, self._first = rows[full:].copy(), first + full
        return pieces

    def absorb(self, pieces: list[Piece]) -> None:
        """Take in what was digested."""
        for kept, new in zip(self._pieces, pieces, strict=True):
            for all_of, more in zip(kept, new, strict=True):
                all_of.append(more)

    def extremes(
        self, component: int, cut: np.ndarray, size: int, starts: np.ndarray, pyramid: Pyramid, values: Column
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the buckets `cut` of `size` >= FACTOR rows, in the pieces that begin at the rows `starts`: the least and the
        greatest values (m,), and whether the curve falls in it. `values` has the rows that fill no block yet."""
        blocks = (cut[:, None] * (size // FACTOR) + np.arange(size // FACTOR)).ravel()
        behind = np.arange(max(pyramid.blocks * FACTOR, int(cut[0]) * size), len(values))
        behind = behind[np.isin(behind // size, cut[-1:])]
        rows = values[behind, component] if len(behind) else np.empty(0)
        firsts, lows, highs = (kept.all for kept in self._pieces[component])
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


class JumpSeries(Series):
    """Values (n, k) whose jumps `find` finds."""

    def __init__(self, width: int, find: Find) -> None:
        super().__init__(width)
        self._find = find
        self.breaks = Breaks(width, find)
        self._cut_blocks = Pieces(width)

    def empty(self) -> Series:
        return JumpSeries(len(self.least), self._find)

    def digest(self, rows: np.ndarray) -> Any:
        found = self.breaks.digest(rows)
        jumps = [at for at, _ in found[1][:-1]] or [_NO_PIECE[0]] * len(self.least)
        return super().digest(rows), found, self._cut_blocks.digest(rows, jumps)

    def absorb(self, digest: Any) -> None:
        reduced, found, pieces = digest
        super().absorb(reduced)
        self.breaks.absorb(found)
        self._cut_blocks.absorb(pieces)

    def _broken(
        self, times: np.ndarray, values: np.ndarray, view: Window, component: int
    ) -> tuple[np.ndarray, np.ndarray]:
        rows = self.breaks.rows(component)
        first = view.first * view.size
        last = min(view.last * view.size, len(self.times))
        rows = rows[rows.searchsorted(first, "right") : rows.searchsorted(last, "left")]
        if len(rows) == 0:
            return times, values
        if view.size == 1:
            return _cut_times(times, values, rows - first)
        if view.size < FACTOR and extremes.at_hand():
            read = self.values[first:last, component]
            places, cut_values = extremes.points_of(read[:, None], view.size, jumps=rows - first)
            return self.times[first + places], cut_values[:, 0]
        pairs = len(times) // 2
        starts = (view.first + np.arange(pairs)) * view.size
        inside = rows[rows % view.size != 0]
        if len(inside) == 0:
            return _cut_times(times, values, 2 * np.searchsorted(starts, rows))
        cut = np.unique(inside // view.size)
        kept = ~np.isin(starts, cut * view.size)
        pieces, piece_times, piece_values = self._pieces(cut, inside, view.size, component)
        order = np.argsort(np.append(starts[kept], pieces), kind="stable")
        starts = np.append(starts[kept], pieces)[order]
        times = np.concatenate([times.reshape(-1, 2)[kept], piece_times])[order].ravel()
        values = np.concatenate([values.reshape(-1, 2)[kept], piece_values])[order].ravel()
        return _cut_times(times, values, 2 * np.searchsorted(starts, rows))

    def jumps(self, component: int, low: float = -math.inf, high: float = math.inf) -> Jumps:
        """From the last row before each jump to the first behind it, half-way."""
        start, stop, causes = self.breaks.grouped(component)
        if len(start) == 0:
            return NO_JUMPS
        first, last = np.searchsorted(self.times, low, "left"), np.searchsorted(self.times, high, "right")
        seen = slice(*np.searchsorted(start, (first, last)).tolist())
        start, stop, causes = start[seen], stop[seen], causes[seen]
        return Jumps((self.times[start] + self.times[stop]) / 2, causes)

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


def _cut_times(times: np.ndarray, values: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A gap in front of the points at `places`."""
    return np.insert(times, places, times[places]), np.insert(values, places, np.nan)
