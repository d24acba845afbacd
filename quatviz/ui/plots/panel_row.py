"""The base class of rows in a panel that paint text in the fonts of plots."""

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.ui.widgets.style import PlotStyled


class PanelRow(PlotStyled, QWidget):
    """A painted row with a fixed height. Subclasses set the height in `fit` and call `fit` on
    construction."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def fit(self) -> None:
        """Compute the height of the row for its current text, theme and width."""
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Paint the row."""

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
"""Largest movement of the mouse between press and release that still counts as a click [pixels]."""
