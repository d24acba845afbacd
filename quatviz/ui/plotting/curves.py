"""Turning the traces of one strip into painter paths in its pixels."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from quatviz.export.figures.stripes import Turns, bucket_time, turns
from quatviz.ui.lane_look import add_shape
from quatviz.ui.plotting.lane_marks import shape_times
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

    def height(values: np.ndarray) -> np.ndarray:
        return area.bottom() - area.height() * scale.project(values)

    views = [window(trace.series.times, axis.low, axis.high, area.width(), coarse) for trace in traces]
    pixel = axis.span / max(area.width(), 1.0)
    taken = _turns(traces, views, height, pixel)
    made = []
    for number, (trace, view) in enumerate(zip(traces, views, strict=True)):
        times, values = trace.series.curve(view, trace.component)
        whole = heights = height(values)
        if taken is not None and not trace.theory and trace.emphasis <= 0:
            heights = np.where(taken.mask(number, times), heights, np.nan)
        x = area.left() + (times - axis.low) * (area.width() / axis.span)
        path = pg.arrayToQPath(x, heights, connect="finite")
        if trace.shape and len(times) > 1:
            middles = shape_times(taken, number, axis.low, min(axis.high, times[-1]), pixel)
            places = area.left() + (middles - axis.low) * (area.width() / axis.span)
            for at, middle in zip(places.tolist(), np.interp(middles, times, whole).tolist(), strict=True):
                if math.isfinite(middle):
                    add_shape(path, trace.shape, at, middle)
        made.append(path)
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
    heights = np.full((len(solid), len(longest)), np.nan)
    for number, (times, values) in enumerate(points):
        heights[number, : len(times)] = height(values[:, solid[number].component])
    return turns(longest, heights, bucket_time(pixel, float(np.max(np.diff(longest)))))


def _same_grid(times: np.ndarray, longest: np.ndarray) -> bool:
    """Whether `times` begin like `longest`; the last pair belongs to a bucket that is still filling."""
    count = max(len(times) - 2, 0)
    return bool(np.array_equal(times[:count], longest[:count]))
