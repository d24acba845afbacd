"""Writes the names of lanes where their curves end, beside a plot and at the crosses in it."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from quatviz.display.panels.base.canvas import Box
from quatviz.display.panels.base.end_labels import LEADER, DrawnCurves, EndNames, Label, at_crosses, names_of
from quatviz.ui.widgets.style import PlotStyle, clear, colour_named

_FADED = 0.3
"""Opacity of the names of curves that have faded."""


def draw_names(
    painter: QPainter, style: PlotStyle, names: EndNames, curves: DrawnCurves, beside: Box
) -> None:
    """Write them into the room `beside` the plot, and at the crosses in it."""
    arrived, died = names.look(curves, style.small_type.line)
    if not (arrived or died):
        return
    titles = names_of(curves.traces)
    painter.setFont(style.small)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for label, middle in names.stacked(arrived, titles, style.small_type, beside):
        _write(painter, style, label, middle, beside.x)
    for end, lines, box in at_crosses(died, titles, style.small_type, curves):
        painter.setPen(colour_named(end.trace.colour))
        painter.drawText(QRectF(*box), Qt.AlignmentFlag.AlignCenter, "\n".join(lines))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _write(painter: QPainter, style: PlotStyle, label: Label, middle: float, left: float) -> None:
    """Write a name right of a plot that ends at `left`, and the lines that lead to it."""
    metrics, first = style.small_metrics, label.ends[0].trace
    painter.setOpacity(_FADED if all(end.trace.emphasis < 0 for end in label.ends) else 1.0)
    x = left + LEADER
    for end in reversed(label.ends):
        painter.setPen(QPen(clear(end.trace.colour, 0.75), 1))
        painter.drawPolyline(
            [QPointF(end.x + 1.0, end.y), QPointF(left + 3.0, end.y), QPointF(x - 3.0, middle)]
        )
    painter.setPen(colour_named(first.colour))
    baseline = middle - label.high / 2 + metrics.ascent()
    for number, line in enumerate(label.lines):
        painter.drawText(QPointF(x, baseline + number * metrics.height()), line)
    painter.setOpacity(1.0)
