"""Drawing of lane names: beside the plot at the ends of the curves, and at the crosses of failed lanes."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from quatviz.display.panels.base.canvas import Rect
from quatviz.display.panels.base.end_labels import (
    LEADER_LENGTH,
    DrawnCurves,
    EndLabel,
    EndLabelLayout,
    end_names,
    place_cross_labels,
)
from quatviz.ui.widgets.style import PlotStyle, cached_color, with_opacity

_FADED_OPACITY = 0.3
"""Opacity of lane names whose curves are faded."""


def draw_end_labels(
    painter: QPainter,
    style: PlotStyle,
    label_layout: EndLabelLayout,
    curves: DrawnCurves,
    label_area: Rect,
) -> None:
    """Draw lane names at the ends of the curves: in `label_area` beside the plot for lanes that reach the end, and next to
    the cross for lanes that failed."""
    running_ends, failed_ends = label_layout.update(curves, style.small_type.line_height)
    if not (running_ends or failed_ends):
        return
    titles = end_names(curves.traces)
    painter.setFont(style.small_font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for label, middle in label_layout.stack(running_ends, titles, style.small_type, label_area):
        _draw_label(painter, style, label, middle, label_area.x)
    for end, lines, box in place_cross_labels(failed_ends, titles, style.small_type, curves):
        painter.setPen(cached_color(end.trace.color))
        painter.drawText(QRectF(*box), Qt.AlignmentFlag.AlignCenter, "\n".join(lines))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _draw_label(
    painter: QPainter, style: PlotStyle, label: EndLabel, middle: float, plot_right: float
) -> None:
    """Draw the name of a lane to the right of the plot, whose right edge is at `plot_right`, with lines that lead to the
    curves."""
    metrics, first_trace = style.small_metrics, label.ends[0].trace
    painter.setOpacity(_FADED_OPACITY if all(end.trace.emphasis < 0 for end in label.ends) else 1.0)
    x = plot_right + LEADER_LENGTH
    for end in reversed(label.ends):
        painter.setPen(QPen(with_opacity(end.trace.color, 0.75), 1))
        painter.drawPolyline(
            [QPointF(end.x + 1.0, end.y), QPointF(plot_right + 3.0, end.y), QPointF(x - 3.0, middle)]
        )
    painter.setPen(cached_color(first_trace.color))
    baseline = middle - label.height / 2 + metrics.ascent()
    for number, line in enumerate(label.lines):
        painter.drawText(QPointF(x, baseline + number * metrics.height()), line)
    painter.setOpacity(1.0)
