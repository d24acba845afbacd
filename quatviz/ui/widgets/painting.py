"""Painting helpers: icons, wrapped and elided text, changing numbers, lane markers and swatches."""

import math
from collections.abc import Callable
from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QIcon,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtSvg import QSvgRenderer

from quatviz.base import resources
from quatviz.base.formatting.text_layout import first_lines
from quatviz.display.panels.base.canvas import Rect
from quatviz.display.view_state.line_styles import dashes_between
from quatviz.display.view_state.theme import Theme
from quatviz.ui.widgets.style import tabular_font

ICON_SIZE = 16
"""Side of an icon [pixels]."""


@cache
def _icon_svg(name: str) -> str:
    return resources.asset_path(f"icons/{name}.svg").read_text("utf-8")


@lru_cache(maxsize=256)
def icon(name: str, color: str, ratio: float) -> QImage:
    """Return the icon of the file `assets/icons/<name>.svg` in one color. `ratio` is the device pixel ratio of the screen."""
    image = QImage(
        math.ceil(ICON_SIZE * ratio), math.ceil(ICON_SIZE * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.fill(Qt.GlobalColor.transparent)
    svg = _icon_svg(name).replace("currentColor", color)
    with QPainter(image) as painter:
        QSvgRenderer(QByteArray(svg.encode())).render(painter)
    image.setDevicePixelRatio(ratio)
    return image.copy()


def draw_pixmap(
    size: QSize, ratio: float, background: QColor | Qt.GlobalColor, draw: Callable[[QPainter], None]
) -> QPixmap:
    """Return a pixmap of `size` logical pixels at device pixel ratio `ratio`, painted by `draw`."""
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(background)
    # A painter kept alive by a traceback would outlive its pixmap and crash.
    with QPainter(pixmap) as painter:
        draw(painter)
    return pixmap


def break_lines(text: str, metrics: QFontMetricsF, width: float, max_lines: int) -> list[str]:
    """Return the lines of `text` after wrapping at `width` [pixels]. If there are more than `max_lines` lines, the last
    one returned is elided."""
    return first_lines(text, width, max_lines, metrics.horizontalAdvance)


def to_box(rect: QRectF) -> Rect:
    """Convert a QRectF to a `Rect`."""
    return Rect(rect.x(), rect.y(), rect.width(), rect.height())


class GlyphCache:
    """Cached glyph images of one font size and color on one background, for drawing numbers that change often.

    If such numbers were drawn as text, they would take most of the time of a plot with a moving cursor. Glyph widths
    are rounded to device pixels; `ratio` is the device pixel ratio.
    """

    def __init__(self, theme: Theme, pixels: int, color: str, background: str, ratio: float) -> None:
        self._font, self._color, self._background, self._ratio = (
            tabular_font(theme, pixels), QColor(color), QColor(background), ratio,
        )  # fmt: skip
        self._metrics = QFontMetricsF(self._font)
        self._ascent = math.ceil(self._metrics.ascent() * ratio) / ratio
        self._glyphs: dict[str, tuple[QImage, float]] = {}
        """Image and advance width [pixels] of each drawn character."""

    def width(self, text: str) -> float:
        """Return the width of `text` [pixels]."""
        return sum(self._glyph(character)[1] for character in text)

    def draw_text(self, painter: QPainter, x: float, baseline: float, text: str, previous: str = "") -> None:
        """Draw `text` from `x` on. If `previous` is given, it is a text of the same length and width that is already
        drawn there; only the characters that differ are drawn."""
        ratio = self._ratio
        x, top = round(x * ratio) / ratio, round(baseline * ratio) / ratio - self._ascent
        for index, character in enumerate(text):
            glyph, advance = self._glyph(character)
            if not previous or previous[index] != character:
                painter.drawImage(QPointF(x, top), glyph)
            x += advance

    def _glyph(self, character: str) -> tuple[QImage, float]:
        glyph = self._glyphs.get(character)
        if glyph is None:
            glyph = self._glyphs[character] = self._render_glyph(character)
        return glyph

    def _render_glyph(self, character: str) -> tuple[QImage, float]:
        ratio = self._ratio
        width = max(round(self._metrics.horizontalAdvance(character) * ratio), 1)
        height = math.ceil((self._ascent + self._metrics.descent()) * ratio)
        picture = QImage(width, height, QImage.Format.Format_RGB32)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._background)
        with QPainter(picture) as painter:
            painter.setFont(self._font)
            painter.setPen(self._color)
            painter.drawText(QPointF(0.0, self._ascent), character)
        # The copy has no paint engine, which would take more memory than the image.
        return picture.copy(), width / ratio


glyph_cache = lru_cache(maxsize=48)(GlyphCache)
"""Cached function that returns a `GlyphCache` for its arguments. It keeps the last 48, which is as many as a window
with eight lanes needs."""


ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def draw_elided_text(
    painter: QPainter, rect: QRectF, text: str, font: QFont, color: str, alignment: Qt.AlignmentFlag = ALIGN_LEFT,
    elide_mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:  # fmt: skip
    """Draw text in a rectangle, elided if too long, and return its width [pixels]."""
    metrics = QFontMetricsF(font)
    elided = metrics.elidedText(text, elide_mode, rect.width())
    painter.setFont(font)
    painter.setPen(QColor(color))
    painter.drawText(rect, alignment, elided)
    return metrics.horizontalAdvance(elided)


MARKER_RADIUS = 4.0


def add_shape(path: QPainterPath, shape: str, x: float, y: float, radius: float = MARKER_RADIUS) -> None:
    """Add the outline of a marker shape to a path, centered at `x`, `y` [pixels]."""
    if shape == "circles":
        path.addEllipse(QPointF(x, y), radius, radius)
    elif shape == "squares":
        path.addRect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius)
    elif shape == "triangles":
        corners = [(math.sin(turn), -math.cos(turn)) for turn in (0.0, 2 * math.pi / 3, 4 * math.pi / 3)]
        path.addPolygon(QPolygonF([QPointF(x + 1.2 * radius * u, y + 1.2 * radius * v) for u, v in corners]))
        path.closeSubpath()


def draw_cross(painter: QPainter, center: QPointF, half_size: float) -> None:
    """Draw a cross with the current pen. Such a cross marks the end of a lane that failed."""
    for dy in (-half_size, half_size):
        painter.drawLine(center + QPointF(-half_size, dy), center + QPointF(half_size, -dy))


def draw_shape(painter: QPainter, shape: str, center: QPointF, line: QColor, fill: QColor) -> None:
    """Draw the shape of a lane's marker in a swatch. It is as large as the marker on the curve."""
    path = QPainterPath()
    add_shape(path, shape, center.x(), center.y())
    painter.setPen(QPen(line, 1.5))
    painter.setBrush(fill)
    painter.drawPath(path)


def draw_line_sample(
    painter: QPainter, lane_number: int, rect: QRectF, color: QColor, thickness: float
) -> None:
    """Draw a sample of a lane's line pattern from the left to the right of a rectangle. `thickness` is in pixels."""
    for left, right in dashes_between(lane_number, rect.left(), rect.right()):
        painter.fillRect(QRectF(left, rect.center().y() - thickness / 2, right - left, thickness), color)


_SWATCH_SIZE = 12.0
_SWATCH_PIXEL_RATIO = 2.0
CUTOUT_RADIUS = 3.2
"""Radius of the marker shape that is cut out of a swatch [pixels]."""


def swatch(color: QColor, margin: float = 0.0, shape: str = "") -> QIcon:
    """Return a square swatch with a margin [pixels] and a marker shape cut out of it."""

    def draw(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(QRectF(margin, margin, _SWATCH_SIZE, _SWATCH_SIZE), 3, 3)
        path = QPainterPath()
        add_shape(path, shape, margin + _SWATCH_SIZE / 2, margin + _SWATCH_SIZE / 2, CUTOUT_RADIUS)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
        painter.fillPath(path, Qt.GlobalColor.transparent)

    size = round(_SWATCH_SIZE + 2 * margin)
    return QIcon(draw_pixmap(QSize(size, size), _SWATCH_PIXEL_RATIO, Qt.GlobalColor.transparent, draw))
