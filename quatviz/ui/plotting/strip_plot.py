"""One plot of a panel: curves over time, drawn once into a picture, with the cursor laid over it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QLineF, QPoint, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QGraphicsSceneHoverEvent,
    QGraphicsSceneMouseEvent,
    QGraphicsSceneResizeEvent,
    QGraphicsSceneWheelEvent,
    QGraphicsWidget,
    QSizePolicy,
    QStyleOptionGraphicsItem,
    QWidget,
)

from quatviz.ui.guard import guarded
from quatviz.ui.plotting.backdrop import Backdrop
from quatviz.ui.plotting.cursor_dots import draw_dots
from quatviz.ui.plotting.curves import Trace, fill_parts, paths, stroke
from quatviz.ui.plotting.marks import Mark, draw_band, draw_ends, draw_events, draw_marks, marks, write
from quatviz.ui.plotting.old_curves import Old, draw_old
from quatviz.ui.plotting.range_band import draw_range
from quatviz.ui.plotting.repaints import repaint_items
from quatviz.ui.plotting.scales import Scale
from quatviz.ui.plotting.strip_header import StripHeader
from quatviz.ui.plotting.strip_picture import StripPicture
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import UNIT

INSET = 3
"""Pixels kept free above and below the range, so that a curve along its end is seen whole."""

NEAR = 5
"""Pixels at which a mark is pointed at."""

CURSOR = 8
"""Pixels to either side of the cursor that its line and the largest dot can reach."""

SLIP = 4
"""Pixels that a click may move without being a drag."""


class StripPlot(QGraphicsWidget):
    """Axis, curves, cursor and numbers of one strip. Whoever shows it repaints the view after each `show`.

    Only a change of data, range, size or theme draws the curves anew; a moving cursor costs one copy of the
    finished picture, a line, and the numbers.
    """

    def __init__(self, axis: TimeAxis, style: PlotStyle, scale: Scale, symbol: str, unit: str) -> None:
        super().__init__()
        self.axis = axis
        self.y_scale = scale
        self.traces: list[Trace] = []
        self.old: Old = []
        self.waiting = 0
        """Frames since rows came that the picture does not show yet."""
        self.header = StripHeader(style, symbol, unit)
        self.seek: Callable[[float], None] = lambda time: None
        self.offer: Callable[[QPoint], None] = lambda point: None
        """Called with a place on the screen where a person asks what can be done here."""
        self.weight = 1.0
        self.band: float | None = None
        """Half the width of the band about zero that means danger."""
        self.quiet = False
        """Whether words of marks wait until they are pointed at, because another strip has them."""
        self.on_fault: Callable[[Exception], None] = lambda error: None
        self._style = style
        self._time = 0.0
        self._painted_at = 0.0
        self._picture, self._backdrop = StripPicture(axis), Backdrop(style)
        self._laid_low = math.nan
        """Where the axis began when it was painted last [s]."""
        self._coarse = False
        """Whether the picture shows the curves coarsely."""
        self.bare = False
        """Whether the picture has no curves yet: they come with the next repaint."""
        self._grabbed = Qt.MouseButton.NoButton
        self._moved = False
        self._before_press = 0.0
        self._drawn_to = -math.inf
        """Up to where the curves were computed when they were drawn [s]."""
        self._marks: list[Mark] = []
        self._told: list[Mark] = []
        """Those of the marks whose words are there without pointing at them."""
        self.setAcceptHoverEvents(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(style.least)
        self._measure()
        axis.changed.connect(self._roll)

    def detach(self) -> None:
        """Stop listening to the shared axis, and let go of the curves: their lanes would stay for as long as Qt keeps it."""
        self.traces, self.old = [], []
        self.axis.changed.disconnect(self._roll)

    @property
    def area(self) -> QRectF:
        """Where the curves are, in item pixels."""
        return self._area

    @property
    def sums(self) -> bool:
        """Whether it shows one lane's value with the parts that it is the sum of."""
        return any(trace.part for trace in self.traces)

    def _measure(self) -> None:
        size, style = self.size(), self._style
        width = max(math.floor(size.width()) - style.gutter - style.margin, 1)
        height = max(math.floor(size.height()) - style.header - 4, 1)
        self._area = QRectF(style.gutter, style.header, width, height)

    @guarded
    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:
        self._measure()
        self.invalidate()

    @property
    def curve_area(self) -> QRectF:
        return self.area.adjusted(0, INSET, 0, -INSET)

    def invalidate(self) -> None:
        """Nothing of the picture can be used any more."""
        self._picture.drop()
        self.renew()
        self.update()

    def _roll(self) -> None:
        if not self._picture.roll():
            self._picture.drop()
            self.renew()
            repaint_items([self])  # an update through Qt would make the view look where all items stand

    def restyle(self, style: PlotStyle) -> None:
        self._style = self.header.style = self._backdrop.style = style
        self.setMinimumHeight(style.least)
        self._measure()
        self.invalidate()

    def show_time(self, time: float, grown: bool, fresh: bool = True) -> None:
        """Put the cursor at `time`; `grown` says that the series have new rows, `fresh` that digits may change."""
        self._time = time
        if fresh:
            self.header.time = time
            self.header.stale = True
        if self._coarse and not self.axis.coarse:
            self.waiting += 1
        if not grown:
            return
        if self.fit_range():
            self.renew()
        elif self._drawn_to < self.axis.high:
            self.waiting += 1

    def show_ends(self, ended: set[str]) -> None:
        """Mark the ends of these lanes."""
        for trace in self.traces:
            if not trace.part and trace.ended != (trace.lane in ended):
                trace.ended = trace.lane in ended
                self.renew()

    def renew(self) -> None:
        """Draw the curves anew with the next repaint that has time for it."""
        self._picture.outdated = True
        self.header.stale = True
        self.waiting = 0

    def dirty(self) -> list[QRectF]:
        """What has to be painted anew, in item coordinates: all, the numbers, or what the axis has rolled on."""
        if self._picture.lost or self._picture.outdated:
            return [self.rect()]
        area, rects = self.area, []
        if self.header.stale:
            rects.append(QRectF(area.left(), 0.0, area.width() + 1, area.top()))
        if self._laid_low != self.axis.low:
            rects.append(area.adjusted(0, 0, 1, 0))
        return rects

    def moved(self) -> list[QRectF]:
        """Where the cursor was painted last, and where it is, in item coordinates."""
        area = self.area
        return [
            QRectF(x - CURSOR, area.top() - CURSOR, 2 * CURSOR, area.height() + 2 * CURSOR)
            for x in (self._painted_at, self.x_of(self._time))
        ]

    def fit_range(self) -> bool:
        """Widen the range to what the series hold; true where it changed."""
        changed = False
        for trace in (*self.traces, *(before for _, before in self.old)):
            series, number = trace.series, trace.component
            sizes = np.fmax(np.abs(series.least), np.abs(series.greatest))
            reference = float(np.fmax.reduce(sizes)) if len(sizes) else 0.0
            changed |= self.y_scale.cover(
                float(series.least[number]),
                float(series.greatest[number]),
                float(series.least_positive[number]),
                0.0 if math.isnan(reference) else reference,
            )
        if self.band is not None and not self.y_scale.empty:
            changed |= self.y_scale.cover(-self.band, self.band, math.nan, 0.0)
        if self.sums and not self.y_scale.empty:
            changed |= self.y_scale.cover(0.0, 0.0, math.nan, 0.0)  # areas stand on zero
        return changed

    def time_at(self, x: float) -> float:
        """The time at an item coordinate, within the run."""
        area = self.area
        time = self.axis.low + (x - area.left()) / area.width() * self.axis.span
        return min(max(time, 0.0), self.axis.duration)

    def x_of(self, time: float) -> float:
        area = self.area
        return area.left() + (time - self.axis.low) / self.axis.span * area.width()

    # Drawing

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        try:
            if widget is None:
                self._draw_static(painter)  # into a figure: vectors, not a picture of them
                self.header.draw(painter, self.area, self.traces, self.y_scale)
            else:
                ratio = widget.devicePixelRatioF()
                self._lay_picture(painter, ratio)
                self.header.lay(painter, ratio, self.area, self.traces, self.y_scale)
            if widget is None:
                self._draw_over(painter)
        except Exception as error:
            self.on_fault(error)

    def draw_moving(self, painter: QPainter) -> None:
        try:
            self._draw_over(painter)
        except Exception as error:
            self.on_fault(error)

    def _draw_over(self, painter: QPainter) -> None:
        told = self.axis.selecting and self._grabbed != Qt.MouseButton.NoButton
        draw_range(painter, self._style, self.axis, self.area, told)
        self._draw_cursor(painter)

    def _lay_picture(self, painter: QPainter, ratio: float) -> None:
        size = QSizeF(math.ceil(self.size().width()), math.ceil(self.size().height()))
        allowance = self.axis.allowance
        if self._picture.lost and not allowance.begin(self):
            self._marks, self.bare = [], True
            self._picture.renew(size, ratio, self._style.ground, True, self._draw_ground)
        else:
            rolled = not allowance.limited and self._picture.shift(self.area.width()) != 0
            wanted = self.bare or rolled or (self._picture.outdated and allowance.take(self))
            self._picture.renew(size, ratio, self._style.ground, wanted, self._draw_static)
        self._picture.lay(painter, self.area, self._style.ground)
        self._laid_low = self.axis.low

    def _draw_ground(self, painter: QPainter, ratio: float | None) -> None:
        self._backdrop.draw(painter, ratio, self.axis, self.y_scale, self.area, self.curve_area)
        draw_events(painter, self._style, self.axis, self.area)
        if self.band is not None and self.traces and not self.y_scale.empty:
            draw_band(painter, self._style, self.y_scale, self.band, self.curve_area)

    def _draw_static(self, painter: QPainter, ratio: float | None = None) -> None:
        """All but what moves, into a picture of `ratio` pixels to a logical one, or as vectors."""
        area = self.area
        coarse = ratio is not None and self.axis.coarse
        if ratio is not None:
            self._coarse, self.bare = coarse, False
            self._drawn_to = min((trace.series.reach for trace in self.traces), default=0.0)
        self._draw_ground(painter, ratio)
        if self.y_scale.empty or not self.traces:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area.adjusted(0, -1, 1, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        width = self._style.theme.curve_width
        fill_parts(painter, self.traces, self.y_scale, self.axis, self.curve_area, coarse)
        draw_old(painter, self.old, self.y_scale, self.axis, self.curve_area)
        lines = paths(self.traces, self.y_scale, self.axis, self.curve_area, coarse)
        # The sum is drawn over the edges of its parts, and what is pointed at over all else.
        order = sorted(
            zip(self.traces, lines, strict=True), key=lambda one: (not one[0].part, one[0].emphasis)
        )
        for trace, path in order:
            stroke(painter, path, trace, width)
        painter.setClipping(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._marks = marks(self.traces, self.y_scale, self.axis, self.curve_area)
        self._told = draw_marks(painter, self._style, self._marks, area, not self.quiet)
        draw_ends(painter, self.traces, self.y_scale, self.axis, self.curve_area)

    def _draw_cursor(self, painter: QPainter) -> None:
        area, axis = self.area, self.axis
        if axis.pointed is not None and axis.low <= axis.pointed <= axis.high:
            x = round(self.x_of(axis.pointed)) + 0.5
            painter.setPen(self._style.hover)
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
            drawn = x - self._picture.shift(area.width())
            for mark in self._marks:
                if mark not in self._told and mark.left - NEAR < drawn < mark.right + NEAR:
                    write(painter, self._style, mark, x + UNIT / 2, area)
        if not axis.low <= self._time <= axis.high:
            return
        x = round(self.x_of(self._time)) + 0.5
        self._painted_at = x
        painter.setPen(self._style.cursor)
        painter.drawLine(QLineF(x, area.top(), x, area.bottom()))
        draw_dots(
            painter, x, self._time, self.traces, self.y_scale, self.curve_area, bool(self.header.symbol)
        )

    # Pointing: left moves the cursor, and with shift selects times; the wheel zooms time, the other buttons drag it, a
    # right click offers what can be done; nothing here moves y.

    @guarded
    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        self._grabbed = event.button()
        self._moved = False
        if event.button() == Qt.MouseButton.LeftButton:
            self._before_press = self._time
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.axis.begin_range(self.time_at(event.pos().x()))
                return
            self.seek(self.time_at(event.pos().x()))

    @guarded
    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if self.axis.selecting:
            self.axis.drag_range(self.time_at(event.pos().x()))
        elif self._grabbed == Qt.MouseButton.LeftButton:
            self.seek(self.time_at(event.pos().x()))
        elif (
            self._moved
            or (event.screenPos() - event.buttonDownScreenPos(self._grabbed)).manhattanLength() > SLIP
        ):
            self._moved = True
            pixels = event.lastPos().x() - event.pos().x()
            self.axis.pan(pixels / self.area.width() * self.axis.span)

    @guarded
    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if self._grabbed == Qt.MouseButton.RightButton and not self._moved:
            self.offer(event.screenPos())
        self._grabbed = Qt.MouseButton.NoButton
        self.axis.end_range()

    @guarded
    def mouseDoubleClickEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        event.accept()
        if event.button() == Qt.MouseButton.LeftButton:
            self.seek(self._before_press)  # the first click of the two was no wish to go there
        self.axis.fit()

    @guarded
    def wheelEvent(self, event: QGraphicsSceneWheelEvent) -> None:
        inside = event.pos().x() >= self.area.left()
        event.setAccepted(inside)  # over its numbers the wheel scrolls the board
        if inside:
            self.axis.zoom(1.2 ** (-event.delta() / 120.0), self.time_at(event.pos().x()))

    @guarded
    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        inside = self.area.left() <= event.pos().x() <= self.area.right()
        self.axis.point(self.time_at(event.pos().x()) if inside else None)

    @guarded
    def hoverLeaveEvent(self, event: QGraphicsSceneHoverEvent) -> None:
        self.axis.point(None)
