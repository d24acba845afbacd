"""Marks on the timeline: a flag for each time at which something happens to the motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from quatviz.core.events.base import Event
from quatviz.ui.theme import Theme

REACH = 6.0
"""Pixels to either side at which a mark is pointed at."""

_HALF = 5.0
_HIGH = 8.0


class Mark(Protocol):
    """What stands at a time [s] on the timeline, and what it says when it is pointed at."""

    @property
    def time(self) -> float: ...

    @property
    def said(self) -> str: ...


M = TypeVar("M", bound=Mark)


@dataclass(frozen=True)
class Flag:
    """What happens at one time: places of the events in the preset, and words for all of them."""

    time: float
    numbers: tuple[int, ...]
    words: str

    @property
    def said(self) -> str:
        return f"t = {self.time:g} s: {self.words}"


def flags(events: Sequence[Event]) -> list[Flag]:
    """One flag for all events at a time, from the first to the last."""
    times = sorted({event.at for event in events})
    return [_flag(time, events) for time in times]


def _flag(time: float, events: Sequence[Event]) -> Flag:
    numbers = tuple(number for number, event in enumerate(events) if event.at == time)
    return Flag(time, numbers, "; ".join(events[number].words for number in numbers))


def mark_at(found: Sequence[M], x: float, x_of: Callable[[float], float]) -> M | None:
    """The mark nearest to a pixel, if one is near."""
    near = [mark for mark in found if abs(x_of(mark.time) - x) <= REACH]
    return min(near, key=lambda mark: abs(x_of(mark.time) - x), default=None)


def draw_flags(
    painter: QPainter, theme: Theme, found: Sequence[Flag], x_of: Callable[[float], float], track: float
) -> None:
    """A small flag above the track at height `track`, and a notch in the track below it."""
    painter.setPen(Qt.PenStyle.NoPen)
    for flag in found:
        x = x_of(flag.time)
        top = track - _HIGH - 5
        painter.setBrush(QColor(theme.accent))
        painter.drawPolygon(
            QPolygonF([QPointF(x - _HALF, top), QPointF(x + _HALF, top), QPointF(x, top + _HIGH)])
        )
        painter.setBrush(QColor(theme.window))
        painter.drawRect(QRectF(x - 1, track - 3, 2, 6))
