"""Marks on the timeline: a flag for each time at which something happens to the motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from quatviz.core.events.base import Event
from quatviz.ui.theme import Theme
from quatviz.ui.timeline_marks import Place
from quatviz.ui.tr import told

_HALF = 5.0
_HIGH = 8.0


@dataclass(frozen=True)
class Flag:
    """What happens at one time: places of the events in the preset, and words for all of them."""

    time: float
    numbers: tuple[int, ...]
    words: str

    @property
    def last(self) -> float:
        return self.time

    @property
    def said(self) -> str:
        return f"t = {self.time:g} s: {self.words}"

    def draw(self, painter: QPainter, theme: Theme, x_of: Place, track: float) -> None:
        """A small flag above the track, and a notch in the track below it."""
        x, top = x_of(self.time), track - _HIGH - 5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        painter.drawPolygon(
            QPolygonF([QPointF(x - _HALF, top), QPointF(x + _HALF, top), QPointF(x, top + _HIGH)])
        )
        painter.setBrush(QColor(theme.window))
        painter.drawRect(QRectF(x - 1, track - 3, 2, 6))


def flags(events: Sequence[Event]) -> list[Flag]:
    """One flag for all events at a time, from the first to the last."""
    times = sorted({event.at for event in events})
    return [_flag(time, events) for time in times]


def _flag(time: float, events: Sequence[Event]) -> Flag:
    numbers = tuple(number for number, event in enumerate(events) if event.at == time)
    return Flag(time, numbers, "; ".join(told(events[number].words) for number in numbers))
