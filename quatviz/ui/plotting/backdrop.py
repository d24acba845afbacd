"""What lies below the curves of a strip: grid lines, and the numbers of its own axis."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap

from quatviz.ui.plotting.numbers import nice_step, ticks
from quatviz.ui.plotting.scales import Scale
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis

_GAP = 8
"""Pixels between the numbers and the axis."""


def time_intervals(width: float) -> int:
    """How many ticks of time fit below a plot of this width."""
    return max(2, int(width // 64))


class Backdrop:
    """Draws it. The numbers come from a picture: while time moves by they stay, and words are dear to draw."""

    def __init__(self, style: PlotStyle) -> None:
        self.style = style
        self._key: tuple[object, ...] = ()
        self._numbers = QPixmap()

    def draw(
        self,
        painter: QPainter,
        ratio: float | None,
        axis: TimeAxis,
        scale: Scale,
        area: QRectF,
        curve_area: QRectF,
    ) -> None:
        """Around and below `area`, for curves in `curve_area`; `ratio` pixels to a logical one, or None for vectors."""
        painter.setPen(self.style.grid)
        step = nice_step(axis.span, time_intervals(area.width()))
        times = ticks(axis.low, axis.high, step)
        places = (round(area.left() + (time - axis.low) / axis.span * area.width()) + 0.5 for time in times)
        painter.drawLines([QLineF(x, area.top(), x, area.bottom()) for x in places])
        lines = area.height() / self.style.small_metrics.height()
        count = int(min(max(lines // 3, 2 if lines < 4 else 3), 6))
        marks = [
            (round(curve_area.bottom() - part * curve_area.height()) + 0.5, text)
            for part, text in scale.ticks(count)
        ]
        painter.drawLines([QLineF(area.left(), y, area.right(), y) for y, _ in marks])
        if ratio is None:
            self._write(painter, marks, area)
        else:
            self._lay(painter, ratio, marks, area)
        painter.setPen(self.style.axis)
        left = area.left() + 0.5
        painter.drawLine(QLineF(left, area.top(), left, area.bottom()))

    def _lay(self, painter: QPainter, ratio: float, marks: list[tuple[float, str]], area: QRectF) -> None:
        key = (tuple(marks), ratio, area.left(), area.bottom(), id(self.style))
        if key != self._key:
            size = QSize(round(area.left()) - _GAP, math.ceil(area.bottom()) + 4)
            self._key, self._numbers = key, QPixmap(size * ratio)
            self._numbers.setDevicePixelRatio(ratio)
            self._numbers.fill(self.style.ground)
            inner = QPainter(self._numbers)
            try:
                self._write(inner, marks, area)
            finally:
                inner.end()  # a painter that outlives its picture, in a traceback, ends the process
        painter.drawPixmap(0, 0, self._numbers)

    def _write(self, painter: QPainter, marks: list[tuple[float, str]], area: QRectF) -> None:
        painter.setFont(self.style.small)
        painter.setPen(self.style.muted)
        written = math.inf
        for y, text in marks:
            if written - y >= self.style.small_metrics.ascent():
                written = y
                box = QRectF(0, y - 10, area.left() - _GAP, 20)
                painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
