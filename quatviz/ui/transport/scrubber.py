"""The timeline widget. It shows the cursor, the computed part of the run, markers, and the selected range with its handles."""

import math
from collections.abc import Callable, Collection
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from quatviz.base.formatting import format_fixed, format_time_range, nice_step, tick_decimals, tick_values
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.jump_index import BodyJumps
from quatviz.display.data.redraws import Redraws
from quatviz.display.data.time_drag import RangeDrag
from quatviz.display.document.timeline_markers import (
    EditMarker,
    EventMarker,
    LaneEndMarker,
    Marker,
    event_markers,
    jump_markers,
    lane_end_markers,
    markers_near,
)
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.physics.observables.jumps import ALL_CAUSES, neighboring_time
from quatviz.simulation.commands import RunnerCommand, Seek, SetRange, StepSamples
from quatviz.ui.transport.marker_shapes import draw_marker as draw_mark
from quatviz.ui.widgets.labels import tooltip_text
from quatviz.ui.widgets.painting import draw_pixmap
from quatviz.ui.widgets.style import Themed, tabular_font, tint

_GRIP_HALF_WIDTH, _GRIP_HEIGHT = 3.0, 18.0


HANDLE_RADIUS = 7.0
"""Radius of the handle, and margin at both ends of the track [pixels]."""

TRACK_HEIGHT = 4.0
FAST_STEP = 10
"""Number of samples by which an arrow key with Shift moves the cursor."""

_KEYS_DESCRIPTION = "Time of the run; arrow keys step, page keys jump, Home and End go to its ends."


@lru_cache
def _line_height(theme: Theme) -> float:
    """Return the height of a line of tick labels [pixels]."""
    return QFontMetricsF(tabular_font(theme, theme.small - 1)).height()


class Scrubber(Themed, QWidget):
    """The timeline of a run.

    Click and drag to seek, with Shift to select a range. Arrow keys step by samples, page keys by a tenth of
    the run. A right click opens a menu for the time or event at the mouse.
    """

    menu_requested = Signal(QPoint, float, object)
    """The user asks for a menu. Emitted with the screen position, the time there [s], and the `EventMarker` there or None."""

    def __init__(
        self,
        send: Callable[[RunnerCommand], object],
        sequence: Callable[[], str] = lambda: "321",
        causes: Callable[[], Collection[int]] = lambda: ALL_CAUSES,
        redraws: Redraws | None = None,
    ) -> None:
        """Create the timeline.

        Parameters
        ----------
        send
            Function that receives the commands for the runner.
        sequence
            Function that returns the sequence of Euler angles whose wraps and singularities are marked, or "".
        causes
            Function that returns the causes of the jumps that are marked.
        redraws
            Register of the parts of the window that must be redrawn.
        """
        super().__init__()
        self._redraws = redraws or Redraws()
        self._send, self._sequence, self._causes = send, sequence, causes
        self._time, self._duration, self._computed_to = 0.0, 1.0, 0.0
        self._drawn_positions = [0, 0]
        """Positions of the handle and of the computed end in the last paint, in quarters of a pixel. Smaller movements
        are not repainted, because they are invisible."""
        self._pointer_x: float | None = None
        """Horizontal position of the mouse [pixels], or None."""
        self.range_drag = RangeDrag()
        self.event_markers: list[EventMarker] = []
        self.lane_end_markers: tuple[LaneEndMarker, ...] = ()
        self.edit_markers: tuple[EditMarker, ...] = ()
        self.jumps = BodyJumps()
        self._markers: tuple[Marker, ...] = ()
        self._markers_pixmap = QPixmap()
        """Cached picture of the markers."""
        self._markers_key: object = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Timeline"))
        self.setAccessibleDescription(tr(_KEYS_DESCRIPTION))

    def sizeHint(self) -> QSize:
        return QSize(320, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height)

    @property
    def _height(self) -> int:
        """Height of the timeline [pixels], including the tick labels below the markers."""
        return 40 + 5 * max(self.theme.small - 12, 0) // 2

    def start(self, source: ColumnSource) -> None:
        """Start a run."""
        self.range_drag.sample_interval = source.info.sample_interval
        self.event_markers = event_markers(source.info.events)
        self.jumps.start(source)
        self.setAccessibleDescription(
            " ".join([tr(_KEYS_DESCRIPTION), *(f"{marker.description}." for marker in self.event_markers)])
        )
        self._invalidate_markers()

    def show_frame(self, frame: Frame) -> None:
        if frame.selected != self.range_drag.selected:
            self.range_drag.selected = frame.selected
            self.update()
        state = (frame.time, max(frame.duration, 1e-9), min(frame.reachable_until, frame.duration))
        lane_ends = lane_end_markers(frame)
        jumps_changed = frame.updates_readouts and self.jumps.follow(frame, self._sequence(), self._causes())
        if jumps_changed or (frame.duration, lane_ends) != (self._duration, self.lane_end_markers):
            self.lane_end_markers = lane_ends
            self._invalidate_markers()
        if state != (self._time, self._duration, self._computed_to):
            is_longer = state[1] != self._duration
            self._time, self._duration, self._computed_to = state
            previous, self._drawn_positions = (
                self._drawn_positions,
                [round(4 * self.x_of(time)) for time in (state[0], state[2])],
            )
            if is_longer:
                self.update()
            elif self._drawn_positions != previous:
                self.update(0, 0, self.width(), self._numbers_top)

    def show_edits(self, edits: tuple[EditMarker, ...]) -> None:
        """Show a marker at each time at which the run was edited."""
        self.edit_markers = edits
        self._invalidate_markers()

    def follow_theme(self) -> None:
        super().follow_theme()
        self._invalidate_markers()

    def time_at(self, x: float) -> float:
        """Return the time [s] at the horizontal position `x` [pixels]. It is limited to the times of the run."""
        fraction = (x - HANDLE_RADIUS) / max(self.width() - 2 * HANDLE_RADIUS, 1.0)
        return min(max(fraction, 0.0), 1.0) * self._duration

    def x_of(self, time: float) -> float:
        return HANDLE_RADIUS + time / self._duration * (self.width() - 2 * HANDLE_RADIUS)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            theme, y = self.theme, self.height() / 2 - 5
            self._draw_selected_range(painter, y)
            for end, color in (
                (self._duration, QColor(theme.line)),
                (self._computed_to, tint(theme.muted, theme.line, 0.6)),
                (self._time, QColor(theme.accent)),
            ):
                painter.setBrush(color)
                track = QRectF(
                    HANDLE_RADIUS, y - TRACK_HEIGHT / 2, self.x_of(end) - HANDLE_RADIUS, TRACK_HEIGHT
                )
                painter.drawRoundedRect(track, TRACK_HEIGHT / 2, TRACK_HEIGHT / 2)
            self._draw_markers(painter, y)
            if event.rect().bottom() >= self._numbers_top:
                self._draw_numbers(painter)
            self._draw_range_grips(painter, y)
            self._draw_handle(painter, QPointF(self.x_of(self._time), y))

    def _draw_selected_range(self, painter: QPainter, track_y: float) -> None:
        """Draw the selected range as a tinted area behind the track."""
        if self.range_drag.selected is not None:
            left, right = (self.x_of(end) for end in self.range_drag.selected)
            painter.setBrush(tint(self.theme.accent, self.theme.window, 0.28))
            painter.drawRect(QRectF(left, track_y - _GRIP_HEIGHT / 2, right - left, _GRIP_HEIGHT))

    def _draw_range_grips(self, painter: QPainter, track_y: float) -> None:
        """Draw the handles of the selected range."""
        painter.setPen(QPen(QColor(self.theme.window), 1))
        painter.setBrush(QColor(self.theme.text))
        for end in self.range_drag.selected or ():
            grip_rect = QRectF(
                self.x_of(end) - _GRIP_HALF_WIDTH,
                track_y - _GRIP_HEIGHT / 2,
                2 * _GRIP_HALF_WIDTH,
                _GRIP_HEIGHT,
            )
            painter.drawRoundedRect(grip_rect, _GRIP_HALF_WIDTH, _GRIP_HALF_WIDTH)

    def _draw_handle(self, painter: QPainter, center: QPointF) -> None:
        theme = self.theme
        painter.setBrush(QColor(theme.accent))
        painter.setPen(QPen(QColor(theme.window), 2))
        painter.drawEllipse(center, HANDLE_RADIUS, HANDLE_RADIUS)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.text), 1.5))
            painter.drawEllipse(center, HANDLE_RADIUS - 1, HANDLE_RADIUS - 1)

    @property
    def _small_font(self) -> QFont:
        return tabular_font(self.theme, self.theme.small - 1)

    @property
    def _numbers_top(self) -> int:
        return math.floor(self.height() - _line_height(self.theme) - 1)

    def _draw_numbers(self, painter: QPainter) -> None:
        """Draw the tick labels. The time under the mouse replaces the labels near it."""
        theme, font = self.theme, self._small_font
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        step = nice_step(self._duration, max(2, self.width() // 96))
        label_rects: list[QRectF] = []

        def draw_label(time: float, text: str, color: str) -> None:
            """Draw the label of a time, unless it would overlap a label that was drawn before."""
            box = self._label_rect(metrics, time, text)
            if not any(box.intersects(other) for other in label_rects):
                painter.setPen(QColor(color))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                label_rects.append(box)

        if self._pointer_x is not None and not self.range_drag.is_active:
            time = self.time_at(self._pointer_x)
            draw_label(time, f"{format_fixed(time, max(2, tick_decimals(step) + 1))} s", theme.text)
            x = self.x_of(time)
            painter.drawLine(QPointF(x, self.height() / 2 - 9), QPointF(x, self.height() / 2 - 1))
        if self.range_drag.selected is not None:
            low, high = self.range_drag.selected
            draw_label(
                (low + high) / 2, format_time_range(low, high, self.range_drag.sample_interval), theme.text
            )
        for time in tick_values(0.0, self._duration, step):
            draw_label(time, f"{format_fixed(time, tick_decimals(step))} s", theme.muted)
        painter.setPen(Qt.PenStyle.NoPen)

    def _label_rect(self, metrics: QFontMetricsF, time: float, text: str) -> QRectF:
        half_width = metrics.horizontalAdvance(text) / 2 + GRID_UNIT / 2
        x = min(max(self.x_of(time), half_width), self.width() - half_width)
        return QRectF(x - half_width, self.height() - metrics.height() - 1, 2 * half_width, metrics.height())

    # --- markers

    @property
    def markers(self) -> tuple[Marker, ...]:
        """All markers in the order in which they are drawn. Jumps that are close together share one marker."""
        self._update_markers()
        return self._markers

    def adjacent_marker_time(self, direction: int) -> float | None:
        """Return the time [s] of the next marker (+1) or the previous one (-1), or None. Jumps in a cluster count
        separately."""
        marker_groups = (self.event_markers, self.lane_end_markers, self.edit_markers)
        times = [np.array(sorted(marker.time for marker in group)) for group in marker_groups]
        times = [
            group_times[group_times <= self._duration] for group_times in (*times, *self.jumps.times.values())
        ]
        return neighboring_time(times, self._time, direction, 1e-9 * self._duration)

    def event_marker_at(self, x: float) -> EventMarker | None:
        """Return the event marker at the horizontal position `x` [pixels], or None."""
        nearby = markers_near(self.markers, x, self.x_of)
        return next((marker for marker in nearby if isinstance(marker, EventMarker)), None)

    def tooltip_at(self, x: float) -> str:
        """Return the descriptions of the markers at the horizontal position `x` [pixels], nearest first."""
        return "\n".join(marker.description for marker in markers_near(self.markers, x, self.x_of))

    def _invalidate_markers(self) -> None:
        self._redraws.mark(self, "picture")
        self.update()

    def _update_markers(self) -> None:
        """Collect all markers and their positions again, if one of them has changed."""
        key = (self.x_of(0.0), self.x_of(1.0), self.size(), self.devicePixelRatioF())
        if key != self._markers_key or self._redraws.is_due(self, "picture"):
            self._redraws.clear(self, "picture")
            jumps = jump_markers(self.jumps, self.x_of(1.0) - self.x_of(0.0))
            markers: list[Marker] = [*jumps, *self.edit_markers, *self.event_markers, *self.lane_end_markers]
            self._markers = tuple(marker for marker in markers if marker.time <= self._duration)
            self._markers_key, self._markers_pixmap = key, QPixmap()

    def _draw_markers(self, painter: QPainter, track_y: float) -> None:
        """Draw all markers from a cached picture. The cursor moves in every frame, but the markers rarely change."""
        self._update_markers()
        if self._markers_pixmap.isNull():

            def draw(layer_painter: QPainter) -> None:
                layer_painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                for mark in self._markers:
                    draw_mark(mark, layer_painter, self.theme, self.x_of, track_y)

            self._markers_pixmap = draw_pixmap(
                self.size(), self.devicePixelRatioF(), Qt.GlobalColor.transparent, draw
            )
        painter.drawPixmap(0, 0, self._markers_pixmap)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip_text(self.tooltip_at(event.pos().x())), self)
            return True
        return bool(super().event(event))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        x = event.pos().x() if by_mouse else self.x_of(self._time)
        marker = self.event_marker_at(x)
        point = event.globalPos() if by_mouse else self.mapToGlobal(QPoint(round(x), 0))
        self.menu_requested.emit(point, marker.time if marker else self.time_at(x), marker)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        position, is_below_track = event.position(), event.position().y() > self.height() / 2 - 5
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.range_drag.begin(self.time_at(position.x()))
        elif not self.range_drag.grab(position.x(), self.x_of(self._time), is_below_track, self.x_of):
            self._send(Seek(self.time_at(position.x())))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer_x = event.position().x()
        if self.range_drag.is_active:
            selected = self.range_drag.range_to(self.time_at(self._pointer_x))
            if selected is not None:
                self._send(SetRange(*selected))
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._send(Seek(self.time_at(self._pointer_x)))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.range_drag.end()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer_x = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys for which the window has no action. During a lesson the page keys are left to the lesson."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            samples = FAST_STEP if shift else 1
            self._send(StepSamples(samples if key == Qt.Key.Key_Up else -samples))
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            time = self._time + math.copysign(self._duration / 10, -1 if key == Qt.Key.Key_PageUp else 1)
            self._send(Seek(min(max(time, 0.0), self._duration)))
        else:
            event.ignore()
