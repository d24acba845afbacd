"""Words over the picture: the legend, the heading, and labels placed so that they do not collide, drawn from pictures made once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from quatviz.base.tr import tr
from quatviz.look.theme import UNIT, Theme
from quatviz.scene.primitives import Label
from quatviz.ui.kit.style import tabular
from quatviz.ui.kit.widgets import TARGET

_AROUND = [(1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1)]
_PLACES = [(x * ring, y * ring) for ring in (1.0, 2.2, 3.4) for x, y in _AROUND]
"""Where a label may stand around its point, in steps, the best first."""
_STEP = 10.0
_HALO = 3.0
_MARGIN = 10
"""Of the lines in the corner, to the view's edges."""
_HALO_ALPHA = 192
_RING = tuple(
    QPointF(radius * math.cos(turn * math.pi / 6), radius * math.sin(turn * math.pi / 6))
    for radius in (1.25, 2.25)
    for turn in range(12)
)
_KEPT = 64
"""Pictures of words that are kept: scales change as a run grows, and the old ones never come back."""


class LabelPainter:
    """Draws all labels of a view. A label keeps its side of the point for as long as that is free."""

    def __init__(self, theme: Callable[[], Theme]) -> None:
        self.boxes: dict[str, QRectF] = {}
        """Where each label was drawn last, by its text."""
        self._theme = theme
        self._pictures: dict[tuple[object, ...], QImage] = {}
        self._lines: dict[tuple[object, ...], str] = {}
        """Lines of the corner as they were shortened."""
        self._taken: Sequence[QRectF] = ()
        self._sides: WeakKeyDictionary[Label, int] = WeakKeyDictionary()

    def paint(
        self, painter: QPainter, labels: Sequence[Label], points: np.ndarray, area: QRectF,
        taken: Sequence[QRectF] = (),
    ) -> None:  # fmt: skip
        """Draw `labels` at screen `points` (n, 2), beside what is `taken`; NaN for a point behind the eye."""
        self.boxes.clear()
        self._taken = taken
        ratio = painter.device().devicePixelRatioF()
        for label, (x, y) in sorted(
            zip(labels, points.tolist(), strict=True), key=lambda labelled: labelled[0].rank
        ):
            if not (label.visible and math.isfinite(x) and math.isfinite(y)):
                continue
            picture = self.picture(label.text, label.colour, ratio)
            size = picture.deviceIndependentSize()
            place = self._place(label, QPointF(x, y), size.width(), size.height(), area)
            self.boxes[label.text] = place
            painter.drawImage(place, picture)

    def paint_corner(
        self, painter: QPainter, lines: Sequence[tuple[str, str]], area: QRectF, room: float = np.inf
    ) -> None:
        """Text lines with their colours, in the lower left corner; the last ones, where not all fit into `room`. A line that is
        too long loses its middle: a lane's name can be guessed, the number at the end cannot."""
        ratio, small = painter.device().devicePixelRatioF(), self._theme().small
        y = area.bottom() - 8
        for text, colour in reversed(lines):
            seen = self._shortened(text, area.width() - 2 * (_MARGIN + _HALO))
            picture = self.picture(seen, colour, ratio, small)
            size = picture.deviceIndependentSize()
            y -= size.height()
            if area.bottom() - y > room:
                break
            painter.drawImage(QRectF(area.left() + _MARGIN, y, size.width(), size.height()), picture)

    def _place(self, label: Label, point: QPointF, width: float, height: float, area: QRectF) -> QRectF:
        last = self._sides.get(label, 0)
        for side in (last, *range(len(_PLACES))):
            dx, dy = _PLACES[side]
            box = QRectF(0, 0, width, height)
            box.moveCenter(
                QPointF(
                    point.x() + dx * _STEP + ((dx > 0) - (dx < 0)) * width / 2,
                    point.y() + dy * _STEP + ((dy > 0) - (dy < 0)) * height / 4,
                )
            )
            free = not any(box.intersects(other) for other in (*self.boxes.values(), *self._taken))
            if free and area.contains(box):
                self._sides[label] = side
                return box
        return box

    def picture(self, text: str, colour: str, ratio: float, pixels: int | None = None) -> QImage:
        """A word as it is drawn, in letters of so many pixels."""
        theme = self._theme()
        key = (text, colour, theme.name, ratio, pixels)
        if key not in self._pictures:
            if len(self._pictures) >= _KEPT:
                self._pictures.clear()
            font = self._font(pixels or theme.title + 2)
            self._pictures[key] = _drawn(text, colour, theme.sky_bottom, font, ratio)
        return self._pictures[key]

    def _shortened(self, text: str, width: float) -> str:
        """A line of the corner without its middle, where it is wider than this."""
        theme = self._theme()
        key = (text, width, theme.name)
        if key not in self._lines:
            if len(self._lines) >= _KEPT:
                self._lines.clear()
            metrics = QFontMetricsF(self._font(theme.small))
            self._lines[key] = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)
        return self._lines[key]

    def _font(self, pixels: int) -> QFont:
        return tabular(self._theme(), pixels, QFont.Weight.DemiBold)


def _drawn(text: str, colour: str, halo: str, font: QFont, ratio: float) -> QImage:
    """The text with a halo that lets it be read over anything.

    The halo is the text itself drawn all around: stroking its outline takes twenty times as long, and a scale that grows
    with a run is written anew in every frame of its beginning.
    """
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text) + 2 * _HALO, metrics.height() + 2 * _HALO
    image = QImage(int(width * ratio) + 1, int(height * ratio) + 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    place = QPointF(_HALO, _HALO + metrics.ascent())
    painter = QPainter(image)
    painter.setFont(font)
    painter.setPen(QColor(halo))
    for offset in _RING:
        painter.drawText(place + offset, text)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.fillRect(QRectF(0, 0, width + 1, height + 1), QColor(0, 0, 0, _HALO_ALPHA))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    painter.setPen(QColor(colour))
    painter.drawText(place, text)
    painter.end()
    return image


Line = tuple[str, str]
"""A text and its colour."""

CAMERA = "camera"
"""Key of the legend's line that says from where the view is seen; a heading says it in its place."""
_LEGEND = 0.4
"""Share of the height that the legend may take: in a small view it would cover the body."""
_ACCENT = 2
"""Height of the line over the active view [pixels]."""


class Words:
    """Of one view."""

    def __init__(
        self, theme: Callable[[], Theme], said_elsewhere: Callable[[Line], bool] = lambda line: False
    ) -> None:
        """`theme` is what the view wears now; `said_elsewhere` tells whether another view's legend has a line: in one of them
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
        self._said_elsewhere = said_elsewhere

    def paint(
        self, painter: QPainter, whole: QRectF, labels: Sequence[Label], points: np.ndarray,
        corner: Mapping[str, Line], as_lines: bool,
    ) -> None:  # fmt: skip
        """Write it all over the `whole` view. `labels` stand at `points` (n, 2) [logical pixels]; `corner` is the legend
        by key."""
        area = whole.adjusted(4, 4, -4, -4)
        taken = [*self._paint_heading(painter, area), *self._paint_stamp(painter, area)]
        self.labels.paint(painter, labels, points, area, taken)
        self.labels.paint_corner(painter, self.legend(corner, as_lines), area, _LEGEND * area.height())
        if self.active:
            painter.fillRect(QRectF(0, 0, whole.width(), _ACCENT), QColor(self._theme().accent))

    def legend(self, corner: Mapping[str, Line], as_lines: bool) -> list[Line]:
        """The lines in the corner."""
        return [line for line in self.lines(corner, as_lines) if not self._said_elsewhere(line)]

    def lines(self, corner: Mapping[str, Line], as_lines: bool) -> list[Line]:
        """These, and those that another view says."""
        lines = [line for key, line in corner.items() if not (key == CAMERA and self.heading)]
        return [(tr("drawn as lines, without OpenGL"), self._theme().muted), *lines] if as_lines else lines

    def _paint_heading(self, painter: QPainter, area: QRectF) -> list[QRectF]:
        """Where it stands."""
        taken, x, y = [], area.left() + UNIT + self.inset.width(), area.top() + UNIT
        if self.inset.width() and self._heading_width(painter) > area.right() - x - TARGET - UNIT:
            x, y = area.left() + UNIT, y + self.inset.height() - UNIT
        for place, (text, colour) in enumerate(self.heading):
            picture = self._heading_picture(painter, place, text, colour)
            size = picture.deviceIndependentSize()
            box = QRectF(x, y, size.width(), size.height())
            painter.drawImage(box, picture)
            taken.append(box)
            y = box.bottom() - UNIT / 2
        return taken

    def _paint_stamp(self, painter: QPainter, area: QRectF) -> list[QRectF]:
        """Where it stands."""
        if not self.stamp:
            return []
        picture = self._heading_picture(painter, 0, self.stamp, self._theme().text)
        size = picture.deviceIndependentSize()
        box = QRectF(area.right() - UNIT - size.width(), area.top() + UNIT, size.width(), size.height())
        painter.drawImage(box, picture)
        return [box]

    def _heading_width(self, painter: QPainter) -> float:
        pictures = (self._heading_picture(painter, place, *line) for place, line in enumerate(self.heading))
        return max((picture.deviceIndependentSize().width() for picture in pictures), default=0.0)

    def _heading_picture(self, painter: QPainter, place: int, text: str, colour: str) -> QImage:
        pixels = self._theme().small if place else self._theme().title
        return self.labels.picture(text, colour, painter.device().devicePixelRatioF(), pixels)
