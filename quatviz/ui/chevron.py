"""The mark of a box that opens downwards: the style sheet removes the platform's own."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import QWidget


def draw_chevron(widget: QWidget, inset: float) -> None:
    """Draw it on `widget`, in its `paintEvent`, its middle `inset` pixels from the right."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(widget.palette().color(QPalette.ColorRole.Text), 1.5))
    x, y = widget.width() - inset, widget.height() / 2
    painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
    painter.end()
