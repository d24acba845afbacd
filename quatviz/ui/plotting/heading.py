"""What a person can do with a panel's title: enlarge the panel, take it elsewhere, bring forward what it hides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QGraphicsSceneMouseEvent

from quatviz.ui.guard import guarded
from quatviz.ui.plotting.row import Row
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import UNIT

SLIP = 8
"""Pixels that a click may move without being a drag."""


class Handler(Protocol):
    """Who arranges the panels. Places are in the scene, but for `ask`, where they are on the screen."""

    def toggle(self, name: str) -> None: ...

    def bring_forward(self, name: str) -> None: ...

    def ask(self, name: str, point: QPoint) -> None: ...

    def drag(self, name: str, at: QPointF) -> None: ...

    def drop(self, name: str, at: QPointF) -> None: ...


class Heading(Row):
    """The title of a panel, or the titles of those that share its place as tabs, the front one bright.

    A double click enlarges the panel, a drag takes it to another's place, a click on a tab brings that one forward.
    """

    def __init__(self, style: PlotStyle, title: str) -> None:
        super().__init__(style, 0)
        self.title = title
        self.tabs: tuple[tuple[str, str], ...] = ()
        """Names and titles of all panels at this place, if there are several."""
        self.name = ""
        self.handler: Handler | None = None
        self._spots: list[tuple[QRectF, str]] = []
        self._dragged = False

    def dress(self, handler: Handler, name: str, tabs: tuple[tuple[str, str], ...]) -> None:
        """Stand above the panel `name`, and obey."""
        self.handler, self.name = handler, name
        if tabs != self.tabs:
            self.tabs = tabs
            self.lay()

    def lay(self) -> None:
        """Something changed its width."""
        self.update()

    @property
    def heading_width(self) -> float:
        """Width of all titles, and of the gap behind them."""
        return sum(self._widths()) + self._gaps

    def tab_at(self, x: float) -> str | None:
        """The panel whose tab is at an item coordinate."""
        return next((name for spot, name in self._spots if spot.left() <= x <= spot.right()), None)

    @property
    def _titles(self) -> tuple[tuple[str, str], ...]:
        return self.tabs or ((self.name, self.title),)

    @property
    def _gaps(self) -> float:
        return (2.0 * len(self._titles) - 1.0) * UNIT

    def _dress(self, name: str) -> tuple[QFont, QFontMetricsF]:
        """The title in front is as large as any title, those behind it are smaller."""
        style = self.style_
        front = name == self.name
        return (style.title, style.title_metrics) if front else (style.normal, style.normal_metrics)

    def _widths(self) -> list[float]:
        return [self._dress(name)[1].horizontalAdvance(title) for name, title in self._titles]

    def draw_heading(self, painter: QPainter, x: float, y: float, room: float) -> float:
        """Write the titles from `x` on the baseline `y`, shortened to `room`; where they end."""
        style = self.style_
        self._spots = []
        rooms = shares(self._widths(), room - self._gaps)
        for (name, title), room_ in zip(self._titles, rooms, strict=True):
            font, metrics = self._dress(name)
            text = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, math.ceil(room_))
            wide = metrics.horizontalAdvance(text)
            painter.setFont(font)
            painter.setPen(style.text if name == self.name else style.muted)
            painter.drawText(QPointF(x, y), text)
            if self.tabs:
                self._spots.append((QRectF(x - UNIT, 0, wide + 2 * UNIT, self.size().height()), name))
                if name == self.name:
                    painter.fillRect(QRectF(x, y + 3, wide, 2), style.accent)
            x += wide + 2 * UNIT
        return x - UNIT

    @guarded
    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self._dragged = False
        if self.handler is not None and event.button() == Qt.MouseButton.RightButton:
            self.handler.ask(self.name, event.screenPos())

    @guarded
    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        way = event.screenPos() - event.buttonDownScreenPos(Qt.MouseButton.LeftButton)
        if event.buttons() & Qt.MouseButton.LeftButton and self.handler is not None:
            self._dragged = self._dragged or way.manhattanLength() > SLIP
            if self._dragged:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.handler.drag(self.name, event.scenePos())

    @guarded
    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        if self.handler is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self.unsetCursor()
        tab = self.tab_at(event.pos().x())
        if self._dragged:
            self.handler.drop(self.name, event.scenePos())
        elif tab is not None and tab != self.name:
            self.handler.bring_forward(tab)

    @guarded
    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if self.handler is not None and event.button() == Qt.MouseButton.LeftButton:
            self.handler.toggle(self.name)


def shares(wanted: Sequence[float], room: float) -> list[float]:
    """As much of `room` for each as it wants, and where that is too much, equal parts of it for the widest."""
    left, given = max(room, 0.0), [0.0] * len(wanted)
    for count, number in enumerate(sorted(range(len(wanted)), key=lambda number: wanted[number])):
        given[number] = min(wanted[number], left / (len(wanted) - count))
        left -= given[number]
    return given
