"""Where a panel that is dragged would go."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsRectItem

from quatviz.ui.theme import Theme


class DropMark(QGraphicsRectItem):
    """A tinted frame over the place of a panel."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setZValue(10)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.hide()
        self.restyle(theme)

    def restyle(self, theme: Theme) -> None:
        tint = QColor(theme.accent)
        self.setPen(QPen(tint, 2))
        tint.setAlphaF(0.14)
        self.setBrush(tint)

    def show_at(self, place: QRectF | None) -> None:
        """Stand over this place of the scene, or nowhere."""
        self.setVisible(place is not None)
        if place is not None:
            self.setRect(place.adjusted(1, 1, -1, -1))
