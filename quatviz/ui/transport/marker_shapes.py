"""Shapes of the markers on the timeline."""

from functools import singledispatch

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from quatviz.display.document.timeline_markers import (
    EditMarker,
    EventMarker,
    JumpMarker,
    LaneEndMarker,
    Marker,
    TimeToPixel,
)
from quatviz.display.view_state.line_styles import lane_color
from quatviz.display.view_state.theme import Theme
from quatviz.physics.observables.jumps import FLIP, SINGULAR, WRAP
from quatviz.ui.widgets.painting import draw_cross

_EDIT_HALF = 4.0
_FLAG_HALF = 5.0
_FLAG_HEIGHT = 8.0
_END_HALF = 3.5
_JUMP_OFFSET = 7.5
"""Distance of jump markers below the center line of the track [pixels]."""


@singledispatch
def draw_marker(marker: Marker, painter: QPainter, theme: Theme, x_of: TimeToPixel, track_y: float) -> None:
    """Draw a marker on the track, whose center line is at `track_y` [pixels]."""
    raise NotImplementedError


@draw_marker.register
def _(mark: EditMarker, painter: QPainter, theme: Theme, x_of: TimeToPixel, track: float) -> None:
    """Draw an open diamond above the track."""
    x, y = x_of(mark.time), track - _EDIT_HALF - 5
    painter.setPen(QPen(QColor(theme.text), 1.5))
    painter.setBrush(QColor(theme.window))
    corners = [(0.0, -_EDIT_HALF), (_EDIT_HALF, 0.0), (0.0, _EDIT_HALF), (-_EDIT_HALF, 0.0)]
    painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))


@draw_marker.register
def _(mark: EventMarker, painter: QPainter, theme: Theme, x_of: TimeToPixel, track: float) -> None:
    """Draw a small flag above the track and a notch in it."""
    x, top = x_of(mark.time), track - _FLAG_HEIGHT - 5
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent))
    painter.drawPolygon(
        QPolygonF(
            [QPointF(x - _FLAG_HALF, top), QPointF(x + _FLAG_HALF, top), QPointF(x, top + _FLAG_HEIGHT)]
        )
    )
    painter.setBrush(QColor(theme.window))
    painter.drawRect(QRectF(x - 1, track - 3, 2, 6))


@draw_marker.register
def _(mark: LaneEndMarker, painter: QPainter, theme: Theme, x_of: TimeToPixel, track: float) -> None:
    """Draw a cross in the lane's color on the track, with an outline."""
    x = x_of(mark.time)
    for color, width in ((QColor(theme.window), 5.0), (QColor(lane_color(theme, mark.color)), 2.0)):
        painter.setPen(QPen(color, width))
        draw_cross(painter, QPointF(x, track), _END_HALF)


@draw_marker.register
def _(mark: JumpMarker, painter: QPainter, theme: Theme, x_of: TimeToPixel, track: float) -> None:
    """Draw a marker for a jump.

    A flip of the sign of p is a diamond on the track, a wrap a tick below the track, and a singularity a dot below it. A
    cluster is a dotted bar. Wraps and singularities are below the track, because they may coincide with flips.
    """
    x, right, y = x_of(mark.time), x_of(mark.last), track + (0.0 if mark.cause == FLIP else _JUMP_OFFSET)
    color = QColor({WRAP: theme.muted, FLIP: theme.text, SINGULAR: theme.danger}[mark.cause])
    if right - x > 1.0:
        painter.setPen(QPen(color, 2.0, Qt.PenStyle.DotLine, Qt.PenCapStyle.FlatCap))
        painter.drawLine(QLineF(x, y, right, y))
    for at in (x, right) if mark.count > 1 else (x,):
        _draw_jump(painter, color, QColor(theme.window), mark.cause, at, y)


def _draw_jump(painter: QPainter, color: QColor, background: QColor, cause: int, x: float, y: float) -> None:
    painter.setPen(QPen(color, 2.0) if cause == WRAP else QPen(background, 1.0))
    painter.setBrush(color)
    if cause == WRAP:
        x = round(x)
        painter.drawLine(QLineF(x, y - 2.5, x, y + 2.5))
    elif cause == FLIP:
        corners = [QPointF(x, y - 5), QPointF(x + 5, y), QPointF(x, y + 5), QPointF(x - 5, y)]
        painter.drawPolygon(QPolygonF(corners))
    else:
        painter.drawEllipse(QPointF(x, y), 3.5, 3.5)
