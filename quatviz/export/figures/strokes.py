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
from quatviz.display.data.series import bucket_range
from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.line_styles import MAX_PATTERN_LENGTH, marker_of
from quatviz.export.figures.stripes import (
    StripeTurns,
    group_by_times,
    shape_times,
    stripe_duration,
    trace_turns,
)

MAX_DEVIATION = 0.02
"""Pixels by which a point that is left out may lie beside the line that is drawn: a few shades of a colour, after each of the"""
MAX_SIMPLIFY_PASSES = 2
"""in which every other point may be left out."""


@dataclass(frozen=True, eq=False)
class Strokes:
    """Those of several curves, one after the other: points `x`, `y` (m,), which are finite, whether each is `is_joined` (m,) to the
    one before it, and where the points of each curve begin, with the end of the last, `starts` (curves + 1,)."""

    x: np.ndarray
    y: np.ndarray
    is_joined: np.ndarray
    starts: np.ndarray

    def points_of(self, curve: int) -> slice:
        return slice(int(self.starts[curve]), int(self.starts[curve + 1]))

    def subset(self, curves: Sequence[int]) -> tuple["Strokes", np.ndarray]:
        """Those of these curves, and the numbers of their points."""
        points = np.concatenate([np.arange(self.starts[curve], self.starts[curve + 1]) for curve in curves])
        starts = np.cumsum([0, *(self.starts[curve + 1] - self.starts[curve] for curve in curves)])
        return Strokes(self.x[points], self.y[points], self.is_joined[points], starts), points

    def with_points(self, points: np.ndarray) -> "Strokes":
        """With these points (k,) only, by their numbers; none may be left out that begins a stroke."""
        starts = np.searchsorted(points, self.starts)
        return Strokes(self.x[points], self.y[points], self.is_joined[points], starts)


def make_strokes(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> tuple[Strokes, np.ndarray]:
    """Of curves through `y` (curves, n) over `x` (n,), where they are `drawn` (curves, n) and finite; and which of the points
    (curves n) these are."""
    points = np.flatnonzero(drawn & np.isfinite(y))
    columns = points % len(x) if len(x) else points
    joined = (np.diff(points, prepend=-2) == 1) & (columns != 0)
    starts = np.searchsorted(points, len(x) * np.arange(len(y) + 1))
    return Strokes(x[columns], y.ravel()[points], joined, starts), points


def visible_points(lines: Strokes) -> np.ndarray:
    """Numbers of the points that show where the strokes go, in pixels: one on the line between its neighbours is not seen, and
    costs as much as any.

    >>> x, y = np.arange(6.0), np.array([[0.0, 1.0, 2.0, 3.0, 9.0, 9.0]])
    >>> visible_points(make_strokes(x, y, np.ones(y.shape, dtype=bool))[0]).tolist()
    [0, 3, 4, 5]
    """
    inner = lines.is_joined.copy()
    inner[:-1] &= lines.is_joined[1:]
    inner[-1:] = False
    points = np.arange(len(lines.x))
    for _ in range(MAX_SIMPLIFY_PASSES):
        x, y = lines.x[points], lines.y[points]
        with np.errstate(invalid="ignore", divide="ignore"):
            part = (x[1:-1:2] - x[:-2:2]) / (x[2::2] - x[:-2:2])
            deviation = np.abs(y[1:-1:2] - y[:-2:2] - part * (y[2::2] - y[:-2:2]))
        is_removed = (deviation < MAX_DEVIATION) & inner[points[1:-1:2]]
        keep_mask = np.ones(len(points), dtype=bool)
        keep_mask[1:-1:2] = ~is_removed
        points = points[keep_mask]
    return points


PERIODS_PER_CELL = 2
"""Of the longest pattern: the least width of a cell."""

CROWDED_HEIGHT = 6.0
"""By the width of a curve: one that goes up and down within less is crowded. Dashes would be a grain there, and a broad pale line
below it would fill the ground between: it is whole, and what lies below it no broader."""


def cell_duration(seconds_per_pixel: float, width: float) -> float:
    """Length of a cell in seconds, for curves `width` pixels wide."""
    return stripe_duration(seconds_per_pixel, 0.0, PERIODS_PER_CELL * MAX_PATTERN_LENGTH * width)


def cell_boundaries(low: float, high: float, length: float) -> np.ndarray:
    """Where cells of `length` [s] meet from `low` to `high` [s]."""
    return length * np.arange(math.ceil(low / length - 1e-9), math.floor(high / length + 1e-9) + 1)


def with_dashes(
    lines: Strokes,
    dashed: np.ndarray,
    boundaries: np.ndarray,
    patterns: Sequence[Sequence[float]],
    width: float,
) -> Strokes:
    """The strokes, `width` pixels wide, with gaps after those points that are `dashed` (m,). `boundaries` are the `x` at which
    cells meet; the pattern of a curve, of which there are two points at least, has the lengths of dash and gap in turn."""
    x, y, joined, starts = lines.x, lines.y, lines.is_joined, lines.starts
    count, has_next = len(x), np.append(joined[1:], False)
    lengths = np.where(has_next, np.hypot(np.diff(x, append=x[-1]), np.diff(y, append=y[-1])), 0.0)
    lengths[starts[1:] - 1] = 1.0  # so that what ends a curve does not begin the next
    arc_length, numbers = np.cumsum(lengths) - lengths, np.arange(float(count))
    at = _cell_positions(lines, boundaries)
    cells = np.interp(at.ravel(), numbers, arc_length).reshape(at.shape)
    dash_starts, dash_ends = _dash_intervals(cells, _crowded_cells(lines, at, width), patterns)
    bounds = np.concatenate([dash_starts, dash_ends])
    places = np.concatenate([numbers, np.interp(bounds, arc_length, numbers)])
    order = np.argsort(places, kind="stable")
    inside = np.cumsum(np.repeat((0, 1, -1), (count, len(dash_starts), len(dash_ends)))[order]) > 0
    after = places[order].astype(np.intp)
    is_on = has_next[after] & (inside | ~dashed[after])
    linked = np.append(False, is_on[:-1])
    keep_mask = is_on | linked
    order = order[keep_mask]
    across, down = (np.concatenate([own, np.interp(bounds, arc_length, own)])[order] for own in (x, y))
    return Strokes(across, down, linked[keep_mask], np.searchsorted(places[order], starts))


def _cell_positions(lines: Strokes, meets: np.ndarray) -> np.ndarray:
    """Where cells end (curves, k + 1) along the points of curves that have some, as numbers of these and parts of them."""
    ends = []
    for curve, start in enumerate(lines.starts[:-1]):
        x = lines.x[lines.points_of(curve)]
        at = np.concatenate([x[:1], np.clip(meets, x[0], x[-1]), x[-1:]])
        ends.append(start + np.interp(at, x, np.arange(len(x))))
    return np.array(ends)


def _dash_intervals(
    cells: np.ndarray, is_solid: np.ndarray, patterns: Sequence[Sequence[float]]
) -> tuple[np.ndarray, np.ndarray]:
    """How far along all lines dashes begin (m,) and end (m,), where their `cells` (lines, k + 1) meet there; those that are
    `is_solid` (lines, k) are one.

    A cell holds whole periods, stretched a little, so that it begins with a dash and ends with a gap wherever the curve
    goes. Of the first and the last in sight only a part is known: these have periods as they are, from the end that is.
    """
    period = np.array([math.fsum(pattern) for pattern in patterns])[:, None]
    lengths, first = np.diff(cells, axis=1), cells[:, :-1].copy()
    counts = np.maximum(np.rint(lengths / period), 1.0)
    periods = lengths / counts
    for side in (0, -1):
        periods[:, side] = period[:, 0]
        counts[:, side] = np.ceil(lengths[:, side] / period[:, 0])
    if lengths.shape[1] > 1:
        first[:, 0] = cells[:, 1] - counts[:, 0] * period[:, 0]
    counts = np.where(is_solid, 0.0, counts).astype(np.intp).ravel()
    cell = np.repeat(np.arange(counts.size), counts)
    period_numbers = np.arange(len(cell)) - (np.cumsum(counts) - counts)[cell]
    bounds = np.zeros((len(patterns), max(map(len, patterns))))
    for line, pattern in enumerate(patterns):
        bounds[line, : len(pattern)] = np.cumsum([0.0, *pattern])[:-1] / period[line]
    parts = period_numbers[:, None] + bounds[cell // lengths.shape[1]]
    places = first.ravel()[cell][:, None] + periods.ravel()[cell][:, None] * parts
    low, high = cells[:, :-1].ravel(), cells[:, 1:].ravel()
    places = np.clip(places, low[cell][:, None], high[cell][:, None])
    dash_starts, dash_ends = places[:, 0::2].ravel(), places[:, 1::2].ravel()
    is_visible, is_solid_cell = dash_ends > dash_starts, is_solid.ravel()
    return np.concatenate([dash_starts[is_visible], low[is_solid_cell]]), np.concatenate(
        [dash_ends[is_visible], high[is_solid_cell]]
    )


def is_crowded(x: np.ndarray, y: np.ndarray, meets: np.ndarray, width: float) -> bool:
    """Whether a curve through `y` (n,) over `x` (n,), `width` pixels wide, is crowded in any of the cells that meet there."""
    lines, _ = make_strokes(x, y[None], np.ones((1, len(x)), dtype=bool))
    return len(lines.x) > 1 and bool(_crowded_cells(lines, _cell_positions(lines, meets), width).any())


def _crowded_cells(lines: Strokes, at: np.ndarray, width: float) -> np.ndarray:
    """In which cells (curves, k), which end `at` these numbers of points (curves, k + 1), lines go up and down so often."""
    y, x = lines.y, np.interp(at, np.arange(len(lines.x)), lines.x)
    firsts = np.minimum(np.ceil(at[:, :-1]).astype(np.intp), lines.starts[1:, None] - 1).ravel()
    rises = np.where(np.append(lines.is_joined[1:], False), np.abs(np.diff(y, append=y[-1])), 0.0)
    path_heights = np.add.reduceat(rises, firsts).reshape(len(at), -1)
    height = (np.maximum.reduceat(y, firsts) - np.minimum.reduceat(y, firsts)).reshape(path_heights.shape)
    max_height = CROWDED_HEIGHT * width
    return (
        (path_heights > 4.0 * height)
        & (path_heights * max_height > np.diff(x, axis=1) * height)
        & (height > max_height / 2)
    )


class CurveLines(NamedTuple):
    """The curves of a plot in its pixels."""

    lines: list[tuple[list[int], Strokes]]
    """The numbers of curves, and their strokes."""
    shapes: list[tuple[int, str, float, float]]
    """The number of a curve, a shape along it, and where that is."""


def curve_lines(
    traces: list[Trace], scale: Scale, axis: TimeAxis, area: Box, coarse: bool, width: int
) -> CurveLines:
    """The lines of traces in pixels of `area`, with breaks at NaN, turns where traces coincide, and the dashes of their lanes
    where they do not, for lines that will be `width` pixels wide; and the shapes along them."""
    views = [bucket_range(trace.series.times, axis.low, axis.high, area.width, coarse) for trace in traces]
    curves = [trace.series.curve(view, trace.component) for trace, view in zip(traces, views, strict=True)]
    faster, pixel = area.width / axis.span, axis.span / max(area.width, 1.0)

    def height(values: np.ndarray) -> np.ndarray:
        return area.bottom - area.height * scale.project(values)

    boundaries = (
        area.x + (cell_boundaries(axis.low, axis.high, cell_duration(pixel, width)) - axis.low) * faster
    )
    groups = [
        (times, numbers, height(np.stack([curves[number][1] for number in numbers])))
        for times, numbers in group_by_times(curves)
    ]
    turns = trace_turns(traces, views, height, pixel, groups)
    result = CurveLines([], [])
    for times, numbers, heights in groups:
        drawn = np.ones(heights.shape, dtype=bool)
        if turns is not None:
            turning = [traces[number].emphasis <= 0 for number in numbers]
            drawn[turning] = turns.masks(times, list(compress(numbers, turning)))
        all_points, places = make_strokes(area.x + (times - axis.low) * faster, heights, drawn)
        points = visible_points(all_points)
        lines = all_points.with_points(points)
        has_dashes = np.stack([_has_dashes(traces[number], number, turns, times) for number in numbers])
        dashed = has_dashes.any(axis=1) & (np.diff(lines.starts) > 1)
        rows, others = np.flatnonzero(dashed).tolist(), np.flatnonzero(~dashed).tolist()
        if others:
            result.lines.append(
                ([numbers[row] for row in others], lines.subset(others)[0] if rows else lines)
            )
        if rows:
            lengths = [_dash_lengths(traces[numbers[row]], width) for row in rows]
            dashed_lines, point_numbers = lines.subset(rows)
            with_gaps = with_dashes(
                dashed_lines, has_dashes.ravel()[places[points[point_numbers]]], boundaries, lengths, width
            )
            result.lines.append(([numbers[row] for row in rows], with_gaps))
    for number, (trace, (times, values)) in enumerate(zip(traces, curves, strict=True)):
        shape = marker_of(trace.number) if trace.number is not None else ""
        if shape and len(times) > 1:
            middles = shape_times(turns, number, axis.low, min(axis.high, times[-1]), pixel)
            across = area.x + (middles - axis.low) * faster
            down = np.interp(middles, times, height(values))
            result.shapes.extend(
                (number, shape, x, y)
                for x, y in zip(across.tolist(), down.tolist(), strict=True)
                if math.isfinite(y)
            )
    return result


def is_broad(trace: Trace, scale: Scale, axis: TimeAxis, area: Box, coarse: bool, width: int) -> bool:
    """Whether what a curve should be is drawn broader than it, for lines that will be `width` pixels wide."""
    faster, pixel = area.width / axis.span, axis.span / max(area.width, 1.0)
    view = bucket_range(trace.series.times, axis.low, axis.high, area.width, coarse)
    times, values = trace.series.curve(view, trace.component)
    boundaries = (cell_boundaries(axis.low, axis.high, cell_duration(pixel, width)) - axis.low) * faster
    return not is_crowded((times - axis.low) * faster, area.height * scale.project(values), boundaries, width)


def _dash_lengths(trace: Trace, width: int) -> list[float]:
    """Those of its dashes and gaps in turn [pixels], of a line that is drawn thin and laid down `width` times: each dash grows
    by that, and each gap shrinks."""
    return [
        width * part + (width - 1) * side for part, side in zip(trace.pattern, cycle((-1, 1)), strict=False)
    ]


def _has_dashes(trace: Trace, curve: int, turns: StripeTurns | None, times: np.ndarray) -> np.ndarray:
    """At which of its points at `times` (n,) [s] a trace has dashes: where it touches none of those with which it takes turns."""
    if not trace.pattern or len(times) < 2:
        return np.zeros(len(times), dtype=bool)
    return turns.touches_none(curve, times) if turns is not None else np.ones(len(times), dtype=bool)
