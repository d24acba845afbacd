"""A globe as the window paints it."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF, QRadialGradient

from quatviz.display.panels.base.globe import GlobePicture, Label
from quatviz.display.view_state.theme import UNIT
from quatviz.export.figures.globe import RING_AT, GlobeLines, Line, Projection
from quatviz.export.figures.strokes import strokes
from quatviz.ui.plots.curve_painting import paths_of
from quatviz.ui.widgets.style import PlotStyle, clear, tint

ROOMY = 7.0
"""Radius in lines of text above which there is room for words beside marks."""


class GlobePainter:
    """Paints a picture with a style; `hasty` while a person turns it, with thin lines, which cost a fifth."""

    def __init__(
        self, painter: QPainter, style: PlotStyle, picture: GlobePicture, hasty: bool = False
    ) -> None:
        self.painter, self.style, self.picture = painter, style, picture
        self.width = 1.0 if hasty else 0.9 * style.theme.curve_width - 0.1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, places: tuple[Projection, ...]) -> None:
        for number, (place, caption) in enumerate(zip(places, self.picture.captions, strict=True)):
            drawn = GlobeLines(self.picture, place, number, self.style.theme, self.width)
            self._caption(place, caption)
            self._ground(drawn)
            for line, text in drawn.rings():
                self._ring(place, line, text)
            for front in (False, True):
                for line in drawn.lines(front):
                    self._line(line)
                self._words(drawn, front)
            for mark in self.picture.marks:
                if mark.text and mark.globe == number and self._roomy(place):
                    self._say(place, mark)

    def _ground(self, drawn: GlobeLines) -> None:
        theme, place = self.style.theme, drawn.place
        light = QRadialGradient(
            QPointF(place.x - 0.35 * place.radius, place.y - 0.4 * place.radius), 1.5 * place.radius
        )
        light.setColorAt(0.0, tint(theme.raised, theme.surface, 1.0))
        light.setColorAt(1.0, tint(theme.line, theme.surface, 0.35))
        self.painter.setBrush(QBrush(light))
        self.painter.setPen(QPen(QColor(drawn.rim_colour), 1))
        self.painter.drawPolygon(outline(place, self.picture.surface))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _ring(self, place: Projection, line: Line, text: str) -> None:
        self._line(line, Qt.PenStyle.DashLine)
        right, down = RING_AT
        size = float(np.ptp(line.pixels[0])) / 2
        at = QPointF(place.x + right * size + 3, place.y + down * size + self.style.small_metrics.ascent())
        self.painter.setFont(self.style.small)
        self.painter.setPen(self.style.muted)
        self.painter.drawText(at, text)

    def _words(self, drawn: GlobeLines, front: bool) -> None:
        metrics = self.style.symbol_metrics
        self.painter.setFont(self.style.symbol)
        for label in drawn.labels(front):
            x, y = drawn.place.project(label.point)
            self.painter.setPen(QColor(drawn.colour_of(label, front)))
            wide = metrics.horizontalAdvance(label.text)
            self.painter.drawText(QPointF(x - wide / 2, y + metrics.capHeight() / 2), label.text)
        for mark in drawn.marks(front):
            self._mark(drawn.place, mark, QColor(drawn.seen(self.style.theme.text, front)))

    def _mark(self, place: Projection, mark: Label, colour: QColor) -> None:
        x, y = place.project(mark.point)
        self.painter.setPen(QPen(colour, 1.3))
        self.painter.setBrush(self.style.ground)
        self.painter.drawEllipse(QPointF(x, y), 3.5, 3.5)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _roomy(self, place: Projection) -> bool:
        return place.radius > ROOMY * self.style.small_metrics.height()

    def _say(self, place: Projection, mark: Label) -> None:
        """The words of a mark beside it, outward."""
        metrics, (x, y) = self.style.small_metrics, place.project(mark.point)
        wide = metrics.horizontalAdvance(mark.text)
        left = x - wide - UNIT if x < place.x else x + UNIT
        left = min(max(left, place.box.x), place.box.right - wide)
        box = QRectF(left, y - metrics.height() / 2, wide, metrics.height())
        self.painter.fillRect(box.adjusted(-2, 0, 2, 0), clear(self.style.theme.surface, 0.8))
        self.painter.setFont(self.style.small)
        self.painter.setPen(self.style.text)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.text)

    def _caption(self, place: Projection, caption: str) -> None:
        self.painter.setFont(self.style.small)
        self.painter.setPen(self.style.muted)
        high = self.style.small_metrics.height()
        box = QRectF(place.x - 2 * place.radius, place.box.y - high, 4 * place.radius, high)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, caption)

    def _line(self, line: Line, kind: Qt.PenStyle = Qt.PenStyle.SolidLine) -> None:
        self.painter.setPen(QPen(QColor(line.colour), line.width, kind, Qt.PenCapStyle.FlatCap))
        x, y = line.pixels
        (path,) = paths_of(strokes(x, y[None], np.isfinite(y)[None])[0])
        self.painter.drawPath(path)


def outline(place: Projection, surface: np.ndarray) -> QPolygonF:
    """Where a surface (3, 3) ends on the paper."""
    return QPolygonF([QPointF(x, y) for x, y in place.rim(surface).tolist()])
