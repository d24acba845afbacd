"""Marks on a strip: why an angle jumps, where a lane died, what height means danger."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from quatviz.export.figures.breaks import CAUSES, SINGULAR
from quatviz.ui.plotting.curves import Trace
from quatviz.ui.plotting.scales import Scale
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

MERGED = 10.0
"""Jumps closer than this many pixels are one mark."""

CROWD = 5
"""Marks without room are told of again after this many widths of their words."""

_ARM = 4.0


@dataclass
class Mark:
    """Jumps that lie together: from `left` to `right`, a height for the words, the cause, and how many of one trace."""

    left: float
    right: float
    y: float
    cause: int
    counts: dict[int, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return max(self.counts.values())

    @property
    def words(self) -> str:
        said = tr(CAUSES[self.cause])
        return f"{self.count} × {said}" if self.count > 1 else said


def marks(traces: Sequence[Trace], scale: Scale, axis: TimeAxis, area: QRectF) -> list[Mark]:
    """The jumps of all traces that are in sight, from left to right. Lanes that agree jump together."""
    found = [trace.series.jumps(trace.component, axis.low, axis.high) for trace in traces]
    times = np.concatenate([jumps.times for jumps in found])
    if len(times) == 0:
        return []
    owners = np.repeat(np.arange(len(found)), [len(jumps.times) for jumps in found])
    order = np.argsort(times, kind="stable")
    x = area.left() + (times[order] - axis.low) * (area.width() / axis.span)
    y = (
        area.bottom()
        - scale.project(np.concatenate([jumps.middles for jumps in found])[order]) * area.height()
    )
    causes, owners = np.concatenate([jumps.causes for jumps in found])[order], owners[order]
    starts = np.flatnonzero(np.diff(x, prepend=-math.inf) > MERGED)
    stops = np.append(starts[1:], len(x))
    return [
        Mark(
            float(x[start]),
            float(x[stop - 1]),
            float(y[start]),
            int(causes[start:stop].max()),
            dict(Counter(owners[start:stop].tolist())),
        )
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]


def draw_marks(
    painter: QPainter, style: PlotStyle, found: Sequence[Mark], area: QRectF, words: bool = True
) -> list[Mark]:
    """A dotted line through each jump, or a bar over those that crowd; `words` where there is room for them, and
    which marks those are."""
    for mark in found:
        pen = style.singular if mark.cause == SINGULAR else style.wrap
        painter.setPen(pen)
        if mark.right - mark.left < 2:
            x = round((mark.left + mark.right) / 2) + 0.5
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
        else:
            for y in (area.top(), area.bottom()):
                painter.fillRect(QRectF(mark.left, y - 1, mark.right - mark.left, 2), pen.color())
    told = places(style, found, area) if words else []
    for mark, x in told:
        write(painter, style, mark, x, area)
    return [mark for mark, _ in told]


def places(style: PlotStyle, found: Sequence[Mark], area: QRectF) -> list[tuple[Mark, float]]:
    """Which marks have words, and where those begin: right of the mark or left of it, or in
    it where it is wide. In a crowd, the first one."""
    chosen: list[tuple[Mark, float]] = []
    free = area.left()
    for number, mark in enumerate(found):
        wide = style.width(style.small_metrics, mark.words) + UNIT
        before = found[number - 1].right if number else area.left()
        after = found[number + 1].left if number + 1 < len(found) else area.right()
        first = not chosen or mark.left - free > CROWD * wide
        if mark.right - mark.left > 2 * wide and mark.left >= free:
            x = mark.left + UNIT
        elif mark.right + wide <= (area.right() if first else after) and mark.right >= free:
            x = mark.right + UNIT / 2
        elif mark.left - wide >= max(free, before):
            x = mark.left - wide + UNIT / 2
        else:
            continue
        chosen.append((mark, x))
        free = x + wide
    return chosen


def write(painter: QPainter, style: PlotStyle, mark: Mark, x: float, area: QRectF) -> None:
    """The cause of a mark on a plate of the ground's colour, half-way up the jump: there the curve is not."""
    metrics = style.small_metrics
    wide, high = style.width(metrics, mark.words), metrics.height()
    top = min(max(mark.y - high / 2, area.top()), area.bottom() - high)
    plate = QRectF(x - 2, round(top), wide + 4, high)
    ground = style.ground
    painter.fillRect(plate, ground)
    painter.setFont(style.small)
    painter.setPen(style.singular_text if mark.cause == SINGULAR else style.muted)
    painter.drawText(QPointF(x, plate.top() + metrics.ascent()), mark.words)


def draw_events(painter: QPainter, style: PlotStyle, axis: TimeAxis, area: QRectF) -> None:
    """A dashed line where something happens to every lane: curves may jump there."""
    painter.setPen(style.event)
    for time in {event.at for event in axis.events if axis.low <= event.at <= axis.high}:
        x = round(area.left() + (time - axis.low) / axis.span * area.width()) + 0.5
        painter.drawLine(QLineF(x, area.top(), x, area.bottom()))


def draw_band(painter: QPainter, style: PlotStyle, scale: Scale, half: float, area: QRectF) -> None:
    """Zero as a line, and what is too near to it."""
    y = [area.bottom() - scale.place(value) * area.height() for value in (half, 0.0, -half)]
    reach = max((y[2] - y[0]) / 2, 2.0)
    painter.fillRect(QRectF(area.left(), y[1] - reach, area.width(), 2 * reach), style.danger_tint)
    painter.setPen(style.axis)
    painter.drawLine(QLineF(area.left(), round(y[1]) + 0.5, area.right(), round(y[1]) + 0.5))


def draw_ends(painter: QPainter, traces: Sequence[Trace], scale: Scale, axis: TimeAxis, area: QRectF) -> None:
    """A cross in the colour of each lane that died, at its last row."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for trace in traces:
        end = trace.series.end(trace.component) if trace.ended and not trace.theory else None
        if end is None or not axis.low <= end[0] <= axis.high:
            continue
        part = scale.place(end[1])
        if math.isfinite(part):
            x = area.left() + (end[0] - axis.low) / axis.span * area.width()
            y = area.bottom() - part * area.height()
            painter.setPen(QPen(trace.colour, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QLineF(x - _ARM, y - _ARM, x + _ARM, y + _ARM))
            painter.drawLine(QLineF(x - _ARM, y + _ARM, x + _ARM, y - _ARM))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
