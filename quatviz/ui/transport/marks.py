"""What stands at a time on the timeline: one protocol for all kinds of marks, and how crowds of them stay legible."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from quatviz.base.tr import told, tr
from quatviz.base.words import in_words
from quatviz.document.document import Document
from quatviz.events.base import Event
from quatviz.feed.breaks import Jumps
from quatviz.feed.frame import ALIVE, Frame
from quatviz.look.lanes import lane_colour
from quatviz.look.theme import Theme
from quatviz.motion.jumps import FLIP, SINGULAR, WRAP, count_text, crowds
from quatviz.ui.kit.painting import draw_cross

REACH = 6.0
"""Pixels to either side at which a mark is pointed at."""
APART = 4 * REACH
"""Pixels below which marks of one kind are one: of a row of nearer ones nobody reads when, and what does not repeat drowns."""

ToPixel = Callable[[float], float]
"""Where a time [s] is on the timeline."""


@dataclass(frozen=True)
class Moment:
    """A jump target at `time` [s]."""

    time: float

    @property
    def last(self) -> float:
        """Where it ends [s]: `time` itself, but for a crowd."""
        return self.time


def marks_at(found: "Iterable[Mark]", x: float, x_of: ToPixel) -> "list[Mark]":
    """The marks that are near to a pixel, the nearest one first."""

    def distance(mark: "Mark") -> float:
        return max(x_of(mark.time) - x, x - x_of(mark.last), 0.0)

    return sorted((mark for mark in found if distance(mark) <= REACH), key=distance)


_EDIT_HALF = 4.0


@dataclass(frozen=True)
class Edit(Moment):
    """The edits that were made with the cursor at one time [s], in words."""

    words: tuple[str, ...]

    @property
    def said(self) -> str:
        return tr("Edited at t = {time:g} s: {words}", time=self.time, words="; ".join(self.words))

    def draw(self, painter: QPainter, theme: Theme, x_of: ToPixel, track: float) -> None:
        """An open diamond above the track."""
        x, y = x_of(self.time), track - _EDIT_HALF - 5
        painter.setPen(QPen(QColor(theme.text), 1.5))
        painter.setBrush(QColor(theme.window))
        corners = [(0.0, -_EDIT_HALF), (_EDIT_HALF, 0.0), (0.0, _EDIT_HALF), (-_EDIT_HALF, 0.0)]
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))


def edits(document: Document) -> tuple[Edit, ...]:
    """The edits that led from the preset that was opened to what is shown, and are not undone. Events have flags."""
    words: dict[float, tuple[str, ...]] = {}
    for step in document.steps:
        if step.before.preset.title != step.after.preset.title:
            words = {}
        elif step.computes:
            words[step.time] = (*words.get(step.time, ()), step.text)
    return tuple(Edit(time, words[time]) for time in sorted(words))


_FLAG_HALF = 5.0
_HIGH = 8.0


@dataclass(frozen=True)
class Flag(Moment):
    """What happens at one time: places of the events in the preset, and words for all of them."""

    numbers: tuple[int, ...]
    words: str

    @property
    def said(self) -> str:
        return f"t = {self.time:g} s: {self.words}"

    def draw(self, painter: QPainter, theme: Theme, x_of: ToPixel, track: float) -> None:
        """A small flag above the track, and a notch in the track below it."""
        x, top = x_of(self.time), track - _HIGH - 5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        painter.drawPolygon(
            QPolygonF([QPointF(x - _FLAG_HALF, top), QPointF(x + _FLAG_HALF, top), QPointF(x, top + _HIGH)])
        )
        painter.setBrush(QColor(theme.window))
        painter.drawRect(QRectF(x - 1, track - 3, 2, 6))


def flags(events: Sequence[Event]) -> list[Flag]:
    """One flag for all events at a time, from the first to the last."""
    found = []
    for time in sorted({event.at for event in events}):
        numbers = tuple(number for number, event in enumerate(events) if event.at == time)
        found.append(Flag(time, numbers, "; ".join(told(events[number].words) for number in numbers)))
    return found


_END_HALF = 3.5


@dataclass(frozen=True)
class End(Moment):
    """Time of a lane's last sample [s], the number of its colour, and its last words."""

    colour: int
    said: str

    def draw(self, painter: QPainter, theme: Theme, x_of: ToPixel, track: float) -> None:
        """A cross in the lane's colour on the track, over a gap that sets it off."""
        x = x_of(self.time)
        for colour, width in ((QColor(theme.window), 5.0), (QColor(lane_colour(theme, self.colour)), 2.0)):
            painter.setPen(QPen(colour, width))
            draw_cross(painter, QPointF(x, track), _END_HALF)


def ends(frame: Frame) -> tuple[End, ...]:
    """One for each lane that is shown and has ended."""
    return tuple(
        End(lane.computed_to, lane.colour, lane.message)
        for lane in frame.lanes
        if lane.visible and lane.status not in ALIVE
    )


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
        axes = in_words(self.sequence)
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
        singularity. Many are a dotted bar, through which the track is seen."""
        x, right, y = x_of(self.time), x_of(self.last), track + (0.0 if self.cause == FLIP else _BELOW)
        colour = QColor({WRAP: theme.muted, FLIP: theme.text, SINGULAR: theme.danger}[self.cause])
        if right - x > 1.0:
            painter.setPen(QPen(colour, 2.0, Qt.PenStyle.DotLine, Qt.PenCapStyle.FlatCap))
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
        for time, last, count in crowds(times, APART / pixels_per_second)
    ]


Mark = Edit | Flag | End | Passage
"""What it `said` where it is pointed at is a sentence; `draw` draws its shape at the track, whose middle is at a height."""
