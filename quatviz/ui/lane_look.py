"""How lanes are told apart: by colour, and where a theme has no more colours by shapes along the curve as well.

Dashes would do it too, but they leave gaps where curves part, and Qt draws them slowly.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from quatviz.ui.theme import DARK, Theme

COUNT = len(DARK.lanes)
"""Colours of every theme. Lane k and lane k + COUNT have the same one."""

SHAPES = ("", "circles", "squares", "triangles")
"""What the first `COUNT` lanes have on their curves, the next ones, and so on."""

GLYPHS = dict(zip(SHAPES, ("", "○", "□", "△"), strict=True))
"""What stands for a shape where a lane's name is written."""

RADIUS = 4.0


def lane_colour(theme: Theme, number: int) -> QColor:
    """The colour of a lane's number."""
    return QColor(theme.lanes[number % COUNT])


def shape_of(number: int) -> str:
    """What stands along the curves of a lane's number."""
    return SHAPES[number // COUNT % len(SHAPES)]


def lane_text(name: str, number: int) -> str:
    """A lane's name, behind the shape of its curves if it has one: colour alone would not tell it."""
    glyph = GLYPHS[shape_of(number)]
    return f"{glyph} {name}" if glyph else name


def lane_line(theme: Theme, name: str, number: int) -> tuple[str, str]:
    """A lane's name and its colour, for words in the 3D view."""
    return lane_text(name, number), lane_colour(theme, number).name()


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


def draw_shape(painter: QPainter, shape: str, at: QPointF, line: QColor, inside: QColor) -> None:
    """Draw a shape in swatches, where it stands for all those along the curve."""
    path = QPainterPath()
    add_shape(path, shape, at.x(), at.y())
    painter.setPen(QPen(line, 1.5))
    painter.setBrush(inside)
    painter.drawPath(path)
