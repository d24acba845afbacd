"""The base of the rows of a panel, which are painted and have the size of the plots' type."""

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.ui.widgets.style import PlotStyled


class PanelRow(PlotStyled, QWidget):
    """As high as it has to be, and painted: a subclass says how, and fits itself when it is made."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def fit(self) -> None:
        """Its words, its theme or its width have changed."""
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Paint it."""

    def follow_theme(self) -> None:
        self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), self.plot_style.background)
            self.draw(painter)


CLICK_TOLERANCE = 8
"""Pixels that a click may move without being a drag."""
