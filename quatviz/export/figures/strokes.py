"""Polylines of curves: connected points in pixels, which are simplified and divided into the dashes of their lanes.

Dash lengths are arc lengths in the picture, so that dashes are equally long in steep and flat parts. Gaps are too
short to hide a peak. Arc lengths are counted within cells that are fixed in data time, like stripes. Dashes
therefore keep their positions while the view scrolls and while the run grows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, cycle
from typing import NamedTuple

import numpy as np

from quatviz.display.data.scales import Scale
from quatviz.display.data.series import bucket_range
from quatviz.display.panels.base.canvas import Rect
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
"""Largest distance [pixels] of a point from the line between its neighbors for which simplification removes the point.

The removal changes the colors of pixels by only a few levels.
"""
MAX_SIMPLIFY_PASSES = 2
"""Largest number of simplification passes. Each pass may remove every other point."""


@dataclass(frozen=True, eq=False)
class Strokes:
    """Polylines of several curves in common arrays, one curve after the other.

    Attributes
    ----------
    x, y
        Coordinates (m,) of the points [pixels], all finite.
    is_joined
        Mask (m,), True for points that are connected to the previous point.
    starts
        Index of the first point of each curve, and the number of points (curves + 1,).
    """

    x: np.ndarray
    y: np.ndarray
    is_joined: np.ndarray
    starts: np.ndarray

    def points_of(self, curve: int) -> slice:
        return slice(int(self.starts[curve]), int(self.starts[curve + 1]))

    def subset(self, curves: Sequence[int]) -> tuple["Strokes", np.ndarray]:
        """Return the polylines of the curves with the indices `curves`, and the indices of their points."""
        points = np.concatenate([np.arange(self.starts[curve], self.starts[curve + 1]) for curve in curves])
        starts = np.cumsum([0, *(self.starts[curve + 1] - self.starts[curve] for curve in curves)])
        return Strokes(self.x[points], self.y[points], self.is_joined[points], starts), points

    def with_points(self, points: np.ndarray) -> "Strokes":
        """Return the polylines reduced to the points with the indices `points` (k,), which must include the
        first point of each line."""
        starts = np.searchsorted(points, self.starts)
        return Strokes(self.x[points], self.y[points], self.is_joined[points], starts)


def make_strokes(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> tuple[Strokes, np.ndarray]:
    """Return the polylines of curves `y` (curves, n) over `x` (n,), and the index of each of their points in `y.ravel()`.

    A line is interrupted where `drawn` (curves, n) is False or `y` is not finite.
    """
    points = np.flatnonzero(drawn & np.isfinite(y))
    columns = points % len(x) if len(x) else points
    joined = (np.diff(points, prepend=-2) == 1) & (columns != 0)
    starts = np.searchsorted(points, len(x) * np.arange(len(y) + 1))
    return Strokes(x[columns], y.ravel()[points], joined, starts), points


def visible_points(lines: Strokes) -> np.ndarray:
    """Return the indices of the points that determine the visible shape. Points on the line between their neighbors
    are omitted.

    Examples
    --------
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
"""Minimum width of a cell, as a multiple of the longest period of all dash patterns. Each cell contains a whole number
of periods."""

CROWDED_HEIGHT = 6.0
"""A curve is crowded if the mean horizontal distance between crossings of its oscillation is below this limit [curve
widths].

A curve that is crowded in any cell is drawn solid, because dashes would look like noise. A crowded theory curve is drawn as
wide as the other curves, because a wider one would fill the area.
"""


def cell_duration(seconds_per_pixel: float, width: float) -> float:
    """Return the duration [s] of the cells in which dashes are counted, for curves of `width` [pixels]."""
    return stripe_duration(seconds_per_pixel, 0.0, PERIODS_PER_CELL * MAX_PATTERN_LENGTH * width)


def cell_boundaries(low: float, high: float, length: float) -> np.ndarray:
    """Return the boundaries (k,) [s] of cells of duration `length` [s] between `low` and `high` [s]."""
    return length * np.arange(math.ceil(low / length - 1e-9), math.floor(high / length + 1e-9) + 1)


def with_dashes(
    lines: Strokes,
    dashed: np.ndarray,
    boundaries: np.ndarray,
    patterns: Sequence[Sequence[float]],
    width: float,
) -> Strokes:
    """Return the polylines with gaps according to the dash patterns of their curves.

    Parameters
    ----------
    lines
        Polylines. Each curve has at least two points.
    dashed
        Mask (m,), True for points that are followed by a dashed part.
    boundaries
        Horizontal positions of the boundaries between cells [pixels].
    patterns
        Lengths of dashes and gaps [pixels] of each curve.
    width
        Width of the curves [pixels].
    """
    x, y, joined, starts = lines.x, lines.y, lines.is_joined, lines.starts
    count, has_next = len(x), np.append(joined[1:], False)
    lengths = np.where(has_next, np.hypot(np.diff(x, append=x[-1]), np.diff(y, append=y[-1])), 0.0)
    lengths[starts[1:] - 1] = 1.0  # so that the end of a curve is separate from the start of the next one
    arc_length, numbers = np.cumsum(lengths) - lengths, np.arange(float(count))
    at = _cell_positions(lines, boundaries)
    cells = np.interp(at.ravel(), numbers, arc_length).reshape(at.shape)
    # A curve is dashed as a whole or not at all: with solid and dashed cells it would look like two curves.
    is_solid = np.broadcast_to(
        _crowded_cells(lines, at, width).any(axis=1, keepdims=True), np.diff(cells).shape
    )
    dash_starts, dash_ends = _dash_intervals(cells, is_solid, patterns)
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
    """Return, for each curve, its ends and the boundaries of the cells in which dashes are counted, as fractional point
    indices (curves, k + 1).
    """
    ends = []
    for curve, start in enumerate(lines.starts[:-1]):
        x = lines.x[lines.points_of(curve)]
        at = np.concatenate([x[:1], np.clip(meets, x[0], x[-1]), x[-1:]])
        ends.append(start + np.interp(at, x, np.arange(len(x))))
    return np.array(ends)


def _dash_intervals(
    cells: np.ndarray, is_solid: np.ndarray, patterns: Sequence[Sequence[float]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the arc lengths at which dashes start (m,) and end (m,).

    `cells` (lines, k + 1) are the arc lengths at the ends of cells. A cell for which `is_solid` (lines, k) is True is a
    single dash. Any other cell contains a whole number of slightly stretched periods, so that it starts with a dash and
    ends with a gap. The first and last cells are only partly visible. Their periods are not stretched, and are counted
    from the inner boundary of the cell.
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
    """Return True if a curve `y` (n,) over `x` (n,) oscillates so densely in a cell that dashes would look
    like noise (see `CROWDED_HEIGHT`). `meets` are the boundaries of the cells [pixels]."""
    lines, _ = make_strokes(x, y[None], np.ones((1, len(x)), dtype=bool))
    return len(lines.x) > 1 and bool(_crowded_cells(lines, _cell_positions(lines, meets), width).any())


def _crowded_cells(lines: Strokes, at: np.ndarray, width: float) -> np.ndarray:
    """Return a mask (curves, k) that is True where a curve is crowded in a cell, as `is_crowded` explains.

    `at` (curves, k + 1) are the boundaries of the cells as fractional indices of points.
    """
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
    """The curves of a plot as polylines and markers in pixels."""

    lines: list[tuple[list[int], Strokes]]
    """Groups of curves. Each has the indices of its curves, and their polylines in the same order."""
    shapes: list[tuple[int, str, float, float]]
    """Markers of the curves. Each has the index of the curve, the name of the marker, x and y [pixels]."""


def curve_lines(
    traces: list[Trace], scale: Scale, axis: TimeAxis, area: Rect, coarse: bool, width: int
) -> CurveLines:
    """Return the polylines and markers of traces in pixels of `area`, for lines of `width` [pixels].

    Lines are interrupted at NaN. Where traces coincide, they alternate in stripes. Elsewhere they have the dash patterns of
    their lanes.
    """
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


def is_broad(trace: Trace, scale: Scale, axis: TimeAxis, area: Rect, coarse: bool, width: int) -> bool:
    """Return True if a theory curve is drawn wider than the computed curve above it. This is not the case if the theory
    curve is crowded (`CROWDED_HEIGHT`)."""
    faster, pixel = area.width / axis.span, axis.span / max(area.width, 1.0)
    view = bucket_range(trace.series.times, axis.low, axis.high, area.width, coarse)
    times, values = trace.series.curve(view, trace.component)
    boundaries = (cell_boundaries(axis.low, axis.high, cell_duration(pixel, width)) - axis.low) * faster
    return not is_crowded((times - axis.low) * faster, area.height * scale.project(values), boundaries, width)


def _dash_lengths(trace: Trace, width: int) -> list[float]:
    """Return the lengths of dashes and gaps [pixels] of a thin line that is drawn `width` times side by side.

    The copies make dashes longer and gaps shorter. The returned lengths compensate for this.
    """
    return [
        width * part + (width - 1) * side for part, side in zip(trace.pattern, cycle((-1, 1)), strict=False)
    ]


def _has_dashes(trace: Trace, curve: int, turns: StripeTurns | None, times: np.ndarray) -> np.ndarray:
    """Return a mask (n,) that is True for the points at `times` (n,) [s] where a trace is dashed.

    A trace is dashed where it does not alternate with other traces.
    """
    if not trace.pattern or len(times) < 2:
        return np.zeros(len(times), dtype=bool)
    return turns.touches_none(curve, times) if turns is not None else np.ones(len(times), dtype=bool)
