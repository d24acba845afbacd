"""Marks on the timeline where coordinates of the body's orientation jump: flips, wraps and singular passages."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from quatviz.base.tr import tr
from quatviz.feed.breaks import FLIP, SINGULAR, WRAP, Jumps, count_text
from quatviz.look.theme import Theme
from quatviz.ui.transport.marks import ToPixel, crowds

_BELOW = 7.5
"""Pixels from the middle of the track down to the marks."""


@dataclass(frozen=True)
class Passage:
    """Jumps of one cause from `time` to `last` [s], `count` of them; `sequence` is that of the angles."""

    time: float
    last: float
    count: int
    cause: int
    sequence: str

    @property
    def said(self) -> str:
        axes = "–".join(self.sequence)
        if self.count > 1:
            of = "" if self.cause == FLIP else tr(" of the Euler angles {axes}", axes=axes)
            named = (
                tr("{count} singular passages", count=self.count) if self.cause == SINGULAR else self.words
            )
            return tr(
                "{named}{of}, from t = {time:g} s to {last:g} s",
                named=named,
                of=of,
                time=self.time,
                last=self.last,
            )
        told = {
            FLIP: tr("the scalar Euler parameter changes its sign: flip of the canonical p"),
            WRAP: tr("an Euler angle {axes} leaves its range: wrap by a whole turn", axes=axes),
            SINGULAR: tr("the Euler angles {axes} pass their singularity", axes=axes),
        }
        return f"t = {self.time:g} s: {told[self.cause]}"

    @property
    def words(self) -> str:
        return count_text(self.cause, self.count)

    def draw(self, painter: QPainter, theme: Theme, x_of: ToPixel, track: float) -> None:
        """On the track a diamond for a flip; below it, for angles may jump with p, a tick for a wrap and a dot for a
        singularity. Many are a bar."""
        x, right, y = x_of(self.time), x_of(self.last), track + (0.0 if self.cause == FLIP else _BELOW)
        colour = QColor({WRAP: theme.muted, FLIP: theme.text, SINGULAR: theme.danger}[self.cause])
        if right - x > 1.0:
            painter.setPen(QPen(colour, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(QLineF(x, y, right, y))
        for at in (x, right) if self.count > 1 else (x,):
            _shape(painter, colour, QColor(theme.window), self.cause, at, y)


def _shape(painter: QPainter, colour: QColor, ground: QColor, cause: int, x: float, y: float) -> None:
    painter.setPen(QPen(colour, 2.0) if cause == WRAP else QPen(ground, 1.0))
    painter.setBrush(colour)
    if cause == WRAP:
        x = round(x)
        painter.drawLine(QLineF(x, y - 2.5, x, y + 2.5))
    elif cause == FLIP:
        corners = [QPointF(x, y - 5), QPointF(x + 5, y), QPointF(x, y + 5), QPointF(x - 5, y)]
        painter.drawPolygon(QPolygonF(corners))
    else:
        painter.drawEllipse(QPointF(x, y), 3.5, 3.5)


def passages(jumps: Jumps, pixels_per_second: float) -> list[Passage]:
    """As many marks as there is room for: wraps first, so that what is rarer lies over them."""
    return [
        Passage(time, last, count, cause, jumps.sequence)
        for cause, times in jumps.times.items()
        for time, last, count in crowds(times, pixels_per_second)
    ]
