"""A square of a colour, for menus, lists and tables, with the shape of a lane that shares it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPixmap

from quatviz.ui.lane_look import add_shape

_SIDE = 12.0
_RATIO = 2.0
CUT = 3.2
"""Radius of a shape in a square."""


def swatch(colour: QColor, margin: float = 0.0, shape: str = "") -> QIcon:
    """The square, with `margin` pixels around it, and one of `lane_look.SHAPES` cut out of it."""
    whole = round((_SIDE + 2 * margin) * _RATIO)
    picture = QPixmap(whole, whole)
    picture.setDevicePixelRatio(_RATIO)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(margin, margin, _SIDE, _SIDE), 3, 3)
    if shape:
        path = QPainterPath()
        add_shape(path, shape, margin + _SIDE / 2, margin + _SIDE / 2, CUT)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
        painter.fillPath(path, Qt.GlobalColor.transparent)
    painter.end()
    return QIcon(picture)
