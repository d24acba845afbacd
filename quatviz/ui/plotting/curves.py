"""Turning the traces of one strip into painter paths in its pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from quatviz.ui.plotting.scales import Scale
from quatviz.ui.plotting.series import Series, window
from quatviz.ui.plotting.stripes import bucket_time, visible
from quatviz.ui.plotting.time_axis import TimeAxis

WIDE = ((0.35, 0.35), (-0.35, 0.35), (0.35, -0.35), (-0.35, -0.35))
"""Offsets at which a thin line is drawn to look two pixels wide: a wide pen costs ten times as much."""


@dataclass
class Trace:
    """One component of one lane. `label` is what tells it from the other traces of its plot."""

    series: Series
    component: int
    colour: QColor
    label: str

    def at(self, time: float) -> float:
        """The value under the cursor at `time`."""
        return self.series.at(time)[self.component]


def paths(traces: list[Trace], scale: Scale, axis: TimeAxis, area: QRectF) -> list[QPainterPath]:
    """One path per trace, in pixels of `area`, with breaks at NaN and turns where traces coincide."""
    columns, rows = [], []
    for trace in traces:
        view = window(trace.series.times, axis.low, axis.high, area.width())
        times, values = trace.series.points(view)
        columns.append(times)
        rows.append(area.bottom() - area.height() * scale.project(values[:, trace.component]))
    shown = _turns(columns, rows, axis.span / max(area.width(), 1.0))
    made = []
    for times, heights, mask in zip(columns, rows, shown, strict=True):
        x = area.left() + (times - axis.low) * (area.width() / axis.span)
        made.append(pg.arrayToQPath(x, np.where(mask, heights, np.nan), connect="finite"))
    return made


def stroke(painter: QPainter, path: QPainterPath, colour: QColor, width: float) -> None:
    painter.setPen(QPen(colour, 1))
    if width <= 1.0:
        painter.drawPath(path)
        return
    for dx, dy in WIDE:
        offset = QPointF(dx * width / 2, dy * width / 2)
        painter.translate(offset)
        painter.drawPath(path)
        painter.translate(-offset)


def _turns(columns: list[np.ndarray], rows: list[np.ndarray], seconds_per_pixel: float) -> list[np.ndarray]:
    """Which points of each trace are drawn. Traces that are sampled differently are all drawn fully."""
    longest = max(columns, key=len, default=np.empty(0))
    shared = len(columns) > 1 and all(_same_grid(times, longest) for times in columns)
    if not shared or len(longest) < 2:
        return [np.ones(len(times), dtype=bool) for times in columns]
    heights = np.full((len(rows), len(longest)), np.nan)
    for number, row in enumerate(rows):
        heights[number, : len(row)] = row
    spacing = float(np.max(np.diff(longest)))
    mask = visible(longest, heights, bucket_time(seconds_per_pixel, spacing))
    return [mask[number, : len(row)] for number, row in enumerate(rows)]


def _same_grid(times: np.ndarray, longest: np.ndarray) -> bool:
    """Whether `times` begin like `longest`; the last pair belongs to a bucket that is still filling."""
    count = max(len(times) - 2, 0)
    return bool(np.array_equal(times[:count], longest[:count]))
