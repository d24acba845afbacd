"""Turning the traces of one strip into painter paths in its pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from quatviz.export.figures.stripes import Turns, bucket_time, turns
from quatviz.ui.lane_look import add_shape
from quatviz.ui.plotting.lane_marks import shape_times
from quatviz.ui.plotting.polylines import polylines
from quatviz.ui.plotting.scales import Scale
from quatviz.ui.plotting.series import Series, Window, window
from quatviz.ui.plotting.time_axis import TimeAxis

WIDE = ((0.35, 0.35), (-0.35, 0.35), (0.35, -0.35), (-0.35, -0.35))
"""Offsets at which a thin line is drawn to look two pixels wide: a wide pen costs ten times as much."""

DASHES = (4.0, 6.0)

PART_ALPHA = 0.4
"""Opacity of the parts of a sum, so that one that takes away is seen to lie over what it takes away."""

FADED_ALPHA = 0.3
"""Opacity of the curves beside one that a person points at elsewhere."""


@dataclass
class Trace:
    """One component of one lane. `label` is what tells it from the other traces of its plot."""

    series: Series
    component: int
    colour: QColor
    label: str
    lane: str = ""
    quantity: str = ""
    theory: bool = False
    """What the trace of the same lane should be: a dashed line laid over it, without dot and number."""
    part: bool = False
    """Whether it is a part of a sum: an area between its curve and that of the component before it, without dot."""
    ended: bool = False
    """Whether the lane died: a cross marks its last row."""
    emphasis: int = 0
    """1 where a person points at it elsewhere, -1 where at another one, which fades this one."""
    shape: str = ""
    """One of `lane_look.SHAPES`, which stand along the curve of a lane that shares its colour with another."""

    def at(self, time: float) -> float:
        """The value under the cursor at `time`."""
        return self.series.at(time)[self.component]


def paths(
    traces: list[Trace], scale: Scale, axis: TimeAxis, area: QRectF, coarse: bool = False
) -> list[QPainterPath]:
    """One path per trace, in pixels of `area`, with breaks at NaN and turns where traces coincide."""
    views = _views(traces, axis, area.width(), coarse)
    curves = [trace.series.curve(view, trace.component) for trace, view in zip(traces, views, strict=True)]

    def height(values: np.ndarray) -> np.ndarray:
        return area.bottom() - area.height() * scale.project(values)

    def across(times: np.ndarray) -> np.ndarray:
        return area.left() + (times - axis.low) * (area.width() / axis.span)

    pixel = axis.span / max(area.width(), 1.0)
    taken = _turns(traces, views, height, pixel)
    made: list[QPainterPath] = [QPainterPath()] * len(traces)
    for times, numbers in _alike(curves):
        heights = height(np.stack([curves[number][1] for number in numbers]))
        drawn = np.ones(heights.shape, dtype=bool)
        if taken is not None:
            turning = [not traces[number].theory and traces[number].emphasis <= 0 for number in numbers]
            drawn[turning] = taken.masks(times, list(compress(numbers, turning)))
        for number, path in zip(numbers, polylines(across(times), heights, drawn), strict=True):
            made[number] = path
    for number, (trace, (times, values)) in enumerate(zip(traces, curves, strict=True)):
        if trace.shape and len(times) > 1:
            middles = shape_times(taken, number, axis.low, min(axis.high, times[-1]), pixel)
            heights = np.interp(middles, times, height(values))
            for at, middle in zip(across(middles).tolist(), heights.tolist(), strict=True):
                if math.isfinite(middle):
                    add_shape(made[number], trace.shape, at, middle)
    return made


def stroke(painter: QPainter, path: QPainterPath, trace: Trace, width: float) -> None:
    colour = QColor(trace.colour)
    if trace.emphasis < 0:
        colour.setAlphaF(FADED_ALPHA)
    elif trace.emphasis > 0:
        width = max(2.0, 1.5 * width)
    pen = QPen(colour, 1)
    if trace.theory:
        pen.setDashPattern(DASHES)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    if width <= 1.0:
        painter.drawPath(path)
        return
    for dx, dy in WIDE:
        offset = QPointF(dx * width / 2, dy * width / 2)
        painter.translate(offset)
        painter.drawPath(path)
        painter.translate(-offset)


def fill_parts(
    painter: QPainter,
    traces: list[Trace],
    scale: Scale,
    axis: TimeAxis,
    area: QRectF,
    coarse: bool = False,
) -> None:
    """What each part of a sum adds, or takes away: the area from where the parts before it end to where it ends."""
    below: np.ndarray | None = None
    for trace in traces:
        if not trace.part:
            continue
        view = window(trace.series.times, axis.low, axis.high, area.width(), coarse)
        times, values = trace.series.curve(view, trace.component)
        below = np.zeros_like(values) if below is None else below
        good = np.isfinite(values) & np.isfinite(below)
        x = area.left() + (times[good] - axis.low) * (area.width() / axis.span)
        edges = [area.bottom() - area.height() * scale.project(one[good]) for one in (values, below)]
        outline = (np.append(x, x[::-1]), np.append(edges[0], edges[1][::-1]))
        colour = QColor(trace.colour)
        colour.setAlphaF(PART_ALPHA)
        painter.fillPath(pg.arrayToQPath(*outline), colour)
        below = values


def _views(traces: list[Trace], axis: TimeAxis, width: float, coarse: bool) -> list[Window]:
    """The rows of each trace that are in sight; lanes of a run share their times."""
    found: dict[tuple[int, int, float], Window] = {}
    views = []
    for trace in traces:
        times = trace.series.times
        key = (
            id(times if times.base is None else times.base),
            len(times),
            float(times[0]) if len(times) else 0.0,
        )
        if key not in found:
            found[key] = window(times, axis.low, axis.high, width, coarse)
        views.append(found[key])
    return views


def _alike(curves: list[tuple[np.ndarray, np.ndarray]]) -> list[tuple[np.ndarray, list[int]]]:
    """Times, and the numbers of the curves that have these: most often all lanes do."""
    found: list[tuple[np.ndarray, list[int]]] = []
    for number, (times, _) in enumerate(curves):
        numbers = next((numbers for known, numbers in found if np.array_equal(known, times)), None)
        if numbers is None:
            found.append((times, [number]))
        else:
            numbers.append(number)
    return found


def _turns(
    traces: list[Trace], views: list[Window], height: Callable[[np.ndarray], np.ndarray], pixel: float
) -> Turns | None:
    """Who is drawn where, of the traces that are no theory, which come first; None where traces are sampled
    differently and all are drawn fully. `pixel` is a pixel's width in seconds."""
    solid = [trace for trace in traces if not (trace.theory or trace.part)]
    if len(solid) < 2:
        return None
    points = [trace.series.points(view) for trace, view in zip(solid, views, strict=False)]
    longest = max((times for times, _ in points), key=len)
    if len(longest) < 2 or not all(_same_grid(times, longest) for times, _ in points):
        return None
    values = np.full((len(solid), len(longest)), np.nan)
    for number, (times, rows) in enumerate(points):
        values[number, : len(times)] = rows[:, solid[number].component]
    return turns(longest, height(values), bucket_time(pixel, float(np.max(np.diff(longest)))))


def _same_grid(times: np.ndarray, longest: np.ndarray) -> bool:
    """Whether `times` begin like `longest`; the last pair belongs to a bucket that is still filling."""
    count = max(len(times) - 2, 0)
    return bool(np.array_equal(times[:count], longest[:count]))
