"""Dots where the cursor meets the curves of a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from quatviz.ui.plotting.curves import Trace
from quatviz.ui.plotting.scales import Scale

RADIUS = (2.5, 4.0, 5.5)
"""Of the dots, in pixels: of the first lane, of the second, and of all others."""
RADIUS_OF_COMPONENT = 3.5


def draw_dots(
    painter: QPainter, x: float, time: float, traces: Sequence[Trace], scale: Scale, area: QRectF, lanes: bool
) -> None:
    """Mark each curve at `x`, the place of `time` [s]; `lanes` says that the traces are lanes of one component."""
    if scale.empty:
        return
    bottom, height = area.bottom(), area.height()
    drawn: set[tuple[float, float]] = set()
    dots = []
    for number, trace in enumerate(traces):
        part = scale.place(trace.at(time))
        if math.isfinite(part) and not (trace.theory or trace.part):
            radius = RADIUS[min(number, 2)] if lanes else RADIUS_OF_COMPONENT
            y = round(4 * (bottom - part * height)) / 4
            if (y, radius) not in drawn:  # or it would lie exactly under the one that is there
                drawn.add((y, radius))
                dots.append((trace.colour, y, radius))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    # The first lane is drawn last and smallest: dots of lanes that agree lie in each other as rings.
    for colour, y, radius in reversed(dots):
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(x, y), radius, radius)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
