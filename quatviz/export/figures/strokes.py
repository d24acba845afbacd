"""Curves as a pen draws them: where it is put down, and through which points it goes from there; and broken into the dashes of
their lane, by their length on the paper: as long where a curve is steep as where it is flat.

Gaps are short, and a peak is longer than they are, so that none hides one. Lengths are counted within cells of the axis fixed in
data time, as stripes are: a dash keeps its place on its curve while the view scrolls and while a run goes on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, cycle
from typing import NamedTuple

import numpy as np

from quatviz.display.data.scales import Scale
from quatviz.display.data.series import window
from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.line_styles import LONGEST, shape_of
from quatviz.export.figures.stripes import Turns, alike_in_time, bucket_time, shape_times, turns_of

OFF = 0.02
"""Pixels by which a point that is left out may lie beside the line that is drawn: a few shades of a colour, after each of the"""
PASSES = 2
"""in which every other point may be left out."""


@dataclass(frozen=True, eq=False)
class Strokes:
    """Those of several curves, one after the other: points `x`, `y` (m,), which are finite, whether each is `joined` (m,) to the
    one before it, and where the points of each curve begin, with the end of the last, `starts` (curves + 1,)."""

    x: np.ndarray
    y: np.ndarray
    joined: np.ndarray
    starts: np.ndarray

    def of(self, curve: int) -> slice:
        return slice(int(self.starts[curve]), int(self.starts[curve + 1]))

    def only(self, curves: Sequence[int]) -> tuple["Strokes", np.ndarray]:
        """Those of these curves, and the numbers of their points."""
        points = np.concatenate([np.arange(self.starts[one], self.starts[one + 1]) for one in curves])
        starts = np.cumsum([0, *(self.starts[one + 1] - self.starts[one] for one in curves)])
        return Strokes(self.x[points], self.y[points], self.joined[points], starts), points

    def picked(self, points: np.ndarray) -> "Strokes":
        """With these points (k,) only, by their numbers; none may be left out that begins a stroke."""
        starts = np.searchsorted(points, self.starts)
        return Strokes(self.x[points], self.y[points], self.joined[points], starts)


def strokes(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> tuple[Strokes, np.ndarray]:
    """Of curves through `y` (curves, n) over `x` (n,), where they are `drawn` (curves, n) and finite; and which of the points
    (curves n) these are."""
    points = np.flatnonzero(drawn & np.isfinite(y))
    columns = points % len(x) if len(x) else points
    joined = (np.diff(points, prepend=-2) == 1) & (columns != 0)
    starts = np.searchsorted(points, len(x) * np.arange(len(y) + 1))
    return Strokes(x[columns], y.ravel()[points], joined, starts), points


def telling(given: Strokes) -> np.ndarray:
    """Numbers of the points that show where the strokes go, in pixels: one on the line between its neighbours is not seen, and
    costs as much as any.

    >>> x, y = np.arange(6.0), np.array([[0.0, 1.0, 2.0, 3.0, 9.0, 9.0]])
    >>> telling(strokes(x, y, np.ones(y.shape, dtype=bool))[0]).tolist()
    [0, 3, 4, 5]
    """
    inner = given.joined.copy()
    inner[:-1] &= given.joined[1:]
    inner[-1:] = False
    points = np.arange(len(given.x))
    for _ in range(PASSES):
        x, y = given.x[points], given.y[points]
        with np.errstate(invalid="ignore", divide="ignore"):
            part = (x[1:-1:2] - x[:-2:2]) / (x[2::2] - x[:-2:2])
            off = np.abs(y[1:-1:2] - y[:-2:2] - part * (y[2::2] - y[:-2:2]))
        gone = (off < OFF) & inner[points[1:-1:2]]
        kept = np.ones(len(points), dtype=bool)
        kept[1:-1:2] = ~gone
        points = points[kept]
    return points


PERIODS = 2
"""Of the longest pattern: the least width of a cell."""

CROWDED = 6.0
"""By the width of a curve: one that goes up and down within less is crowded. Dashes would be a grain there, and a broad pale line
below it would fill the ground between: it is whole, and what lies below it no broader."""


def cell_time(seconds_per_pixel: float, width: float) -> float:
    """Length of a cell in seconds, for curves `width` pixels wide."""
    return bucket_time(seconds_per_pixel, 0.0, PERIODS * LONGEST * width)


def cell_ends(low: float, high: float, length: float) -> np.ndarray:
    """Where cells of `length` [s] meet from `low` to `high` [s]."""
    return length * np.arange(math.ceil(low / length - 1e-9), math.floor(high / length + 1e-9) + 1)


def broken(
    given: Strokes, dashed: np.ndarray, meets: np.ndarray, patterns: Sequence[Sequence[float]], width: float
) -> Strokes:
    """The strokes, `width` pixels wide, with gaps after those points that are `dashed` (m,). `meets` are the `x` at which cells
    meet; the pattern of a curve, of which there are two points at least, has the lengths of dash and gap in turn."""
    x, y, joined, starts = given.x, given.y, given.joined, given.starts
    count, there = len(x), np.append(joined[1:], False)
    lengths = np.where(there, np.hypot(np.diff(x, append=x[-1]), np.diff(y, append=y[-1])), 0.0)
    lengths[starts[1:] - 1] = 1.0  # so that what ends a curve does not begin the next
    along, numbers = np.cumsum(lengths) - lengths, np.arange(float(count))
    at = _cells(given, meets)
    cells = np.interp(at.ravel(), numbers, along).reshape(at.shape)
    begun, ended = _dashes(cells, _crowded(given, at, width), patterns)
    bounds = np.concatenate([begun, ended])
    places = np.concatenate([numbers, np.interp(bounds, along, numbers)])
    order = np.argsort(places, kind="stable")
    inside = np.cumsum(np.repeat((0, 1, -1), (count, len(begun), len(ended)))[order]) > 0
    after = places[order].astype(np.intp)
    on = there[after] & (inside | ~dashed[after])
    linked = np.append(False, on[:-1])
    kept = on | linked
    order = order[kept]
    across, down = (np.concatenate([own, np.interp(bounds, along, own)])[order] for own in (x, y))
    return Strokes(across, down, linked[kept], np.searchsorted(places[order], starts))


def _cells(given: Strokes, meets: np.ndarray) -> np.ndarray:
    """Where cells end (curves, k + 1) along the points of curves that have some, as numbers of these and parts of them."""
    ends = []
    for curve, start in enumerate(given.starts[:-1]):
        x = given.x[given.of(curve)]
        at = np.concatenate([x[:1], np.clip(meets, x[0], x[-1]), x[-1:]])
        ends.append(start + np.interp(at, x, np.arange(len(x))))
    return np.array(ends)


def _dashes(
    cells: np.ndarray, whole: np.ndarray, patterns: Sequence[Sequence[float]]
) -> tuple[np.ndarray, np.ndarray]:
    """How far along all lines dashes begin (m,) and end (m,), where their `cells` (lines, k + 1) meet there; those that are
    `whole` (lines, k) are one.

    A cell holds whole periods, stretched a little, so that it begins with a dash and ends with a gap wherever the curve
    goes. Of the first and the last in sight only a part is known: these have periods as they are, from the end that is.
    """
    period = np.array([math.fsum(pattern) for pattern in patterns])[:, None]
    lengths, first = np.diff(cells, axis=1), cells[:, :-1].copy()
    counts = np.maximum(np.rint(lengths / period), 1.0)
    each = lengths / counts
    for side in (0, -1):
        each[:, side] = period[:, 0]
        counts[:, side] = np.ceil(lengths[:, side] / period[:, 0])
    if lengths.shape[1] > 1:
        first[:, 0] = cells[:, 1] - counts[:, 0] * period[:, 0]
    counts = np.where(whole, 0.0, counts).astype(np.intp).ravel()
    cell = np.repeat(np.arange(counts.size), counts)
    turn = np.arange(len(cell)) - (np.cumsum(counts) - counts)[cell]
    bounds = np.zeros((len(patterns), max(map(len, patterns))))
    for line, pattern in enumerate(patterns):
        bounds[line, : len(pattern)] = np.cumsum([0.0, *pattern])[:-1] / period[line]
    parts = turn[:, None] + bounds[cell // lengths.shape[1]]
    places = first.ravel()[cell][:, None] + each.ravel()[cell][:, None] * parts
    low, high = cells[:, :-1].ravel(), cells[:, 1:].ravel()
    places = np.clip(places, low[cell][:, None], high[cell][:, None])
    begun, ended = places[:, 0::2].ravel(), places[:, 1::2].ravel()
    seen, one = ended > begun, whole.ravel()
    return np.concatenate([begun[seen], low[one]]), np.concatenate([ended[seen], high[one]])


def crowded(x: np.ndarray, y: np.ndarray, meets: np.ndarray, width: float) -> bool:
    """Whether a curve through `y` (n,) over `x` (n,), `width` pixels wide, is crowded in any of the cells that meet there."""
    given, _ = strokes(x, y[None], np.ones((1, len(x)), dtype=bool))
    return len(given.x) > 1 and bool(_crowded(given, _cells(given, meets), width).any())


def _crowded(given: Strokes, at: np.ndarray, width: float) -> np.ndarray:
    """In which cells (curves, k), which end `at` these numbers of points (curves, k + 1), lines go up and down so often."""
    y, x = given.y, np.interp(at, np.arange(len(given.x)), given.x)
    firsts = np.minimum(np.ceil(at[:, :-1]).astype(np.intp), given.starts[1:, None] - 1).ravel()
    rises = np.where(np.append(given.joined[1:], False), np.abs(np.diff(y, append=y[-1])), 0.0)
    way = np.add.reduceat(rises, firsts).reshape(len(at), -1)
    height = (np.maximum.reduceat(y, firsts) - np.minimum.reduceat(y, firsts)).reshape(way.shape)
    near = CROWDED * width
    return (way > 4.0 * height) & (way * near > np.diff(x, axis=1) * height) & (height > near / 2)


class CurveLines(NamedTuple):
    """The curves of a plot in its pixels."""

    lines: list[tuple[list[int], Strokes]]
    """The numbers of curves, and their strokes."""
    shapes: list[tuple[int, str, float, float]]
    """The number of a curve, a shape along it, and where that is."""


def lines_of(
    traces: list[Trace], scale: Scale, axis: TimeAxis, area: Box, coarse: bool, width: int
) -> CurveLines:
    """The lines of traces in pixels of `area`, with breaks at NaN, turns where traces coincide, and the dashes of their lanes
    where they do not, for lines that will be `width` pixels wide; and the shapes along them."""
    views = [window(trace.series.times, axis.low, axis.high, area.width, coarse) for trace in traces]
    curves = [trace.series.curve(view, trace.component) for trace, view in zip(traces, views, strict=True)]
    faster, pixel = area.width / axis.span, axis.span / max(area.width, 1.0)

    def height(values: np.ndarray) -> np.ndarray:
        return area.bottom - area.height * scale.project(values)

    meets = area.x + (cell_ends(axis.low, axis.high, cell_time(pixel, width)) - axis.low) * faster
    alike = [
        (times, numbers, height(np.stack([curves[number][1] for number in numbers])))
        for times, numbers in alike_in_time(curves)
    ]
    taken = turns_of(traces, views, height, pixel, alike)
    made = CurveLines([], [])
    for times, numbers, heights in alike:
        drawn = np.ones(heights.shape, dtype=bool)
        if taken is not None:
            turning = [traces[number].emphasis <= 0 for number in numbers]
            drawn[turning] = taken.masks(times, list(compress(numbers, turning)))
        whole, places = strokes(area.x + (times - axis.low) * faster, heights, drawn)
        points = telling(whole)
        lines = whole.picked(points)
        apart = np.stack([_dashed(traces[number], number, taken, times) for number in numbers])
        dashed = apart.any(axis=1) & (np.diff(lines.starts) > 1)
        rows, others = np.flatnonzero(dashed).tolist(), np.flatnonzero(~dashed).tolist()
        if others:
            made.lines.append(([numbers[row] for row in others], lines.only(others)[0] if rows else lines))
        if rows:
            lengths = [_lengths(traces[numbers[row]], width) for row in rows]
            some, theirs = lines.only(rows)
            gapped = broken(some, apart.ravel()[places[points[theirs]]], meets, lengths, width)
            made.lines.append(([numbers[row] for row in rows], gapped))
    for number, (trace, (times, values)) in enumerate(zip(traces, curves, strict=True)):
        shape = shape_of(trace.number) if trace.number is not None else ""
        if shape and len(times) > 1:
            middles = shape_times(taken, number, axis.low, min(axis.high, times[-1]), pixel)
            across = area.x + (middles - axis.low) * faster
            down = np.interp(middles, times, height(values))
            made.shapes.extend(
                (number, shape, x, y)
                for x, y in zip(across.tolist(), down.tolist(), strict=True)
                if math.isfinite(y)
            )
    return made


def is_broad(trace: Trace, scale: Scale, axis: TimeAxis, area: Box, coarse: bool, width: int) -> bool:
    """Whether what a curve should be is drawn broader than it, for lines that will be `width` pixels wide."""
    faster, pixel = area.width / axis.span, axis.span / max(area.width, 1.0)
    view = window(trace.series.times, axis.low, axis.high, area.width, coarse)
    times, values = trace.series.curve(view, trace.component)
    meets = (cell_ends(axis.low, axis.high, cell_time(pixel, width)) - axis.low) * faster
    return not crowded((times - axis.low) * faster, area.height * scale.project(values), meets, width)


def _lengths(trace: Trace, width: int) -> list[float]:
    """Those of its dashes and gaps in turn [pixels], of a line that is drawn thin and laid down `width` times: each dash grows
    by that, and each gap shrinks."""
    return [
        width * part + (width - 1) * side for part, side in zip(trace.pattern, cycle((-1, 1)), strict=False)
    ]


def _dashed(trace: Trace, curve: int, taken: Turns | None, times: np.ndarray) -> np.ndarray:
    """At which of its points at `times` (n,) [s] a trace has dashes: where it touches none of those with which it takes turns."""
    if not trace.pattern or len(times) < 2:
        return np.zeros(len(times), dtype=bool)
    return taken.apart(curve, times) if taken is not None else np.ones(len(times), dtype=bool)
