"""The rows of a panel that are not strips: its title above them, the numbers of the time axis below."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QGraphicsSceneResizeEvent,
    QGraphicsWidget,
    QStyleOptionGraphicsItem,
    QWidget,
)

from quatviz.ui.guard import guarded
from quatviz.ui.plotting.backdrop import time_intervals
from quatviz.ui.plotting.choices import Choice, Choices
from quatviz.ui.plotting.chooser import FOLDED, Chooser
from quatviz.ui.plotting.heading import Heading
from quatviz.ui.plotting.numbers import decimals_for, fixed, nice_step, ticks
from quatviz.ui.plotting.row import Row
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

_UNBOUNDED = 16777215.0
_WRAPPED = Qt.TextFlag.TextWordWrap


class TitleRow(Heading):
    """Title, the quantity's symbol in the colour of its arrow, then unit and frame; a chooser at the right end."""

    def __init__(
        self,
        style: PlotStyle,
        title: str,
        emblem: str,
        choice: Choice | None,
        choices: Choices,
        form: Choice | None = None,
    ) -> None:
        super().__init__(style, title)
        self.emblem, self.note = emblem, ""
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)
        self.emblem_colour = style.text
        offered = (one for one in (form, choice) if one is not None)
        self.choosers = [Chooser(self, style, one, choices) for one in offered]

    def say(self, note: str, tip: str = "") -> None:
        """Put another note beside the title, and a longer one into its tip; choosers may show other options too."""
        self.note = note
        self.setToolTip(tip or note)
        self._lay()

    def choose_among(self, offered: Sequence[Choice]) -> None:
        """Offer the options that this run has, of the same choices; nothing to choose, nothing there."""
        for chooser, choice in zip(self.choosers, offered, strict=True):
            chooser.choice = choice
            chooser.setVisible(len(choice.options) > 1)
        self._lay()

    def restyle(self, style: PlotStyle, emblem_colour: QColor) -> None:
        self.style_, self.emblem_colour = style, emblem_colour
        self.set_height(round(style.title_metrics.height()) + UNIT)
        for chooser in self.choosers:
            chooser.style_ = style
        self._lay()

    @guarded
    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        self._lay()

    def lay(self) -> None:
        self._lay()

    def _lay(self) -> None:
        self._right = self.size().width() - self.style_.margin
        room = self._words_end + self.style_.small_metrics.horizontalAdvance(self.note) + UNIT
        end, height = self.size().width(), math.floor(self.size().height())
        shown = [one for one in self.choosers if one.isVisibleTo(self)]
        for before, chooser in reversed(list(enumerate(shown))):
            end = chooser.lay(self._words_end + before * FOLDED, room, end, height) - UNIT
            self._right = end + UNIT
            chooser.update()
        self.update()

    @property
    def _words_end(self) -> float:
        """Where the note begins."""
        return self._begin + self._words_width

    @property
    def _words_width(self) -> float:
        emblem = self.style_.title_metrics.horizontalAdvance(self.emblem) + UNIT if self.emblem else 0.0
        return self.heading_width + emblem

    @property
    def _begin(self) -> float:
        """Where the title begins: with its plots, or before them rather than being cut."""
        gutter = float(self.style_.gutter)
        least = sum(FOLDED for chooser in self.choosers if chooser.isVisibleTo(self)) + self.style_.margin
        return max(float(UNIT), min(gutter, self.size().width() - least - self._words_width))

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style = self.style_
        x, y = (
            self._begin,
            math.floor(self.size().height()) - UNIT / 2 - style.title_metrics.descent(),
        )
        emblem = style.title_metrics.horizontalAdvance(self.emblem) + UNIT if self.emblem else 0.0
        x = self.draw_heading(painter, x, y, self._right - x - emblem)
        painter.setPen(self.emblem_colour)
        painter.drawText(QPointF(x, y), self.emblem)
        x += style.title_metrics.horizontalAdvance(self.emblem) + UNIT if self.emblem else 0.0
        painter.setFont(style.small)
        painter.setPen(style.muted)
        painter.drawText(QPointF(x, y), fitted(self.note, style.small_metrics, self._right - x - UNIT / 2))


def fitted(note: str, metrics: QFontMetricsF, room: float) -> str:
    """As many of a note's parts, which commas divide, as there is room for: half a unit says nothing."""
    while note and metrics.horizontalAdvance(note) > room:
        note = note.rpartition(",")[0]
    return note


class PlainTitle(TitleRow):
    """A title and nothing else, for a panel that brings none."""

    def __init__(self, style: PlotStyle, title: str) -> None:
        super().__init__(style, title, "", None, Choices())
        self.restyle(style, style.text)


class SentenceRow(Row):
    """A sentence as high as it is at this width, or no row at all. `fills` takes all height there is."""

    def __init__(self, style: PlotStyle, fills: bool = False) -> None:
        super().__init__(style, 0)
        self.setCacheMode(self.CacheMode.DeviceCoordinateCache)
        self.sentence = ""
        self.fills = fills

    def say(self, sentence: str) -> None:
        self.sentence = sentence
        self._fit()

    def restyle(self, style: PlotStyle) -> None:
        self.style_ = style
        self._fit()

    @guarded
    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        if event.oldSize().width() != event.newSize().width():
            self._fit()

    def _fit(self) -> None:
        room = QRectF(0, 0, max(self._room.width(), 1.0), _UNBOUNDED)
        needed = self.style_.small_metrics.boundingRect(room, _WRAPPED, self.sentence).height() + UNIT
        height = needed if self.sentence else 0.0
        self.setMaximumHeight(_UNBOUNDED if self.sentence and self.fills else height)
        self.setMinimumHeight(height)
        self.setVisible(bool(self.sentence))
        self.update()

    @property
    def _room(self) -> QRectF:
        left = self.style_.gutter
        return QRectF(left, UNIT / 2, self.size().width() - left - self.style_.margin, self.size().height())

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        painter.setFont(self.style_.small)
        painter.setPen(self.style_.muted)
        painter.drawText(self._room, _WRAPPED, self.sentence)


class TimeRow(Row):
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


class NoticeRow(QGraphicsWidget):
    """What stands below the title of a panel that failed."""

    def __init__(self, style: PlotStyle, text: str) -> None:
        super().__init__()
        self.style_, self.text = style, text

    def restyle(self, style: PlotStyle) -> None:
        self.style_ = style
        self.update()

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        style, x = self.style_, float(self.style_.gutter)
        painter.setFont(style.normal)
        painter.setPen(QColor(style.theme.danger))
        room = QRectF(x, UNIT, self.size().width() - x - style.margin, self.size().height() - UNIT)
        said = tr("This panel failed and is left out of this run.\n{text}", text=self.text)
        painter.drawText(room, Qt.TextFlag.TextWordWrap, said)
