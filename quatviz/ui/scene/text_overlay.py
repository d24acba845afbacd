"""Words over the picture: the legend, the heading, and labels placed so that they do not collide, drawn from pictures made once."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from quatviz.base.formatting.text_layout import alike, fold, measured
from quatviz.base.translation import tr
from quatviz.display.scene.base import Label
from quatviz.display.view_state.theme import UNIT, Theme
from quatviz.ui.widgets.controls import TARGET
from quatviz.ui.widgets.style import tabular

_STEP = 10.0
_AROUND = ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1))
_PLACES = tuple(
    (_STEP * ring * x, x / 2, _STEP * ring * y, y / 4) for ring in (1.0, 2.2, 3.4, 5.0) for x, y in _AROUND
)
"""Where the middle of a label may stand beside its point, the best first: pixels and parts of its own size, across and
down."""
_CLEAR = 4.0
"""Pixels that have to be free around a place to which a label returns, or it would leave again at once."""
_HALO = 3.0
_SMALL = 12.0
"""Of the size of a label's type: a view that is less wide or high has labels in small type."""
_MARGIN = 10
"""Of the lines in the corner, to the view's edges."""
_HALO_ALPHA = 192
_RING = tuple(
    QPointF(radius * math.cos(turn * math.pi / 6), radius * math.sin(turn * math.pi / 6))
    for radius in (1.25, 2.25)
    for turn in range(12)
)
_KEPT = 64
"""Pictures of words, and shortened lines, that are kept: scales change as a run grows, and the old ones never come back."""


@dataclass(frozen=True, eq=False)
class Word:
    """Words as they are drawn, with their size [logical pixels]."""

    picture: QImage
    width: float
    height: float


class Placed(NamedTuple):
    """Words where they stand [logical pixels]."""

    left: float
    top: float
    right: float
    bottom: float
    word: Word

    @classmethod
    def at(cls, left: float, top: float, word: Word) -> "Placed":
        return cls(left, top, left + word.width, top + word.height, word)

    @property
    def box(self) -> QRectF:
        return QRectF(self.left, self.top, self.right - self.left, self.bottom - self.top)

    def meets(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Whether it covers something of this."""
        return self.left < right and left < self.right and self.top < bottom and top < self.bottom


class LabelPainter:
    """Places all labels of a view. A label keeps its side of the point for as long as that is free, and none is nearer."""

    def __init__(self, theme: Callable[[], Theme]) -> None:
        self._theme = theme
        self._placed: dict[str, Placed] = {}
        """Each label where it was placed last, by its text."""
        self._drawn, self._lines = lru_cache(_KEPT)(_drawn), lru_cache(_KEPT)(_lines)
        self._alike = lru_cache(_KEPT)(_alike)
        self._sides: WeakKeyDictionary[Label, int] = WeakKeyDictionary()

    @property
    def boxes(self) -> dict[str, QRectF]:
        """Where each label stands, by its text."""
        return {text: placed.box for text, placed in self._placed.items()}

    def place(
        self,
        labels: Sequence[Label],
        points: np.ndarray,
        area: QRectF,
        ratio: float,
        taken: Sequence[Placed] = (),
    ) -> list[Placed]:
        """`labels` at screen `points` (n, 2), beside what is `taken`; NaN for a point behind the eye."""
        self._placed, theme = {}, self._theme()
        pixels = theme.small if self.is_small(area) else theme.title + 2
        room, full = (area.left(), area.top(), area.right(), area.bottom()), list(taken)
        for label, (x, y) in sorted(
            zip(labels, points.tolist(), strict=True), key=lambda labelled: labelled[0].rank
        ):
            if label.visible and math.isfinite(x) and math.isfinite(y):
                word = self.picture(label.text, label.colour, ratio, pixels)
                placed = self._place(label, x, y, word, room, full, taken)
                self._placed[label.text] = placed
                full.append(placed)
        return full[len(taken) :]

    def is_small(self, area: QRectF) -> bool:
        """Whether large type would leave no room for the body."""
        return min(area.width(), area.height()) <= _SMALL * (self._theme().title + 2)

    def place_corner(self, lines: Sequence[tuple[str, str]], area: QRectF, ratio: float) -> list[Placed]:
        """Texts with their colours, in the lower left corner. One that is too long loses words, never digits of a number: a
        lane's name can be guessed, that cannot, nor a unit. It has two lines where one is too little."""
        small, placed = self._theme().small, list[Placed]()
        x, y = area.left() + _MARGIN, area.bottom() - 8
        room = area.width() - 2 * (_MARGIN + _HALO)
        texts = self._alike(tuple(text for text, _ in lines), room, self._theme(), small)
        for text, (_, colour) in zip(reversed(texts), reversed(lines), strict=True):
            for line in reversed(self.lines(text, room, small, 1 if " = " in text else 2)):
                word = self.picture(line, colour, ratio, small)
                y -= self.line + 2 * _HALO * (not placed)
                placed.append(Placed.at(x, y, word))
        return placed

    @property
    def line(self) -> float:
        """Height of a line in the corner [pixels]: halos lie over each other, where no letters are."""
        return _metrics(self._theme(), self._theme().small).height()

    def _place(
        self, label: Label, x: float, y: float, word: Word,
        room: tuple[float, float, float, float], full: Sequence[Placed], taken: Sequence[Placed],
    ) -> Placed:  # fmt: skip
        """Over nothing that is there, or else over no heading, which is `taken`."""
        last, width, height = self._sides.get(label, 0), word.width, word.height
        nearer = [(side, _CLEAR) for side in range(last - last % len(_AROUND))]
        ways = [(last, 0.0), *((side, 0.0) for side in range(len(_PLACES)))]
        for others, (side, clear) in ((others, way) for others in (full, taken) for way in (*nearer, *ways)):
            across, of_width, down, of_height = _PLACES[side]
            left, top = x + across + (of_width - 0.5) * width, y + down + (of_height - 0.5) * height
            edges = left, top, left + width, top + height
            inside = left >= room[0] and top >= room[1] and edges[2] <= room[2] and edges[3] <= room[3]
            around = left - clear, top - clear, edges[2] + clear, edges[3] + clear
            if inside and not any(other.meets(*around) for other in others):
                self._sides[label] = side
                break
        else:
            if (
                room[0] <= x <= room[2] and room[1] - height <= y <= room[3] + height
            ):  # at the edge, and not cut by it
                left = min(max(left, room[0]), room[2] - width)
                top = min(max(top, room[1]), room[3] - height)
                edges = left, top, left + width, top + height
        return Placed(*edges, word)

    def picture(self, text: str, colour: str, ratio: float, pixels: int | None = None) -> Word:
        """A word as it is drawn, in letters of so many pixels, with its width and height [logical pixels]."""
        theme = self._theme()
        return self._drawn(text, colour, theme, pixels or theme.title + 2, ratio)

    def lines(self, text: str, width: float, pixels: int, count: int) -> list[str]:
        """A text in so many lines at most, which are no wider, in type of so many pixels: with fewer words where that is too
        little. What says how large something is has a second one for the number, and none where that has no room."""
        return self._lines(text, width, self._theme(), pixels, count)


def _metrics(theme: Theme, pixels: int) -> QFontMetricsF:
    return QFontMetricsF(tabular(theme, pixels, QFont.Weight.DemiBold))


def _alike(texts: tuple[str, ...], width: float, theme: Theme, pixels: int) -> list[str]:
    return alike(texts, width, _metrics(theme, pixels).horizontalAdvance)


def _lines(text: str, width: float, theme: Theme, pixels: int, count: int) -> list[str]:
    advance = _metrics(theme, pixels).horizontalAdvance
    if count > 1 or " = " not in text:
        return fold(text, width, count, advance)
    return measured(text, width, advance)


def _drawn(text: str, colour: str, theme: Theme, pixels: int, ratio: float) -> Word:
    """The text with a halo that lets it be read over anything.

    The halo is the text itself drawn all around: stroking its outline takes twenty times as long, and a scale that grows
    with a run is written anew in every frame of its beginning.
    """
    font = tabular(theme, pixels, QFont.Weight.DemiBold)
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text) + 2 * _HALO, metrics.height() + 2 * _HALO
    image = QImage(int(width * ratio) + 1, int(height * ratio) + 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    place = QPointF(_HALO, _HALO + metrics.ascent())
    with QPainter(image) as painter:
        painter.setFont(font)
        painter.setPen(QColor(theme.sky_bottom))
        for offset in _RING:
            painter.drawText(place + offset, text)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        painter.fillRect(QRectF(0, 0, width + 1, height + 1), QColor(0, 0, 0, _HALO_ALPHA))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setPen(QColor(colour))
        painter.drawText(place, text)
    return Word(image, image.width() / ratio, image.height() / ratio)


Line = tuple[str, str]
"""A text and its colour."""

CAMERA = "camera"
"""Key of the legend's line that says from where the view is seen; a heading says it in its place."""
_LEGEND = 0.25
"""Share of the height that the legend may take: with more it would cover the body, which a view shows in its middle."""
_LEAST = 2
"""Of its lines, however low the view is: ω and h are in most, and one without its scale says nothing."""
_ACCENT = 2
"""Height of the line over the active view [pixels]."""


class Words:
    """Of one view."""

    def __init__(
        self, theme: Callable[[], Theme], said_before: Callable[[], Collection[Line]] = tuple
    ) -> None:
        """`theme` is what the view wears now; `said_before` has the lines in the legends of the views before it: in one of them
        is enough."""
        self._theme = theme
        self.labels = LabelPainter(theme)
        self.heading: tuple[Line, ...] = ()
        """Lines at the top, the first one large."""
        self.stamp = ""
        """What stands in the upper right corner, such as the time of a picture."""
        self.inset = QSize(0, 0)
        """Room in the upper left corner that something else takes [pixels]."""
        self.active = False
        """Whether a line over the view marks it."""
        self.labels_alone = False
        """Whether nothing is said of lanes and scales."""
        self._said_before = said_before
        self._below: tuple[Line, ...] = ()
        """The heading, where it takes lines of the legend's room."""
        self._laid: list[Placed] = []
        self._foot: list[Placed] = []

    def lay(
        self, whole: QRectF, labels: Sequence[Label], points: np.ndarray, corner: Mapping[str, Line],
        as_lines: bool, ratio: float,
    ) -> QRectF:  # fmt: skip
        """Lay out what is written over the `whole` view. `labels` stand at `points` (n, 2) [logical pixels]; `corner` is the
        legend by key; `ratio` device pixels make a logical one. Returns where it differs from what was laid before."""
        area, before = whole.adjusted(4, 4, -4, -4), set(self._laid)
        if self.labels_alone:
            corner, self.heading = {}, ()
        # In a small view the body is as wide as it: a heading stands at the foot, where the ground is.
        self._below, above = (self.heading, ()) if self.labels.is_small(area) else ((), self.heading)
        taken = [*self._heading(above, area, ratio), *self._stamp(area, ratio)]
        legend = self.legend(corner, as_lines, whole.height())
        self._foot = self.labels.place_corner([*legend, *self._below], area, ratio)
        labelled = self.labels.place(labels, points, area, ratio, [*taken, *self._foot, *self._corners(area)])
        self._laid = [*taken, *labelled, *self._foot]
        moved = before.symmetric_difference(self._laid)
        if not moved:
            return QRectF()
        left, top = min(one.left for one in moved), min(one.top for one in moved)
        right, bottom = max(one.right for one in moved), max(one.bottom for one in moved)
        return QRectF(left, top, right - left, bottom - top)

    @property
    def legend_size(self) -> QSize:
        """Width and height of the lower left corner that the legend takes [pixels]."""
        if not self._foot:
            return QSize(0, 0)
        right, top = max(one.right for one in self._foot), min(one.top for one in self._foot)
        return QSize(math.ceil(right), math.ceil(self._foot[0].bottom - top))

    def paint(self, painter: QPainter, whole: QRectF) -> None:
        """Write what is laid out over the `whole` view."""
        for placed in self._laid:
            painter.drawImage(placed.box, placed.word.picture)
        if self.active:
            painter.fillRect(QRectF(0, 0, whole.width(), _ACCENT), QColor(self._theme().accent))

    def legend(self, corner: Mapping[str, Line], as_lines: bool, high: float) -> list[Line]:
        """The lines in the corner of a view that is so `high`; the last ones, where not all fit: the next view has the others."""
        lines = [line for key, line in corner.items() if not (key == CAMERA and self.heading)]
        if as_lines:
            lines.insert(0, (tr("drawn as lines, without OpenGL"), self._theme().muted))
        before = self._said_before()
        left = [line for line in lines if line not in before]
        return left[-max(int(_LEGEND * high / self.labels.line) - len(self._below), _LEAST) :]

    def _heading(self, heading: Sequence[Line], area: QRectF, ratio: float) -> list[Placed]:
        placed, x, y = [], area.left() + UNIT + self.inset.width(), area.top() + UNIT
        widest = max((self._word(*line, ratio).width for line in self._lines(heading, math.inf)), default=0.0)
        if self.inset.width() and widest > area.right() - x - TARGET - UNIT:
            x, y = area.left() + UNIT, y + self.inset.height() - UNIT
        room = area.right() - x - TARGET - UNIT  # beside the button in the other corner
        for line in self._lines(heading, room):
            word = self._word(*line, ratio)
            placed.append(Placed.at(x, y, word))
            y += word.height - UNIT / 2
        return placed

    def _lines(self, heading: Sequence[Line], room: float) -> list[tuple[int, str, str]]:
        """A heading in lines that have this room, with size of type and colour: a lane's name goes on in a second."""
        theme, found = self._theme(), []
        for place, (text, colour) in enumerate(heading):
            pixels, count = (theme.small, 1) if place else (theme.title, 2)
            parts = self.labels.lines(text, room - 2 * _HALO, pixels, count)
            found += [(pixels, part, colour) for part in parts]
        return found

    def _corners(self, area: QRectF) -> list[Placed]:
        """Where the button and what stands in the other corner would cover a label."""
        nothing, left, top, right = Word(QImage(), 0.0, 0.0), area.left(), area.top(), area.right()
        wide, high = self.inset.width(), self.inset.height()
        corners = [Placed(right - UNIT - TARGET, top, right, top + UNIT + TARGET, nothing)]
        return [*corners, Placed(left, top, left + wide, top + high, nothing)] if wide else corners

    def _stamp(self, area: QRectF, ratio: float) -> list[Placed]:
        if not self.stamp:
            return []
        word = self.labels.picture(self.stamp, self._theme().text, ratio, self._theme().title)
        return [Placed.at(area.right() - UNIT - word.width, area.top() + UNIT, word)]

    def _word(self, pixels: int, text: str, colour: str, ratio: float) -> Word:
        return self.labels.picture(text, colour, ratio, pixels)
