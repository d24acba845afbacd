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
    stroker = QPainterPathStroker()
    stroker.setWidth(1.6)
    half = stroker.createStroke(line).united(_polygon((9.8, 1.0), (13.6, 4.0), (9.8, 7.0)))
    return half.united(_turned(half))


def _turned(path: QPainterPath) -> QPainterPath:
    return QTransform().translate(8, 8).rotateRadians(math.pi).translate(-8, -8).map(path)


def _tiles() -> QPainterPath:
    """Panels side by side."""
    path = QPainterPath()
    for x, y, high in ((2.0, 2.0, 7.0), (2.0, 10.5, 3.5), (9.0, 2.0, 3.5), (9.0, 7.0, 7.0)):
        path.addRect(QRectF(x, y, 5.0, high))
    return path


def paths() -> dict[str, QPainterPath]:
    """Every icon by name."""
    play = _polygon((4, 2), (13.5, 8), (4, 14))
    forward = _polygon((3, 2.5), (10, 8), (3, 13.5)).united(_bar(11, 2))
    to_end = _polygon((1.5, 2.5), (7, 8), (1.5, 13.5))
    to_end = to_end.united(_polygon((7, 2.5), (12.5, 8), (7, 13.5))).united(_bar(12.5, 2))
    return {
        "play": play,
        "pause": _bar(3.5, 3).united(_bar(9.5, 3)),
        "forward": forward,
        "back": _mirrored(forward),
        "end": to_end,
        "restart": _mirrored(to_end),
        "loop": _loop(),
        "panels": _tiles(),
    }
