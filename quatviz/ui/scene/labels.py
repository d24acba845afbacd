"""Words in the view: placed so that they do not collide, drawn from pictures made once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from quatviz.ui.fonts import tabular
from quatviz.ui.scene.primitives import Label
from quatviz.ui.theme import Theme

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

    def __init__(self, theme: Theme) -> None:
        self.boxes: dict[str, QRectF] = {}
        """Where each label was drawn last, by its text."""
        self._theme = theme
        self._pictures: dict[tuple[str, str, float], QImage] = {}
        self._taken: Sequence[QRectF] = ()
        self._sides: WeakKeyDictionary[Label, int] = WeakKeyDictionary()

    def restyle(self, theme: Theme) -> None:
        """Take another theme."""
        self._theme = theme
        self._pictures.clear()

    def paint(
        self, painter: QPainter, labels: Sequence[Label], points: np.ndarray, area: QRectF,
        taken: Sequence[QRectF] = (),
    ) -> None:  # fmt: skip
        """Draw `labels` at screen `points` (n, 2), beside what is `taken`; NaN for a point behind the eye."""
        self.boxes.clear()
        self._taken = taken
        ratio = painter.device().devicePixelRatioF()
        order = sorted(range(len(labels)), key=lambda index: labels[index].rank)
        for index in order:
            label, point = labels[index], points[index]
            if not label.visible or not np.isfinite(point).all():
                continue
            picture = self.picture(label.text, label.colour, ratio)
            size = picture.deviceIndependentSize()
            place = self._place(label, QPointF(*point), size.width(), size.height(), area)
            self.boxes[label.text] = place
            painter.drawImage(place, picture)

    def paint_corner(
        self, painter: QPainter, lines: Sequence[tuple[str, str]], area: QRectF, room: float = np.inf
    ) -> None:
        """Text lines with their colours, in the lower left corner; the last ones, where not all fit into `room`. A line that is
        too long loses its middle: a lane's name can be guessed, the number at the end cannot."""
        ratio = painter.device().devicePixelRatioF()
        metrics = QFontMetricsF(self._font(self._theme.small))
        width = area.width() - 2 * (_MARGIN + _HALO)
        y = area.bottom() - 8
        for text, colour in reversed(lines):
            seen = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)
            picture = self.picture(seen, colour, ratio, self._theme.small)
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
                    point.x() + dx * _STEP + np.sign(dx) * width / 2,
                    point.y() + dy * _STEP + np.sign(dy) * height / 4,
                )
            )
            free = not any(box.intersects(other) for other in (*self.boxes.values(), *self._taken))
            if free and area.contains(box):
                self._sides[label] = side
                return box
        return box

    def picture(self, text: str, colour: str, ratio: float, pixels: int | None = None) -> QImage:
        """A word as it is drawn, in letters of so many pixels."""
        key = (text, colour, ratio + (pixels or 0) * 1000)
        if key not in self._pictures:
            if len(self._pictures) >= _KEPT:
                self._pictures.clear()
            font = self._font(pixels or self._theme.title + 2)
            self._pictures[key] = _drawn(text, colour, self._theme.sky_bottom, font, ratio)
        return self._pictures[key]

    def _font(self, pixels: int) -> QFont:
        return tabular(self._theme, pixels, QFont.Weight.DemiBold)


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
