"""Marks on the timeline where coordinates of the body's orientation jump: flips, wraps and singular passages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from quatviz.core.rotations import canonical_sign
from quatviz.export.figures.breaks import FLIP, SINGULAR, WRAP, Breaks, count_text, find, flips
from quatviz.ui.frame import Frame, Source
from quatviz.ui.theme import Theme
from quatviz.ui.timeline_marks import Place, crowds

ROWS_PER_FRAME = 1024
"""Rows that are looked at in one frame: a long run never stalls the window."""

PORTIONS = 8
"""Portions of a long run between two looks at all that was found."""

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
            of = "" if self.cause == FLIP else f" of the Euler angles {axes}"
            named = f"{self.count} singular passages" if self.cause == SINGULAR else self.words
            return f"{named}{of}, from t = {self.time:g} s to {self.last:g} s"
        told = {
            FLIP: "the scalar Euler parameter changes its sign: flip of the canonical p",
            WRAP: f"an Euler angle {axes} leaves its range: wrap by a whole turn",
            SINGULAR: f"the Euler angles {axes} pass their singularity",
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


class Passages:
    """Those of the lane that is the body, found as its rows come, `ROWS_PER_FRAME` of them in a frame."""

    def __init__(self) -> None:
        self._source: Source | None = None
        self._lane = self._sequence = ""
        self._breaks: dict[str, Breaks] = {}
        self._times: dict[int, np.ndarray] = {}
        self._looked_to = -1.0
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
            self._breaks = {"p": Breaks(4, flips), f"angles_{sequence}": Breaks(3, angles)}
            self._take_all(body.computed_to)
            return True
        if body.computed_to == self._looked_to:
            return False
        return self._take_all(body.computed_to)

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
        self._breaks, self._looked_to = {}, -1.0
        self._times = {cause: np.empty(0) for cause in (WRAP, FLIP, SINGULAR)}

    def _take_all(self, computed_to: float) -> bool:
        done = [self._take(quantity, breaks) for quantity, breaks in self._breaks.items()]
        self._looked_to = computed_to if all(done) else -1.0
        self._portions += 1
        return (all(done) or self._portions % PORTIONS == 0) and self._collect()

    def _take(self, quantity: str, breaks: Breaks) -> bool:
        """Look at some of the rows that are new; true where there are no more."""
        assert self._source is not None
        times, values = self._source.values(self._lane, quantity)
        count = min(len(times), len(values))
        stop = min(count, breaks.looked_at + ROWS_PER_FRAME)
        rows = np.asarray(values[breaks.looked_at : stop])
        breaks.take(canonical_sign(rows) if quantity == "p" else rows)
        return stop == count

    def _collect(self) -> bool:
        assert self._source is not None
        before = {cause: len(times) for cause, times in self._times.items()}
        for quantity, breaks in self._breaks.items():
            _, rows, causes = breaks.united
            times = rows * self._source.info.sample_interval
            for cause in (FLIP,) if quantity == "p" else (WRAP, SINGULAR):
                self._times[cause] = times[causes == cause]
        return before != {cause: len(times) for cause, times in self._times.items()}
