"""What is painted by hand: words in a room of a few lines, numbers that change, marks and colours of lanes, icons."""

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
from quatviz.base.formatting.text_layout import begun
from quatviz.display.panels.base.canvas import Box
from quatviz.display.view_state.line_styles import sample_of
from quatviz.display.view_state.theme import Theme
from quatviz.ui.widgets.style import tabular

ICON = 16
"""Side of an icon [pixels]."""


@cache
def _drawing(name: str) -> str:
    return resources.asset(f"icons/{name}.svg").read_text("utf-8")


@lru_cache(maxsize=256)
def icon(name: str, colour: str, ratio: float) -> QImage:
    """The icon `assets/icons/<name>.svg` in one colour, for a screen with `ratio` device pixels to a pixel."""
    image = QImage(
        math.ceil(ICON * ratio), math.ceil(ICON * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.fill(Qt.GlobalColor.transparent)
    drawing = _drawing(name).replace("currentColor", colour)
    with QPainter(image) as painter:
        QSvgRenderer(QByteArray(drawing.encode())).render(painter)
    image.setDevicePixelRatio(ratio)
    return image.copy()


def drawn(
    size: QSize, ratio: float, ground: QColor | Qt.GlobalColor, draw: Callable[[QPainter], None]
) -> QPixmap:
    """A picture of `size` logical pixels, `ratio` device pixels each, that is drawn once and kept."""
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(ground)
    with QPainter(picture) as painter:  # one that outlives its picture, in a traceback, would end the process
        draw(painter)
    return picture


def broken(text: str, metrics: QFontMetricsF, width: float, count: int) -> list[str]:
    """The first `count` lines of `text` at `width` [pixels], the last of them without words where there is more."""
    return begun(text, width, count, metrics.horizontalAdvance)


def box_of(room: QRectF) -> Box:
    """The same room without Qt."""
    return Box(room.x(), room.y(), room.width(), room.height())


class Letters:
    """Pictures of letters, of one size and colour on one ground, of which numbers are laid that change while they are read: to
    set these as text each time would cost more than all else of a plot whose cursor moves. There are `ratio` device pixels to a
    pixel, and each letter is as many of them wide as fit best."""

    def __init__(self, theme: Theme, pixels: int, colour: str, ground: str, ratio: float) -> None:
        self._font, self._colour, self._ground, self._ratio = (
            tabular(theme, pixels), QColor(colour), QColor(ground), ratio,
        )  # fmt: skip
        self._metrics = QFontMetricsF(self._font)
        self._ascent = math.ceil(self._metrics.ascent() * ratio) / ratio
        self._pictures: dict[str, tuple[QImage, float]] = {}
        """Each with its width [pixels]."""

    def width(self, text: str) -> float:
        """Width of `text` [pixels]."""
        return sum(self._picture(letter)[1] for letter in text)

    def write(self, painter: QPainter, x: float, baseline: float, text: str, before: str = "") -> None:
        """Write `text` from `x` on; over what was written `before` there, which is as long and as wide, only what differs."""
        ratio = self._ratio
        x, top = round(x * ratio) / ratio, round(baseline * ratio) / ratio - self._ascent
        for number, letter in enumerate(text):
            picture, wide = self._picture(letter)
            if not before or before[number] != letter:
                painter.drawImage(QPointF(x, top), picture)
            x += wide

    def _picture(self, letter: str) -> tuple[QImage, float]:
        known = self._pictures.get(letter)
        if known is None:
            known = self._pictures[letter] = self._draw(letter)
        return known

    def _draw(self, letter: str) -> tuple[QImage, float]:
        ratio = self._ratio
        wide = max(round(self._metrics.horizontalAdvance(letter) * ratio), 1)
        high = math.ceil((self._ascent + self._metrics.descent()) * ratio)
        picture = QImage(wide, high, QImage.Format.Format_RGB32)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._ground)
        with QPainter(picture) as painter:
            painter.setFont(self._font)
            painter.setPen(self._colour)
            painter.drawText(QPointF(0.0, self._ascent), letter)
        # A copy is without what has painted the picture, which would stay, larger than that.
        return picture.copy(), wide / ratio


letters = lru_cache(maxsize=48)(Letters)
"""Those that are kept, as many as a window of eight lanes needs: see `Letters`."""


LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def write(
    painter: QPainter, room: QRectF, words: str, font: QFont, colour: str, where: Qt.AlignmentFlag = LEFT,
    loses: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> float:  # fmt: skip
    """Write words into a room, cut short where they are longer; how wide they are."""
    metrics = QFontMetricsF(font)
    said = metrics.elidedText(words, loses, room.width())
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(room, where, said)
    return metrics.horizontalAdvance(said)


RADIUS = 4.0


def add_shape(path: QPainterPath, shape: str, x: float, y: float, radius: float = RADIUS) -> None:
    """Add the outline of a shape around a point."""
    if shape == "circles":
        path.addEllipse(QPointF(x, y), radius, radius)
    elif shape == "squares":
        path.addRect(x - 0.9 * radius, y - 0.9 * radius, 1.8 * radius, 1.8 * radius)
    elif shape == "triangles":
        corners = [(math.sin(turn), -math.cos(turn)) for turn in (0.0, 2 * math.pi / 3, 4 * math.pi / 3)]
        path.addPolygon(QPolygonF([QPointF(x + 1.2 * radius * u, y + 1.2 * radius * v) for u, v in corners]))
        path.closeSubpath()


def draw_cross(painter: QPainter, at: QPointF, reach: float) -> None:
    """Draw a cross with the pen that the painter has: where a lane has ended."""
    for rise in (-reach, reach):
        painter.drawLine(at + QPointF(-reach, rise), at + QPointF(reach, -rise))


def draw_shape(painter: QPainter, shape: str, at: QPointF, line: QColor, inside: QColor) -> None:
    """Draw a shape in swatches, where it stands for all those along the curve."""
    path = QPainterPath()
    add_shape(path, shape, at.x(), at.y())
    painter.setPen(QPen(line, 1.5))
    painter.setBrush(inside)
    painter.drawPath(path)


def draw_sample(painter: QPainter, number: int, room: QRectF, colour: QColor, high: float) -> None:
    """Draw a piece of the curve of a lane's number across a room, `high` pixels thick: so much of it as shows any pattern."""
    for left, right in sample_of(number, room.left(), room.right()):
        painter.fillRect(QRectF(left, room.center().y() - high / 2, right - left, high), colour)


_SIDE = 12.0
_RATIO = 2.0
CUT = 3.2
"""Radius of a shape in a square."""


def swatch(colour: QColor, margin: float = 0.0, shape: str = "") -> QIcon:
    """The square, with `margin` pixels around it, and one of `lane_look.SHAPES` cut out of it."""

    def draw(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(margin, margin, _SIDE, _SIDE), 3, 3)
        path = QPainterPath()
        add_shape(path, shape, margin + _SIDE / 2, margin + _SIDE / 2, CUT)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
        painter.fillPath(path, Qt.GlobalColor.transparent)

    whole = round(_SIDE + 2 * margin)
    return QIcon(drawn(QSize(whole, whole), _RATIO, Qt.GlobalColor.transparent, draw))
