"""Drawing of globes with QPainter."""

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF, QRadialGradient

from quatviz.display.panels.base.globe import GlobeLabel, GlobePicture
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.export.figures.globe import RING_LABEL_POSITION, GlobeLine, GlobeLines, GlobeProjection
from quatviz.export.figures.strokes import make_strokes
from quatviz.ui.plots.curve_painting import stroke_paths
from quatviz.ui.widgets.style import PlotStyle, tint, with_opacity

MIN_RADIUS_IN_LINES = 7.0
"""Smallest globe radius at which marks on the globe get labels [lines of text]."""


class GlobePainter:
    """Painter of globe pictures. While the user rotates the globe, it draws a draft with thin lines at a fifth of the
    cost."""

    def __init__(
        self, painter: QPainter, style: PlotStyle, picture: GlobePicture, is_draft: bool = False
    ) -> None:
        self.painter, self.style, self.picture = painter, style, picture
        self.width = 1.0 if is_draft else 0.9 * style.theme.curve_width - 0.1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, projections: tuple[GlobeProjection, ...]) -> None:
        for number, (projection, caption) in enumerate(zip(projections, self.picture.captions, strict=True)):
            globe_lines = GlobeLines(self.picture, projection, number, self.style.theme, self.width)
            self._draw_caption(projection, caption)
            self._draw_surface(globe_lines)
            for line, text in globe_lines.rings():
                self._draw_ring(projection, line, text)
            for front in (False, True):
                for line in globe_lines.lines(front):
                    self._draw_line(line)
                self._draw_labels(globe_lines, front)
            for mark in self.picture.marks:
                if mark.text and mark.globe == number and self._has_label_space(projection):
                    self._draw_mark_text(projection, mark)

    def _draw_surface(self, globe_lines: GlobeLines) -> None:
        theme, projection = self.style.theme, globe_lines.projection
        gradient = QRadialGradient(
            QPointF(projection.x - 0.35 * projection.radius, projection.y - 0.4 * projection.radius),
            1.5 * projection.radius,
        )
        gradient.setColorAt(0.0, tint(theme.raised, theme.surface, 1.0))
        gradient.setColorAt(1.0, tint(theme.line, theme.surface, 0.35))
        self.painter.setBrush(QBrush(gradient))
        self.painter.setPen(QPen(QColor(globe_lines.rim_color), 1))
        self.painter.drawPolygon(rim_polygon(projection, self.picture.surface))
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _draw_ring(self, projection: GlobeProjection, line: GlobeLine, text: str) -> None:
        self._draw_line(line, Qt.PenStyle.DashLine)
        right, down = RING_LABEL_POSITION
        size = float(np.ptp(line.pixels[0])) / 2
        text_position = QPointF(
            projection.x + right * size + 3, projection.y + down * size + self.style.small_metrics.ascent()
        )
        self.painter.setFont(self.style.small_font)
        self.painter.setPen(self.style.muted_color)
        self.painter.drawText(text_position, text)

    def _draw_labels(self, globe_lines: GlobeLines, front: bool) -> None:
        metrics = self.style.symbol_metrics
        self.painter.setFont(self.style.symbol_font)
        for label in globe_lines.labels(front):
            x, y = globe_lines.projection.project(label.point)
            self.painter.setPen(QColor(globe_lines.label_color(label, front)))
            width = metrics.horizontalAdvance(label.text)
            self.painter.drawText(QPointF(x - width / 2, y + metrics.capHeight() / 2), label.text)
        for mark in globe_lines.marks(front):
            self._draw_mark(
                globe_lines.projection, mark, QColor(globe_lines.side_color(self.style.theme.text, front))
            )

    def _draw_mark(self, projection: GlobeProjection, mark: GlobeLabel, color: QColor) -> None:
        x, y = projection.project(mark.point)
        self.painter.setPen(QPen(color, 1.3))
        self.painter.setBrush(self.style.background)
        self.painter.drawEllipse(QPointF(x, y), 3.5, 3.5)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)

    def _has_label_space(self, projection: GlobeProjection) -> bool:
        return projection.radius > MIN_RADIUS_IN_LINES * self.style.small_metrics.height()

    def _draw_mark_text(self, projection: GlobeProjection, mark: GlobeLabel) -> None:
        """Draw the text of a mark, to the left of marks on the left half of the globe and to the right of all others."""
        metrics, (x, y) = self.style.small_metrics, projection.project(mark.point)
        width = metrics.horizontalAdvance(mark.text)
        left = x - width - GRID_UNIT if x < projection.x else x + GRID_UNIT
        left = min(max(left, projection.box.x), projection.box.right - width)
        box = QRectF(left, y - metrics.height() / 2, width, metrics.height())
        self.painter.fillRect(box.adjusted(-2, 0, 2, 0), with_opacity(self.style.theme.surface, 0.8))
        self.painter.setFont(self.style.small_font)
        self.painter.setPen(self.style.text_color)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.text)

    def _draw_caption(self, projection: GlobeProjection, caption: str) -> None:
        self.painter.setFont(self.style.small_font)
        self.painter.setPen(self.style.muted_color)
        height = self.style.small_metrics.height()
        box = QRectF(
            projection.x - 2 * projection.radius, projection.box.y - height, 4 * projection.radius, height
        )
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, caption)

    def _draw_line(self, line: GlobeLine, pen_style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> None:
        self.painter.setPen(QPen(QColor(line.color), line.width, pen_style, Qt.PenCapStyle.FlatCap))
        x, y = line.pixels
        (path,) = stroke_paths(make_strokes(x, y[None], np.isfinite(y)[None])[0])
        self.painter.drawPath(path)


def rim_polygon(projection: GlobeProjection, surface: np.ndarray) -> QPolygonF:
    """Return the projected outline of an ellipsoid. The matrix `surface` (3, 3) maps the unit sphere to the
    ellipsoid."""
    return QPolygonF([QPointF(x, y) for x, y in projection.rim(surface).tolist()])
