"""Numbers at the cursor, one column per lane, with units."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from quatviz.core.observables import QUANTITIES
from quatviz.ui.fonts import tabular
from quatviz.ui.frame import Frame, LaneFrame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.theme import UNIT, Theme

ROW = 20
SYMBOL_WIDTH = 76


@dataclass(frozen=True)
class Group:
    """Components of one quantity under one heading."""

    quantity: str
    number: str
    """Format of a value."""


GROUPS = (
    Group("p", "{:+.6f}"),
    Group("omega", "{:+.6f}"),
    Group("h", "{:+.4f}"),
    Group("energy", "{:.5f}"),
    Group("constraint", "{:+.1e}"),
    Group("energy_drift", "{:+.1e}"),
)


class ReadOuts(QWidget):
    """A table painted at once, so that forty changing numbers cost no layout."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lanes: tuple[LaneFrame, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Values at the cursor")

    def start(self, source: Source) -> None:
        """A run begins."""
        self._lanes = ()
        self.updateGeometry()

    def show_frame(self, frame: Frame) -> None:
        """Show the values of this frame."""
        self._lanes = frame.lanes
        self.update()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of another theme."""
        self._theme = theme
        self.update()

    def text(self, lane: int, quantity: str, component: int = 0) -> str:
        """What the table shows for a lane (its number) and a component."""
        group = next(group for group in GROUPS if group.quantity == quantity)
        values = self._lanes[lane].values.get(quantity)
        return "–" if values is None else group.number.format(values[component]).replace("-", "−")

    def sizeHint(self) -> QSize:
        rows = sum(len(QUANTITIES[group.quantity].symbols) for group in GROUPS)
        return QSize(280, int((rows + 1) * ROW + len(GROUPS) * UNIT / 2))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        painter.setFont(tabular(self._theme, self._theme.small))
        y = self._paint_heads(painter)
        for group in GROUPS:
            y = self._paint_group(painter, group, y)
        painter.end()

    def _columns(self) -> float:
        return (self.width() - SYMBOL_WIDTH) / max(len(self._lanes), 1)

    def _paint_heads(self, painter: QPainter) -> float:
        bold = QFont(painter.font())
        bold.setWeight(QFont.Weight.DemiBold)
        plain = painter.font()
        painter.setFont(bold)
        for index, lane in enumerate(self._lanes):
            painter.setPen(QColor(self._theme.lanes[lane.colour % len(self._theme.lanes)]))
            self._write(painter, self._cell(index, 0.0), lane.name, right=True)
        painter.setFont(plain)
        return float(ROW)

    def _paint_group(self, painter: QPainter, group: Group, y: float) -> float:
        quantity = QUANTITIES[group.quantity]
        for component, symbol in enumerate(quantity.symbols):
            painter.setPen(QColor(self._theme.muted))
            unit = f"  {quantity.unit}" if quantity.unit and component == 0 else ""
            self._write(painter, QRectF(0, y, SYMBOL_WIDTH + 40, ROW), symbol + unit)
            painter.setPen(QColor(self._theme.text))
            for index in range(len(self._lanes)):
                text = self.text(index, group.quantity, component)
                self._write(painter, self._cell(index, y), text, right=True)
            y += ROW
        return y + UNIT / 2

    def _cell(self, index: int, y: float) -> QRectF:
        width = self._columns()
        return QRectF(SYMBOL_WIDTH + index * width, y, width, ROW)

    @staticmethod
    def _write(painter: QPainter, place: QRectF, text: str, right: bool = False) -> None:
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        fitted = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(place.width()) - 4)
        painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, fitted)
