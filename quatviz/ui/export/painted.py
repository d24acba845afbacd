"""A panel that paints itself, on paper: as vectors, or as a picture of 300 dots to the inch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from quatviz.export.files import replacing
from quatviz.ui.plotting.painted_panel import PaintedPanel
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.theme import LIGHT, UNIT
from quatviz.ui.tr import tr

DOTS_PER_INCH = 300
_POINTS_PER_INCH = 72.0
_MM_PER_INCH = 25.4
_ROW = 44.0
"""Logical pixels of an ordinary strip."""


def logical_size(panel: PaintedPanel, width: float, size: float, height: float | None = None) -> QSizeF:
    """Logical pixels of a panel on paper `width` mm wide, where the window's type has `size` points."""
    per_mm = LIGHT.normal / size * _POINTS_PER_INCH / _MM_PER_INCH
    tall = _ROW * panel.weight + 2 * UNIT if height is None else height * per_mm
    return QSizeF(width * per_mm, tall)


def image_of(panel: PaintedPanel, width: float, size: float) -> np.ndarray:
    """The panel without its title, (height, width, 4) bytes."""
    area = logical_size(panel, width, size)
    image = _image(panel, area, width, titled=False).convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()


def picture_of(
    panel: PaintedPanel, width: float, size: float, height: float | None = None, dots: float = DOTS_PER_INCH
) -> QImage:
    """The panel with its title, in so many dots to the inch."""
    return _image(panel, _with_title(logical_size(panel, width, size, height)), width, True, dots)


def write_panel(
    panel: PaintedPanel, path: Path, kind: str, width: float, size: float, height: float | None = None
) -> None:
    """Write a panel as pdf, svg or png, whole or not at all."""
    with replacing(path) as fresh:
        area = _with_title(logical_size(panel, width, size, height))
        if kind == "png":
            if not picture_of(panel, width, size, height).save(str(fresh)):
                raise OSError("the picture could not be written")
        elif kind == "svg":
            _draw_svg(panel, str(fresh), area, width)
        else:
            writer = QPdfWriter(str(fresh))
            writer.setTitle(tr(panel.title))
            writer.setCreator("quatviz")
            mm = QSizeF(width, width * area.height() / area.width())
            writer.setPageSize(QPageSize(mm, QPageSize.Unit.Millimeter))
            writer.setPageMargins(QMarginsF())
            painter = QPainter(writer)
            scale = writer.width() / area.width()
            painter.scale(scale, scale)
            _draw(panel, painter, area, titled=True)
            painter.end()


def _with_title(area: QSizeF) -> QSizeF:
    return QSizeF(area.width(), area.height() + LIGHT.title + 3 * UNIT)


def _draw_svg(panel: PaintedPanel, path: str, area: QSizeF, width: float) -> None:
    generator = QSvgGenerator()
    generator.setFileName(path)
    generator.setTitle(tr(panel.title))
    generator.setDescription("quatviz")
    generator.setResolution(round(area.width() / width * _MM_PER_INCH))
    generator.setSize(QSize(round(area.width()), round(area.height())))
    generator.setViewBox(QRectF(0, 0, area.width(), area.height()))
    painter = QPainter(generator)
    _draw(panel, painter, area, titled=True)
    painter.end()


def _image(
    panel: PaintedPanel, area: QSizeF, width: float, titled: bool, dots: float = DOTS_PER_INCH
) -> QImage:
    scale = width / _MM_PER_INCH * dots / area.width()
    image = QImage((area * scale).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    image.setDotsPerMeterX(round(dots / _MM_PER_INCH * 1000))
    image.setDotsPerMeterY(round(dots / _MM_PER_INCH * 1000))
    painter = QPainter(image)
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    try:
        _draw(panel, painter, area, titled)
    finally:
        painter.end()
    return image


def _draw(panel: PaintedPanel, painter: QPainter, area: QSizeF, titled: bool) -> None:
    style = PlotStyle(LIGHT)
    room = QRectF(0, 0, area.width(), area.height())
    if titled:
        top = LIGHT.title + 2 * UNIT
        painter.setPen(style.text)
        painter.setFont(style.title)
        title = tr(panel.title)
        painter.drawText(QPointF(UNIT, top - UNIT), title)
        at = 2 * UNIT + style.title_metrics.horizontalAdvance(title)
        painter.setPen(style.muted)
        painter.setFont(style.normal)
        painter.drawText(QPointF(at, top - UNIT), tr(panel.note))
        room.setTop(top)
    panel.draw(painter, style, room)
