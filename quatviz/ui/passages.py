"""Marks on the timeline where coordinates of the body's orientation jump: flips, wraps and singular passages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from quatviz.core.rotations import canonical_sign
from quatviz.export.figures.breaks import FLIP, SINGULAR, WRAP, Breaks, Find, find, flips
from quatviz.ui.frame import Frame, Source
from quatviz.ui.growth import Following
from quatviz.ui.lazy import Derived
from quatviz.ui.plotting.break_words import count_text
from quatviz.ui.theme import Theme
from quatviz.ui.timeline_marks import Place, crowds
from quatviz.ui.tr import tr

PORTIONS = 8
"""Frames with new rows of a long run between two looks at all that was found."""

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

    def draw(self, painter: QPainter, theme: Theme, x_of: Place, track: float) -> None:
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


class _Jumps(Following):
    """The jumps of a column (n, k)."""

    def __init__(self, width: int, find: Find) -> None:
        super().__init__()
        self.breaks = Breaks(width, find)

    def digest(self, rows: np.ndarray) -> Any:
        return len(rows), self.breaks.look(rows)

    def absorb(self, digest: Any) -> None:
        self.count += digest[0]
        self.breaks.keep(digest[1])


class Passages:
    """Those of the lane that is the body, found as its rows come; many at once are looked at beside the window's thread."""

    def __init__(self) -> None:
        self._source: Source | None = None
        self._lane = self._sequence = ""
        self._jumps: dict[str, _Jumps] = {}
        self._times: dict[int, np.ndarray] = {}
        self._seen: tuple[float, int] | None = None
        self._portions = 0

    def start(self, source: Source) -> None:
        """A run begins."""
        self._source, self._lane, self._sequence = source, "", ""
        self._forget()

    def follow(self, frame: Frame, sequence: str) -> bool:
        """Take in new rows; true where there are other passages than before."""
        body = next((lane for lane in frame.lanes if lane.solid), None)
        if self._source is None or body is None:
            return False
        if (body.name, sequence) != (self._lane, self._sequence):
            self._lane, self._sequence = body.name, sequence
            self._forget()
            angles = partial(find, sequence=sequence)
            self._jumps = {"p": _Jumps(4, flips), f"angles_{sequence}": _Jumps(3, angles)}
            self._take_all()
            return True
        seen = body.computed_to, frame.taken
        if seen == self._seen:
            return False
        self._seen = seen
        return self._take_all()

    def times(self) -> list[np.ndarray]:
        """Every jump [s], of each cause in order."""
        return list(self._times.values())

    def marks(self, pixels_per_second: float) -> list[Passage]:
        """As many marks as there is room for: wraps first, so that what is rarer lies over them."""
        return [
            Passage(time, last, count, cause, self._sequence)
            for cause, times in self._times.items()
            for time, last, count in crowds(times, pixels_per_second)
        ]

    def _forget(self) -> None:
        self._jumps, self._seen = {}, None
        self._times = {cause: np.empty(0) for cause in (WRAP, FLIP, SINGULAR)}

    def _take_all(self) -> bool:
        assert self._source is not None
        done = True
        for quantity, jumps in self._jumps.items():
            values = self._source.values(self._lane, quantity)[1]
            jumps.grow(Derived((values,), canonical_sign, 4) if quantity == "p" else values)
            done &= jumps.count >= len(values)
        self._portions += 1
        return (done or self._portions % PORTIONS == 0) and self._collect()

    def _collect(self) -> bool:
        assert self._source is not None
        before = {cause: len(times) for cause, times in self._times.items()}
        for quantity, jumps in self._jumps.items():
            _, rows, causes = jumps.breaks.united
            times = rows * self._source.info.sample_interval
            for cause in (FLIP,) if quantity == "p" else (WRAP, SINGULAR):
                self._times[cause] = times[causes == cause]
        return before != {cause: len(times) for cause, times in self._times.items()}
