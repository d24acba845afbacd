"""A globe on the board: drawn once and kept, turned by dragging, with the points at the cursor over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QGraphicsSceneMouseEvent,
    QGraphicsSceneResizeEvent,
    QGraphicsWidget,
    QSizePolicy,
    QStyleOptionGraphicsItem,
    QWidget,
)

from quatviz.ui.guard import guarded
from quatviz.ui.plotting.board_view import Allowance
from quatviz.ui.plotting.globe import Gaze, GlobePainter, Picture, Place, near, outline, places
from quatviz.ui.plotting.strip_plot import SLIP
from quatviz.ui.plotting.style import PlotStyle, mixed
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

REACH = 14.0
"""How far from a path, in pixels, a click still means it."""
SAME = 3.0
"""Points of paths that are this many pixels apart are at one place."""
BACK = 4.0
"""By how many pixels what is on the far side counts as farther away."""
SPOT, LEAST_SPOT = 6.5, 2.5
"""Radii of the points at the cursor, from the first lane to the last: where lanes agree, all are seen."""
LEAST = 150.0
"""Height in pixels that words must leave to the globe."""
_WRAPPED = Qt.TextFlag.TextWordWrap
_ARM = 4.0

large_numbers = np.errstate(over="ignore", invalid="ignore", divide="ignore")
"""A lane that is about to end has numbers whose squares no float holds: globes leave them out."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A lane at the cursor: a point (3,) in radii, on which globe, and what is said of it."""

    colour: int
    point: np.ndarray
    text: str
    globe: int = 0
    ended: bool = False
    """Whether the lane ended before: a cross where it did, and no numbers."""


class GlobeItem(QGraphicsWidget):
    """Draws a picture once and keeps it; the points at the cursor are drawn over it."""

    def __init__(self, allowance: Allowance, style: PlotStyle) -> None:
        super().__init__()
        self._allowance, self._style = allowance, style
        self.seek: Callable[[float], None] = lambda time: None
        self.offer: Callable[[QPoint], None] = lambda point: None
        self.report: Callable[[Exception], None] = lambda error: None
        self.gaze = Gaze()
        self.picture = Picture()
        self.words = ""
        """What is seen, in plain words, below it where there is room."""
        self.spots: list[Spot] = []
        self._outline: np.ndarray | None = None
        self._drawn = QPixmap()
        self._stale = True
        self._places: tuple[Place, ...] = ()
        self._painted: list[QRectF] = []
        self._told: list[tuple[str, int | None]] = []
        self._time = 0.0
        self._pressed = QPointF()
        self._turning = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(64)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(tr("Drag to turn, double-click to turn back, click a path to go to its time"))

    # The panel's side

    def take(self, picture: Picture, words: str) -> None:
        """Show another picture."""
        self.picture, self.words = picture, words
        self._renew()

    def point(self, time: float, spots: list[Spot], outline: np.ndarray | None) -> None:
        """Put the cursor's points there."""
        self._time, self.spots, self._outline = time, spots, outline

    def restyle(self, style: PlotStyle) -> None:
        self._style = style
        self._renew()

    @large_numbers
    def dirty(self) -> list[QRectF]:
        """What a repaint has to renew, in item coordinates."""
        if self._stale:
            return [self.rect()]
        told = [self._foot] if self._said() != self._told else []
        if self._outline is not None:
            return [place.box for place in self.places] + told
        return [*self._painted, *self._boxes(), *told]

    @property
    def places(self) -> tuple[Place, ...]:
        if not self._places:
            room = QRectF(self.rect().topLeft(), self._foot.topRight())
            self._places = places(room, self.picture.captions, self._style.small_metrics.height(), self.gaze)
        return self._places

    @large_numbers
    def time_near(self, pixel: QPointF) -> float | None:
        """The time of the nearest path within reach; of several turns that pass there, that nearest to the cursor."""
        found: list[tuple[float, float]] = []
        for globe, place in enumerate(self.places):
            for path in self.picture.paths:
                away = np.hypot(*(place.project(path.points) - (pixel.x(), pixel.y())).T)
                away = away + np.where(near(self.picture, path.points, place), 0.0, BACK)
                away[(path.globes != globe) | ~np.isfinite(away)] = np.inf
                least = min(REACH, float(away.min(initial=np.inf)) + SAME)
                there = np.flatnonzero(away <= least)
                found += zip(away[there].tolist(), path.times[there].tolist(), strict=True)
        if not found:
            return None
        least = min(away for away, _ in found) + SAME
        return min((time for away, time in found if away <= least), key=lambda time: abs(time - self._time))

    def turn(self, right: float, down: float) -> None:
        """Turn the globe by a drag of so many pixels."""
        radius = self.places[0].radius
        self.gaze = self.gaze.turned(right / radius, down / radius)
        self._renew()

    # Qt's side

    @guarded
    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self._pressed, self._turning = event.pos(), False
        if event.button() == Qt.MouseButton.RightButton:
            self.offer(event.screenPos())

    @guarded
    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        moved = (event.pos() - self._pressed).manhattanLength()
        if not event.buttons() & Qt.MouseButton.LeftButton or (moved <= SLIP and not self._turning):
            return
        step = event.pos() - (event.lastPos() if self._turning else self._pressed)
        self._turning = True
        self.turn(step.x(), step.y())

    @guarded
    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if self._turning:
            self._turning = False
            self._renew()
            return
        if event.button() != Qt.MouseButton.LeftButton:
            return
        time = self.time_near(event.pos())
        if time is not None:
            self.seek(time)

    @guarded
    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self.gaze = Gaze()
        self._renew()

    @guarded
    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        self._renew()

    @guarded
    @large_numbers
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        try:
            if self._stale and (self._drawn.isNull() or self._allowance.take(self)):
                self._draw(painter.device().devicePixelRatioF())
            painter.drawPixmap(0, 0, self._drawn)
            self._draw_cursor(painter)
        except Exception as error:
            self.report(error)

    # Drawing

    @property
    def _foot(self) -> QRectF:
        """The line below the globe, for numbers."""
        high = self._style.normal_metrics.height() + UNIT / 2
        return QRectF(0.0, self.rect().bottom() - self._told_high - high, self.rect().width(), high)

    @property
    def _told_high(self) -> float:
        """Height of the words, 0 where they would leave too little of the globe."""
        style = self._style
        room = QRectF(0.0, 0.0, max(self.rect().width() - style.gutter - style.margin, 1.0), 1e6)
        high = style.small_metrics.boundingRect(room, _WRAPPED, self.words).height() + UNIT / 2
        return high if self.words and self.rect().height() > high + LEAST else 0.0

    def _renew(self) -> None:
        self._stale, self._places = True, ()
        self.update()

    def _said(self) -> list[tuple[str, int | None]]:
        """The numbers of all lanes with their colours, once where they agree."""
        alive = [spot for spot in self.spots if not spot.ended]
        if len({spot.text for spot in alive}) == 1:
            return [(alive[0].text, None)]
        return [(spot.text, spot.colour) for spot in alive]

    def _draw(self, ratio: float) -> None:
        size = self.rect().size().toSize()
        drawn = QPixmap(size * ratio)
        drawn.setDevicePixelRatio(ratio)
        drawn.fill(self._style.ground)
        inner = QPainter(drawn)
        try:
            GlobePainter(inner, self._style, self.picture, hasty=self._turning).paint(self.places)
            if self._told_high:
                inner.setFont(self._style.small)
                inner.setPen(self._style.muted)
                room = self.rect().adjusted(self._style.gutter, 0, -self._style.margin, 0)
                room.setTop(self._foot.bottom())
                inner.drawText(room, _WRAPPED, self.words)
        finally:
            inner.end()  # a painter that outlives its picture, in a traceback, ends the process
        self._drawn, self._stale = drawn, False

    def _draw_cursor(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._outline is not None:
            painter.setPen(QPen(mixed(self._style.theme.text, self._style.theme.surface, 0.6), 1.2))
            for place in self.places:
                painter.drawPolygon(outline(place, self._outline))
        self._painted = self._boxes()
        for (spot, place, size), box in zip(self._placed(), self._painted, strict=True):
            colour = self._style.lane(spot.colour)
            front = bool(near(self.picture, spot.point[None], place)[0])
            if spot.ended:
                _cross(painter, box.center(), colour)
                continue
            painter.setPen(QPen(self._style.ground if front and size == SPOT else colour, 1.2))
            painter.setBrush(colour if front else self._style.ground)
            painter.drawEllipse(box.center(), size, size)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._told = self._said()
        self._write(painter, self._told)

    def _write(self, painter: QPainter, said: list[tuple[str, int | None]]) -> None:
        style, foot = self._style, self._foot
        x, baseline = float(style.gutter), foot.bottom() - style.normal_metrics.descent() - UNIT / 4
        painter.setFont(style.normal)
        for number, (text, colour) in enumerate(said):
            room = foot.right() - style.margin - x
            wide = style.width(style.normal_metrics, text)
            if number and wide > room:
                painter.setPen(style.muted)
                painter.drawText(QPointF(x, baseline), "…")
                return
            painter.setPen(style.text if colour is None else style.lane(colour))
            painter.drawText(QPointF(x, baseline), text)
            x += wide + 2 * UNIT

    def _placed(self) -> list[tuple[Spot, Place, float]]:
        """The points that can be drawn, the globes they are on, and their radii."""
        places = self.places
        step = (SPOT - LEAST_SPOT) / max(len(self.spots) - 1, 1.5)
        return [
            (spot, places[spot.globe], SPOT - number * step)
            for number, spot in enumerate(self.spots)
            if spot.globe < len(places) and bool(np.isfinite(spot.point).all())
        ]

    def _boxes(self) -> list[QRectF]:
        boxes = []
        for spot, place, size in self._placed():
            x, y = place.project(spot.point)
            reach = max(size, _ARM) + 2.0
            boxes.append(QRectF(x - reach, y - reach, 2 * reach, 2 * reach))
        return boxes


def _cross(painter: QPainter, at: QPointF, colour: QColor) -> None:
    painter.setPen(QPen(colour, 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for side in (-_ARM, _ARM):
        painter.drawLine(at + QPointF(-_ARM, -side), at + QPointF(_ARM, side))
