"""A line of text that ends with three dots where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption

from quatviz.ui.guard import guarded


class ElidedLabel(QLabel):
    """As wide as it is given; `text` stays whole."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def seen(self) -> str:
        """What there is room for."""
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QPainter(self), QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            (Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft).value,
            option.palette,
            self.isEnabled(),
            self.seen,
            self.foregroundRole(),
        )
        painter.end()
