"""The rows of a panel that are not strips: its title above them, the numbers of the time axis below."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QGraphicsSceneResizeEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from quatviz.ui.frame import LaneFrame, RunInfo
from quatviz.ui.guard import guarded
from quatviz.ui.plotting.numbers import decimals_for, fixed, nice_step, ticks
from quatviz.ui.plotting.strip_plot import time_intervals
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import UNIT


class _Row(QGraphicsWidget):
    def __init__(self, style: PlotStyle, height: float) -> None:
        super().__init__()
        self.style_ = style
        self.set_height(height)

    def set_height(self, height: float) -> None:
        self.setMinimumHeight(height)
        self.setMaximumHeight(height)


class TitleRow(_Row):
    """Title, the quantity's symbol in the colour of its arrow, then unit and frame."""

    def __init__(self, style: PlotStyle, title: str, emblem: str, note: str) -> None:
        super().__init__(style, round(style.title_metrics.height()) + UNIT)
        self.title, self.emblem, self.note = title, emblem, note
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)
        self.emblem_colour = style.text

    def restyle(self, style: PlotStyle, emblem_colour: QColor) -> None:
        self.style_, self.emblem_colour = style, emblem_colour
        self.set_height(round(style.title_metrics.height()) + UNIT)
        self.update()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style = self.style_
        x, y = (
            float(style.gutter),
            math.floor(self.size().height()) - UNIT / 2 - style.title_metrics.descent(),
        )
        painter.setFont(style.title)
        for text, colour in ((self.title, style.text), (self.emblem, self.emblem_colour)):
            painter.setPen(colour)
            painter.drawText(QPointF(x, y), text)
            x += style.title_metrics.horizontalAdvance(text) + (UNIT if text else 0)
        room = self.size().width() - style.margin - x
        painter.setFont(style.small)
        painter.setPen(style.muted)
        note = style.small_metrics.elidedText(self.note, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QPointF(x, y), note)


class TimeRow(_Row):
    """Ticks of the shared time axis, with the cursor's time where it stands."""

    def __init__(self, style: PlotStyle, axis: TimeAxis) -> None:
        super().__init__(style, round(style.small_metrics.height()) + UNIT)
        self.axis = axis
        self.time = 0.0

    def restyle(self, style: PlotStyle) -> None:
        self.style_ = style
        self.set_height(round(style.small_metrics.height()) + UNIT)
        self.update()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style, axis = self.style_, self.axis
        width = math.floor(self.size().width()) - style.gutter - style.margin
        step = nice_step(axis.span, time_intervals(width))
        tag = self._tag(width, step)
        painter.setFont(style.small)
        painter.setPen(style.muted)
        for time in ticks(axis.low, axis.high, step):
            box = self._box(self._x(time, width), fixed(time, decimals_for(step)))
            if tag is None or not box.intersects(tag[0]):
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, fixed(time, decimals_for(step)))
        unit = QRectF(0, 0, style.gutter - UNIT, self.size().height())
        painter.drawText(unit, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, "t [s]")
        if tag is not None:
            x = round(self._x(self.time, width)) + 0.5
            painter.setPen(style.cursor)
            painter.drawLine(QLineF(x, 0, x, UNIT / 2))
            painter.drawText(tag[0], Qt.AlignmentFlag.AlignCenter, tag[1])

    def _x(self, time: float, width: float) -> float:
        return self.style_.gutter + (time - self.axis.low) / self.axis.span * width

    def _box(self, x: float, text: str) -> QRectF:
        half = self.style_.small_metrics.horizontalAdvance(text) / 2 + UNIT / 2
        x = max(min(x, self.size().width() - half + UNIT / 2), self.style_.gutter - UNIT + half)
        return QRectF(x - half, UNIT / 4, 2 * half, self.size().height() - UNIT / 4)

    def _tag(self, width: float, step: float) -> tuple[QRectF, str] | None:
        if not self.axis.low <= self.time <= self.axis.high:
            return None
        text = fixed(self.time, max(2, decimals_for(step) + 1))
        return self._box(self._x(self.time, width), text), text


class LegendRow(_Row):
    """What colours mean now: one swatch per lane that is shown, on as many lines as they need."""

    def __init__(self, style: PlotStyle) -> None:
        super().__init__(style, 0)
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)
        self._entries: list[tuple[str, int]] = []
        self._shown: tuple[str, ...] = ()
        self._lines: list[list[tuple[str, int | None]]] = []
        self._break_lines()

    def start(self, info: RunInfo) -> None:
        self._entries = list(zip(info.lanes, info.colours, strict=True))
        self._shown = info.lanes
        self._break_lines()

    def show_lanes(self, lanes: tuple[LaneFrame, ...]) -> None:
        shown = tuple(lane.name for lane in lanes if lane.visible)
        if shown != self._shown:
            self._shown = shown
            self._break_lines()

    def restyle(self, style: PlotStyle) -> None:
        self.style_ = style
        self._break_lines()
        self.update()

    @guarded
    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        if event.oldSize().width() != event.newSize().width():
            self._break_lines()

    @property
    def _line(self) -> float:
        return round(self.style_.normal_metrics.height()) + UNIT

    def _words(self) -> list[tuple[str, int | None]]:
        """Texts with the lane colour of their swatch, if they have one."""
        entries = [(name, colour) for name, colour in self._entries if name in self._shown]
        if len(entries) == 1:
            return [(entries[0][0], None), ("colour tells the component", None)]
        return [*entries, ("striped where they agree", None)] if entries else []

    def _width(self, text: str, colour: int | None) -> float:
        swatch = 3 * UNIT if colour is not None else 0
        return self.style_.normal_metrics.horizontalAdvance(text) + swatch + 2 * UNIT

    def _break_lines(self) -> None:
        room, used = self.size().width() - self.style_.gutter, math.inf
        self._lines = []
        for text, colour in self._words():
            if used + self._width(text, colour) > room:
                self._lines.append([])
                used = 0.0
            self._lines[-1].append((text, colour))
            used += self._width(text, colour)
        self.set_height(self._line * max(len(self._lines), 1))
        self.update()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style, words = self.style_, self._words()
        painter.setFont(style.normal)
        for number, line in enumerate(self._lines):
            x, middle = float(style.gutter), (number + 0.5) * self._line
            for text, colour in line:
                if colour is not None:
                    painter.fillRect(QRectF(x, round(middle) - 2, 2 * UNIT, 4), style.lane(colour))
                told = (text, colour) == words[-1]
                painter.setPen(style.muted if told else style.text)
                at = x + (3 * UNIT if colour is not None else 0)
                painter.drawText(QPointF(at, middle + style.normal_metrics.ascent() / 2 - 1), text)
                x += self._width(text, colour)


class NoticeRow(QGraphicsWidget):
    """What stands in the place of a panel that failed."""

    def __init__(self, style: PlotStyle, title: str, text: str) -> None:
        super().__init__()
        self.style_, self.title, self.text = style, title, text

    def restyle(self, style: PlotStyle) -> None:
        self.style_ = style
        self.update()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style = self.style_
        x, top = float(style.gutter), style.title_metrics.height() + UNIT
        painter.setFont(style.title)
        painter.setPen(style.text)
        painter.drawText(QPointF(x, top - UNIT), self.title)
        painter.setFont(style.normal)
        painter.setPen(QColor(style.theme.danger))
        room = QRectF(x, top + UNIT, self.size().width() - x - style.margin, self.size().height() - top)
        said = f"This panel failed and is left out of this run.\n{self.text}"
        painter.drawText(room, Qt.TextFlag.TextWordWrap, said)
