"""Pictures on buttons as vectors: each is a path in a square of 16 by 16, drawn sharp at every scale."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPainterPathStroker, QPolygonF, QTransform


def _polygon(*points: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    return path


def _bar(x: float, width: float) -> QPainterPath:
    path = QPainterPath()
    path.addRect(QRectF(x, 2.5, width, 11))
    return path


def _mirrored(path: QPainterPath) -> QPainterPath:
    return QTransform(-1, 0, 0, 1, 16, 0).map(path)


def _loop() -> QPainterPath:
    """A track with two arrow heads, as outlines of constant width."""
    line = QPainterPath(QPointF(2.5, 8.0))
    line.arcTo(QRectF(2.5, 4.0, 8.0, 8.0), 180, -90)
    line.lineTo(10.5, 4.0)
    half = _stroked(line).united(_polygon((9.8, 1.0), (13.6, 4.0), (9.8, 7.0)))
    return half.united(_turned(half))


def _turned(path: QPainterPath) -> QPainterPath:
    return QTransform().translate(8, 8).rotateRadians(math.pi).translate(-8, -8).map(path)


def _tiles() -> QPainterPath:
    """Panels side by side."""
    path = QPainterPath()
    for x, y, high in ((2.0, 2.0, 7.0), (2.0, 10.5, 3.5), (9.0, 2.0, 3.5), (9.0, 7.0, 7.0)):
        path.addRect(QRectF(x, y, 5.0, high))
    return path


def _cube() -> QPainterPath:
    """A cube from its corner."""
    line = QPainterPath(QPointF(8, 1.8))
    for x, y in ((13.4, 4.9), (13.4, 11.1), (8, 14.2), (2.6, 11.1), (2.6, 4.9), (8, 1.8)):
        line.lineTo(x, y)
    line.moveTo(2.6, 4.9)
    line.lineTo(8, 8)
    line.lineTo(13.4, 4.9)
    line.moveTo(8, 8)
    line.lineTo(8, 14.2)
    return _stroked(line)


def _turn_back() -> QPainterPath:
    """An arrow that bends back to where it came from."""
    line = QPainterPath(QPointF(4.0, 5.0))
    line.lineTo(9.5, 5.0)
    line.arcTo(QRectF(5.5, 5.0, 8.0, 8.0), 90, -180)
    line.lineTo(6.0, 13.0)
    return _stroked(line).united(_polygon((1.5, 5.0), (5.5, 1.8), (5.5, 8.2)))


def _cross() -> QPainterPath:
    line = QPainterPath(QPointF(4, 4))
    line.lineTo(12, 12)
    line.moveTo(12, 4)
    line.lineTo(4, 12)
    return _stroked(line)


def _half_moon() -> QPainterPath:
    """A disc, one half dark and the other light."""
    ring = QPainterPath()
    ring.addEllipse(QRectF(2.5, 2.5, 11, 11))
    half = QPainterPath(QPointF(8, 2.5))
    half.arcTo(QRectF(2.5, 2.5, 11, 11), 90, 180)
    half.closeSubpath()
    return _stroked(ring).united(half)


def _question() -> QPainterPath:
    """A question mark in a ring."""
    line = QPainterPath()
    line.addEllipse(QRectF(1.8, 1.8, 12.4, 12.4))
    line.moveTo(6.0, 6.2)
    line.cubicTo(6.0, 3.6, 10.2, 3.8, 10.0, 6.3)
    line.cubicTo(9.9, 7.6, 8.0, 7.6, 8.0, 9.3)
    dot = QPainterPath()
    dot.addEllipse(QRectF(7.0, 10.6, 2.0, 2.0))
    return _stroked(line).united(dot)


def _stroked(line: QPainterPath) -> QPainterPath:
    stroker = QPainterPathStroker()
    stroker.setWidth(1.6)
    return stroker.createStroke(line)


def paths() -> dict[str, QPainterPath]:
    """Every icon by name."""
    play = _polygon((4, 2), (13.5, 8), (4, 14))
    forward = _polygon((3, 2.5), (10, 8), (3, 13.5)).united(_bar(11, 2))
    to_end = _polygon((1.5, 2.5), (7, 8), (1.5, 13.5))
    to_end = to_end.united(_polygon((7, 2.5), (12.5, 8), (7, 13.5))).united(_bar(12.5, 2))
    return {
        "play": play,
        "backward": _mirrored(play),
        "pause": _bar(3.5, 3).united(_bar(9.5, 3)),
        "forward": forward,
        "back": _mirrored(forward),
        "end": to_end,
        "restart": _mirrored(to_end),
        "loop": _loop(),
        "panels": _tiles(),
        "scene": _cube(),
        "undo": _turn_back(),
        "redo": _mirrored(_turn_back()),
        "remove": _cross(),
        "theme": _half_moon(),
        "help": _question(),
    }
