"""A square of a colour, for menus, lists and tables."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

_SIDE = 12.0
_RATIO = 2.0


def swatch(colour: QColor, margin: float = 0.0) -> QIcon:
    """The square, with `margin` pixels around it."""
    whole = round((_SIDE + 2 * margin) * _RATIO)
    picture = QPixmap(whole, whole)
    picture.setDevicePixelRatio(_RATIO)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(margin, margin, _SIDE, _SIDE), 3, 3)
    painter.end()
    return QIcon(picture)
