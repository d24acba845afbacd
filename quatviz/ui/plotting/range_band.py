"""The selected times as a tinted band in a plot."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from quatviz.ui.plotting.numbers import decimals_for, fixed
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import UNIT

TINT = 0.16


def draw_range(painter: QPainter, style: PlotStyle, axis: TimeAxis, area: QRectF, told: bool = False) -> None:
    """Tint what is selected of the times in sight, with a line at each end of it that is; `told` writes them there."""
    if axis.selected is None:
        return
    low, high = axis.selected
    if high < axis.low or low > axis.high:
        return

    def x_of(time: float) -> float:
        return area.left() + (min(max(time, axis.low), axis.high) - axis.low) / axis.span * area.width()

    left, right = round(x_of(low)), round(x_of(high))
    tint = QColor(style.theme.accent)
    tint.setAlphaF(TINT)
    painter.fillRect(QRectF(left, area.top(), right - left, area.height()), tint)
    painter.setPen(QPen(style.accent, 1))
    for time, x in ((low, left), (high, right)):
        if axis.low <= time <= axis.high:
            painter.drawLine(QLineF(x + 0.5, area.top(), x + 0.5, area.bottom()))
    if told:
        _write(painter, style, range_text(low, high, axis.sample), (left + right) / 2, area)


def _write(painter: QPainter, style: PlotStyle, text: str, middle: float, area: QRectF) -> None:
    """The text at the top, as near to the middle as it fits."""
    wide, high = style.small_metrics.horizontalAdvance(text) + UNIT, style.small_metrics.height() + 2
    left = max(min(middle - wide / 2, area.right() - wide), area.left())
    box = QRectF(left, area.top() + UNIT / 2, wide, high)
    painter.fillRect(box, style.ground)
    painter.setFont(style.small)
    painter.setPen(style.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def range_text(low: float, high: float, sample: float) -> str:
    """Both ends of a range of times and its length, with units, to the decimals that tell two samples apart."""
    decimals = max(2, decimals_for(sample))
    return f"{fixed(low, decimals)} – {fixed(high, decimals)} s, {fixed(high - low, decimals)} s"
