"""A large spot in place of the mouse's arrow, which a lecture room sees."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QCursor, QGuiApplication, QPainter, QPen, QPixmap

from quatviz.look.theme import Theme

SIZE = 56


class Pointer:
    """The desktop itself moves it: nothing is painted anew."""

    def __init__(self) -> None:
        self.on = False

    def switch(self, on: bool, theme: Theme) -> None:
        """Show the spot, or the arrow."""
        if on == self.on:
            return
        self.on = on
        if on:
            QGuiApplication.setOverrideCursor(QCursor(spot(theme), SIZE // 2, SIZE // 2))
        else:
            QGuiApplication.restoreOverrideCursor()


def spot(theme: Theme) -> QPixmap:
    """Red, to be seen through, with a rim of the ground's colour."""
    picture = QPixmap(SIZE, SIZE)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inside = QColor("#ff2b2b")
    inside.setAlphaF(0.45)
    painter.setBrush(inside)
    painter.setPen(QPen(QColor(theme.window), 5.0))
    painter.drawEllipse(QPointF(SIZE / 2, SIZE / 2), SIZE / 2 - 4, SIZE / 2 - 4)
    painter.setPen(QPen(QColor("#ff2b2b"), 3.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(SIZE / 2, SIZE / 2), SIZE / 2 - 5, SIZE / 2 - 5)
    painter.end()
    return picture
