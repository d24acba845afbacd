"""The timeline: the cursor, what is computed, marks, and the selected times with a handle at each end."""

import math
from collections.abc import Callable, Collection

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

from quatviz.base.formatting import decimals_for, fixed, nice_step, range_text, ticks
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source
from quatviz.display.data.jump_index import Jumps
from quatviz.display.data.time_drag import RangeDrag
from quatviz.display.document.timeline_markers import Edit, End, Flag, Mark, ends, flags, marks_at, passages
from quatviz.display.view_state.theme import UNIT
from quatviz.physics.observables.jumps import ALL_CAUSES, time_beside
from quatviz.simulation.commands import Command, Seek, SetRange, Step
from quatviz.ui.transport.marker_shapes import draw as draw_mark
from quatviz.ui.widgets.controls import tip
from quatviz.ui.widgets.painting import drawn
from quatviz.ui.widgets.style import Themed, tabular, tint

_HALF, _HIGH = 3.0, 18.0


HANDLE = 7.0
"""Radius of the handle, and room left for it at both ends."""

TRACK = 4.0
FAST = 10
"""Samples per arrow with shift."""

_KEYS = "Time of the run; arrow keys step, page keys jump, Home and End go to its ends."


class Scrubber(Themed, QWidget):
    """Click and drag to seek, with shift to select times; arrows step by samples, page keys by a tenth of the run; a
    right click offers what can be done at a time, or with the events that happen there."""

    offered = Signal(QPoint, float, object)
    """A place on the screen, the time there [s], and the `Flag` that stands there, or None."""

    def __init__(
        self,
        send: Callable[[Command], object],
        sequence: Callable[[], str] = lambda: "321",
        causes: Callable[[], Collection[int]] = lambda: ALL_CAUSES,
    ) -> None:
        """`send` takes what a person asks for; `sequence` is that of the Euler angles whose wraps and singular passages are
        marked, if any are, and `causes` are those whose jumps are."""
        super().__init__()
        self._send, self._sequence, self._causes = send, sequence, causes
        self._time, self._duration, self._computed = 0.0, 1.0, 0.0
        self._seen = [0, 0]
        """Where the handle and the end of what is computed are, in quarters of a pixel: of less nobody sees anything."""
        self._pointed: float | None = None
        """The pixel under the mouse, whatever time a run has there."""
        self.range = RangeDrag()
        self.flags: list[Flag] = []
        self.ends: tuple[End, ...] = ()
        self.edits: tuple[Edit, ...] = ()
        self.jumps = Jumps()
        self._marks: tuple[Mark, ...] = ()
        self._layer = QPixmap()
        """The marks, drawn once."""
        self._layer_key: object = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Timeline"))
        self.setAccessibleDescription(tr(_KEYS))

    def sizeHint(self) -> QSize:
        return QSize(320, self._high)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._high)

    @property
    def _high(self) -> int:
        """Room for the numbers below the marks."""
        return 40 + 5 * max(self.theme.small - 12, 0) // 2

    def start(self, source: Source) -> None:
        """A run begins."""
        self.range.sample = source.info.sample_interval
        self.flags = flags(source.info.events)
        self.jumps.start(source)
        self.setAccessibleDescription(" ".join([tr(_KEYS), *(f"{flag.said}." for flag in self.flags)]))
        self._renew_marks()

    def show_frame(self, frame: Frame) -> None:
        if frame.selected != self.range.selected:
            self.range.selected = frame.selected
            self.update()
        state = (frame.time, max(frame.duration, 1e-9), min(frame.reach, frame.duration))
        ended = ends(frame)
        moved = self.jumps.follow(frame, self._sequence(), self._causes())
        if moved or (frame.duration, ended) != (self._duration, self.ends):
            self.ends = ended
            self._renew_marks()
        if state != (self._time, self._duration, self._computed):
            longer = state[1] != self._duration
            self._time, self._duration, self._computed = state
            before, self._seen = self._seen, [round(4 * self.x_of(time)) for time in (state[0], state[2])]
            if longer:
                self.update()
            elif self._seen != before:
                self.update(0, 0, self.width(), self._numbers_top)

    def show_edits(self, edits: tuple[Edit, ...]) -> None:
        """Mark where these were made."""
        self.edits = edits
        self._renew_marks()

    def follow_theme(self) -> None:
        super().follow_theme()
        self._renew_marks()

    def time_at(self, x: float) -> float:
        """The time at a pixel, within the run [s]."""
        part = (x - HANDLE) / max(self.width() - 2 * HANDLE, 1.0)
        return min(max(part, 0.0), 1.0) * self._duration

    def x_of(self, time: float) -> float:
        return HANDLE + time / self._duration * (self.width() - 2 * HANDLE)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            theme, y = self.theme, self.height() / 2 - 5
            self._draw_stretch(painter, y)
            for end, colour in (
                (self._duration, QColor(theme.line)),
                (self._computed, tint(theme.muted, theme.line, 0.6)),
                (self._time, QColor(theme.accent)),
            ):
                painter.setBrush(colour)
                track = QRectF(HANDLE, y - TRACK / 2, self.x_of(end) - HANDLE, TRACK)
                painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
            self._lay_marks(painter, y)
            if event.rect().bottom() >= self._numbers_top:
                self._draw_numbers(painter)
            self._draw_ends(painter, y)
            self._draw_handle(painter, QPointF(self.x_of(self._time), y))

    def _draw_stretch(self, painter: QPainter, track: float) -> None:
        """The selected times, a tinted stretch behind the track."""
        if self.range.selected is not None:
            left, right = (self.x_of(end) for end in self.range.selected)
            painter.setBrush(tint(self.theme.accent, self.theme.window, 0.28))
            painter.drawRect(QRectF(left, track - _HIGH / 2, right - left, _HIGH))

    def _draw_ends(self, painter: QPainter, track: float) -> None:
        """Their handles over the track."""
        painter.setPen(QPen(QColor(self.theme.window), 1))
        painter.setBrush(QColor(self.theme.text))
        for end in self.range.selected or ():
            place = QRectF(self.x_of(end) - _HALF, track - _HIGH / 2, 2 * _HALF, _HIGH)
            painter.drawRoundedRect(place, _HALF, _HALF)

    def _draw_handle(self, painter: QPainter, at: QPointF) -> None:
        theme = self.theme
        painter.setBrush(QColor(theme.accent))
        painter.setPen(QPen(QColor(theme.window), 2))
        painter.drawEllipse(at, HANDLE, HANDLE)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.text), 1.5))
            painter.drawEllipse(at, HANDLE - 1, HANDLE - 1)

    @property
    def _small(self) -> QFont:
        return tabular(self.theme, self.theme.small - 1)

    @property
    def _numbers_top(self) -> int:
        return math.floor(self.height() - QFontMetricsF(self._small).height() - 1)

    def _draw_numbers(self, painter: QPainter) -> None:
        """Times below the track, and the time under the mouse in place of those near it."""
        theme, small = self.theme, self._small
        metrics = QFontMetricsF(small)
        painter.setFont(small)
        step = nice_step(self._duration, max(2, self.width() // 96))
        written: list[QRectF] = []

        def write(time: float, text: str, colour: str) -> None:
            """Unless something stands there already."""
            box = self._box(metrics, time, text)
            if not any(box.intersects(other) for other in written):
                painter.setPen(QColor(colour))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                written.append(box)

        if self._pointed is not None and not self.range.goes_on:
            time = self.time_at(self._pointed)
            write(time, f"{fixed(time, max(2, decimals_for(step) + 1))} s", theme.text)
            x = self.x_of(time)
            painter.drawLine(QPointF(x, self.height() / 2 - 9), QPointF(x, self.height() / 2 - 1))
        if self.range.selected is not None:
            low, high = self.range.selected
            write((low + high) / 2, range_text(low, high, self.range.sample), theme.text)
        for time in ticks(0.0, self._duration, step):
            write(time, f"{fixed(time, decimals_for(step))} s", theme.muted)
        painter.setPen(Qt.PenStyle.NoPen)

    def _box(self, metrics: QFontMetricsF, time: float, text: str) -> QRectF:
        half = metrics.horizontalAdvance(text) / 2 + UNIT / 2
        x = min(max(self.x_of(time), half), self.width() - half)
        return QRectF(x - half, self.height() - metrics.height() - 1, 2 * half, metrics.height())

    # Marks

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Everything that is marked, in the order in which it is drawn; jumps that crowd are one mark."""
        self._merge()
        return self._marks

    def mark_beside(self, direction: int) -> float | None:
        """Time of the next mark (+1) or the one before (-1), of whatever kind, each of a crowd by itself [s]."""
        singles = (self.flags, self.ends, self.edits)
        times = [np.array(sorted(mark.time for mark in kind)) for kind in singles]
        times = [one[one <= self._duration] for one in (*times, *self.jumps.times.values())]
        return time_beside(times, self._time, direction, 1e-9 * self._duration)

    def flag_at(self, x: float) -> Flag | None:
        """The flag at a pixel, if there is one."""
        near = marks_at(self.marks, x, self.x_of)
        return next((mark for mark in near if isinstance(mark, Flag)), None)

    def said_at(self, x: float) -> str:
        """What the marks at a pixel say, the nearest one first."""
        return "\n".join(mark.said for mark in marks_at(self.marks, x, self.x_of))

    def _renew_marks(self) -> None:
        self._layer_key = None
        self.update()

    def _merge(self) -> None:
        """Put all marks together where they or their places have changed."""
        key = (self.x_of(0.0), self.x_of(1.0), self.size(), self.devicePixelRatioF())
        if key != self._layer_key:
            jumps = passages(self.jumps, self.x_of(1.0) - self.x_of(0.0))
            found: list[Mark] = [*jumps, *self.edits, *self.flags, *self.ends]
            self._marks = tuple(mark for mark in found if mark.time <= self._duration)
            self._layer_key, self._layer = key, QPixmap()

    def _lay_marks(self, painter: QPainter, track: float) -> None:
        """All marks, from a picture: they change rarely, the cursor in every frame."""
        self._merge()
        if self._layer.isNull():

            def draw(inner: QPainter) -> None:
                inner.setRenderHint(QPainter.RenderHint.Antialiasing)
                for mark in self._marks:
                    draw_mark(mark, inner, self.theme, self.x_of, track)

            self._layer = drawn(self.size(), self.devicePixelRatioF(), Qt.GlobalColor.transparent, draw)
        painter.drawPixmap(0, 0, self._layer)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tip(self.said_at(event.pos().x())), self)
            return True
        return bool(super().event(event))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        x = event.pos().x() if by_mouse else self.x_of(self._time)
        flag = self.flag_at(x)
        point = event.globalPos() if by_mouse else self.mapToGlobal(QPoint(round(x), 0))
        self.offered.emit(point, flag.time if flag else self.time_at(x), flag)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at, below = event.position(), event.position().y() > self.height() / 2 - 5
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.range.begin(self.time_at(at.x()))
        elif not self.range.grab(at.x(), self.x_of(self._time), below, self.x_of):
            self._send(Seek(self.time_at(at.x())))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointed = event.position().x()
        if self.range.goes_on:
            wanted = self.range.to(self.time_at(self._pointed))
            if wanted is not None:
                self._send(SetRange(*wanted))
        elif event.buttons() & Qt.MouseButton.LeftButton:
            self._send(Seek(self.time_at(self._pointed)))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.range.end()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointed = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no act of the window has; page keys are those of a lesson while one is presented."""
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            samples = FAST if shift else 1
            self._send(Step(samples if key == Qt.Key.Key_Up else -samples))
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            time = self._time + math.copysign(self._duration / 10, -1 if key == Qt.Key.Key_PageUp else 1)
            self._send(Seek(min(max(time, 0.0), self._duration)))
        else:
            event.ignore()
