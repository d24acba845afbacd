"""The board's legend: what colours mean now."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsSceneResizeEvent, QStyleOptionGraphicsItem, QWidget

from quatviz.ui.frame import LaneFrame, RunInfo
from quatviz.ui.guard import guarded
from quatviz.ui.lane_look import draw_shape, shape_of
from quatviz.ui.plotting.choices import Choices
from quatviz.ui.plotting.row import Row
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

CORNER = 36
"""Width and height kept free at the right for the board's button."""


class LegendRow(Row):
    """What colours mean now: one swatch per lane that is shown, on as many lines as they need."""

    def __init__(self, style: PlotStyle, choices: Choices) -> None:
        super().__init__(style, 0)
        self.choices = choices
        choices.changed.connect(self._break_lines)
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
            return [(entries[0][0], None), (tr("colour tells the component"), None)]
        if self.choices.difference:
            return [
                *entries,
                (
                    tr("each minus {reference}, magnitudes on log axes", reference=self.choices.reference),
                    None,
                ),
            ]
        return [*entries, (tr("striped where they agree"), None)] if entries else []

    def _width(self, text: str, colour: int | None) -> float:
        swatch = 3 * UNIT if colour is not None else 0
        return self.style_.normal_metrics.horizontalAdvance(text) + swatch + 2 * UNIT

    def _break_lines(self) -> None:
        room, used = self.size().width() - self.style_.gutter - CORNER, math.inf
        self._lines = []
        for text, colour in self._words():
            if used + self._width(text, colour) > room:
                self._lines.append([])
                used = 0.0
            self._lines[-1].append((text, colour))
            used += self._width(text, colour)
        self.set_height(max(self._line * len(self._lines), CORNER))
        self.update()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style, words = self.style_, self._words()
        top = max(CORNER - self._line, 0.0) / 2 if len(self._lines) == 1 else 0.0
        painter.setFont(style.normal)
        for number, line in enumerate(self._lines):
            x, middle = float(style.gutter), top + (number + 0.5) * self._line
            for text, colour in line:
                if colour is not None:
                    self._swatch(painter, x, round(middle), colour)
                told = (text, colour) == words[-1]
                painter.setPen(style.muted if told else style.text)
                at = x + (3 * UNIT if colour is not None else 0)
                painter.drawText(QPointF(at, middle + style.normal_metrics.ascent() / 2 - 1), text)
                x += self._width(text, colour)

    def _swatch(self, painter: QPainter, x: float, middle: float, colour: int) -> None:
        line = self.style_.lane(colour)
        painter.fillRect(QRectF(x, middle - 2, 2 * UNIT, 4), line)
        if shape_of(colour):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_shape(painter, shape_of(colour), QPointF(x + UNIT, middle), line, self.style_.ground)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
