"""A line of text that changes every frame.

`QLabel.setText` asks for a new layout, which comes a moment later and flushes the window a second time in the
same frame. This one keeps the room that it was given and only repaints.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from quatviz.ui.guard import guarded


class SteadyLabel(QWidget):
    """Text aligned right in room for the widest text it will show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._widest = ""
        self.font_ = QFont()
        self._colour = QColor()

    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.update()

    def set_widest(self, text: str) -> None:
        """Keep room for `text`."""
        if text != self._widest:
            self._widest = text
            self.updateGeometry()

    def dress(self, font: QFont, colour: str) -> None:
        self.font_, self._colour = font, QColor(colour)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font_)
        return QSize(metrics.horizontalAdvance(self._widest) + 2, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font_)
        painter.setPen(self._colour)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._text)
        painter.end()
