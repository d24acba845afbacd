"""The painted parts of a lane's row that can be pressed: its colour, and its name with how it fares."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton

from quatviz.formulations import FORMULATIONS
from quatviz.ui.fonts import tabular
from quatviz.ui.frame import ALIVE, LaneFrame
from quatviz.ui.guard import guarded
from quatviz.ui.lane_look import add_shape, lane_colour, shape_of
from quatviz.ui.swatch import CUT
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

WORDS = {
    "preparing": "preparing…",
    "running": "computing",
    "ok": "complete",
    "singular": "ended: singular",
    "not_finite": "ended: not finite",
    "step_failed": "ended: step failed",
    "no_closed_form": "no closed form",
}


class Part(QAbstractButton):
    """A painted part of the row that can be pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lane: LaneFrame | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_lane(self, lane: LaneFrame) -> None:
        self._lane = lane
        self.update()

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Chip(Part):
    """The lane's colour: full for the body, a ring for a ghost, a thin ring where 3D leaves it out, a stroke where
    it is shown nowhere."""

    def sizeHint(self) -> QSize:
        return QSize(4 * UNIT, 4 * UNIT)

    def show_lane(self, lane: LaneFrame) -> None:
        super().show_lane(lane)
        self.setAccessibleName(tr("How {lane} is shown", lane=lane.name))
        self.setToolTip(tr("Colour, and where this lane is shown"))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lane is None:
            return
        theme, lane, painter = self._theme, self._lane, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, shape = lane_colour(theme, lane.colour), shape_of(lane.colour)
        box = QRectF(2, self.height() / 2 - 6, 12, 12)
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 1.5))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 5, 5)
        if not lane.visible:
            painter.setPen(QPen(colour, 2))
            painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()))
        else:
            thin = 1.0 if not lane.drawn else 2.0
            painter.setPen(QPen(colour, thin))
            painter.setBrush(colour if lane.solid and lane.drawn else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(thin / 2, thin / 2, -thin / 2, -thin / 2), 3, 3)
        if shape:
            path = QPainterPath()
            add_shape(path, shape, box.center().x(), box.center().y(), CUT)
            full = lane.visible and lane.solid and lane.drawn
            painter.fillPath(path, QColor(theme.window) if full else colour)
        painter.end()


class Heading(Part):
    """Name on the left, how it fares on the right; pressed, the lane's details unfold; pressed twice, or with F2, the
    name can be typed."""

    renamed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._opened = False

    def sizeHint(self) -> QSize:
        return QSize(160, 4 * UNIT)

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.click()  # the first click of the two was no wish to unfold
        self.renamed.emit()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.renamed.emit()
        else:
            super().keyPressEvent(event)

    def show_open(self, opened: bool) -> None:
        self._opened = opened
        self.update()

    def show_lane(self, lane: LaneFrame) -> None:
        super().show_lane(lane)
        self.setText(_called(lane))
        self.setAccessibleName(f"{_called(lane)}, {_state(lane)}")
        kind = (tr("the body") if lane.solid else tr("a ghost")) if lane.drawn else tr("not in 3D")
        self.setToolTip(tr("{lane} ({kind}). F2 or a double click renames it.", lane=lane.name, kind=kind))

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lane is None:
            return
        theme, lane, painter = self._theme, self._lane, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = _state(lane)
        small, plain = tabular(theme, theme.small), tabular(theme, theme.normal, QFont.Weight.Medium)
        room = QRectF(0, 0, self.width() - 2 * UNIT, self.height())
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(small)
        painter.setPen(QColor(theme.muted if lane.status in ALIVE else theme.danger))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, state)
        left = room.width() - QFontMetricsF(small).horizontalAdvance(state) - UNIT
        painter.setFont(plain)
        lit = self.hasFocus() or self.underMouse()
        painter.setPen(QColor(theme.accent if lit else theme.text))
        name = QFontMetricsF(plain).elidedText(self.text(), Qt.TextElideMode.ElideMiddle, left)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | middle, name)
        self._paint_arrow(painter, QColor(theme.accent if lit else theme.muted))
        painter.end()

    def _paint_arrow(self, painter: QPainter, colour: QColor) -> None:
        painter.setPen(QPen(colour, 1.5))
        painter.translate(self.width() - 4.0, self.height() / 2)
        painter.rotate(90 if self._opened else 0)
        painter.drawPolyline([QPointF(-2, -4), QPointF(2, 0), QPointF(-2, 4)])


def _called(lane: LaneFrame) -> str:
    """The formulation's title; the lane's own name where a person, or a twin, gave it one."""
    lane_id, number, rest = lane.name.partition(" (")
    return lane.name if lane_id.split("/")[0] not in FORMULATIONS else f"{lane.formulation}{number}{rest}"


def _state(lane: LaneFrame) -> str:
    """What became of it."""
    return tr(WORDS.get(lane.status, lane.status))
