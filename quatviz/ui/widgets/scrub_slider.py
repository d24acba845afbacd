"""A slider beside a number entry. The slider, the name and the number itself can be dragged."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy

from quatviz.base.formatting import format_number, parse_number
from quatviz.base.parameters import MAX_MAGNITUDE, Parameter, round_dragged, slider_range
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.ui.widgets.entries import Draggable, LineEntry
from quatviz.ui.widgets.style import PaintedWidget, tabular_font

_KNOB_RADIUS = 4.0
_KNOB_GRAB_DISTANCE = 8.0
"""Distance from the knob within which a press starts to drag the knob [pixels]. A press at a greater distance first
moves the knob to the mouse."""
_DRAG_THRESHOLD = 4
"""Distance [pixels] by which the mouse must move after a press on a number to start a drag. After a smaller movement,
the release starts typing."""
_TEXT_DRAG_LENGTH = 400.0
"""Distance [pixels] by which a drag on the name or the number must move to span the whole slider range."""
_FINE_DRAG_START, _FINE_DRAG_DECADE = 20.0, 100.0
"""Vertical distance from the press at which a drag becomes finer [pixels], and additional distance at which it is ten
times finer [pixels]."""
_MIN_STEPS = 200.0
"""Smallest number of steps in the range of the slider. A dragged number is rounded to the digits of one step."""


class ScrubSlider(PaintedWidget, Draggable):
    """A slider that changes a number. The user drags its name, its track, or the number itself while the entry has no focus.

    With Shift a drag is ten times as fast, with Ctrl a tenth as fast, as with keys. A drag is also slower if the mouse
    is far above or below the press. Escape cancels the drag. A double click starts typing.
    """

    moved = Signal()
    """Emitted when a drag has changed the number in the entry."""
    released = Signal()

    def __init__(
        self, entry: LineEntry, parameter: Parameter, peers: Sequence[LineEntry], name: str = ""
    ) -> None:
        """Create the slider of an entry.

        `peers` are the entries of the same vector, which have a common slider range. A slider without a name is drawn on the
        lower edge of its entry.
        """
        super().__init__(None if name else entry)
        self.entry, self.name = entry, name
        self.setAccessibleName(tr("Slider: {name}", name=entry.accessibleName()))
        self._parameter, self._peers = parameter, peers
        self._drag_magnitude = 0.0
        self._limits: tuple[float, float] | None = None
        """Lower and upper limit of a dragged number. They are ignored if the number is outside them when the drag
        starts."""
        self._drag_state: tuple[str, float] | None = None
        """Text at the start of the drag, and the present value before rounding. None means that there is no drag."""
        self._last_position, self._press_x, self._press_y, self._may_start_drag = QPointF(), 0.0, 0.0, False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        entry.textChanged.connect(lambda _: self.update())
        entry.installEventFilter(self)

    def attach_label(self, label: QLabel) -> None:
        """Let the user drag the number by this label as well."""
        label.setCursor(Qt.CursorShape.SizeHorCursor)
        label.installEventFilter(self)

    def set_name(self, name: str) -> None:
        """Change the displayed name of the number."""
        if name != self.name:
            self.name = name
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(6 * GRID_UNIT, math.ceil(QFontMetricsF(self._font).height()))

    def set_limits(self, low: float, high: float) -> None:
        """Limit dragged numbers to a range. Typed numbers may exceed it."""
        self._limits = low, high
        self.update()

    @property
    def is_dragging(self) -> bool:
        """True during a drag."""
        return self._drag_state is not None

    @property
    def slider_range(self) -> tuple[float, float]:
        """Lower and upper end of the slider for the present number."""
        value = _draggable_value(self.entry)
        if self._limits is not None and value is not None and self._limits[0] <= value <= self._limits[1]:
            return self._limits
        magnitudes = [abs(_draggable_value(entry) or 0.0) for entry in self._peers]
        if self._drag_state is None or not self._drag_magnitude:
            span = slider_range(self._parameter, max(magnitudes), self._drag_magnitude)
            self._drag_magnitude = span[1]
        return slider_range(self._parameter, self._drag_magnitude, self._drag_magnitude)

    # --- dragging

    def mousePressEvent(self, event: QMouseEvent) -> None:
        value = _draggable_value(self.entry)
        if event.button() != Qt.MouseButton.LeftButton or value is None:
            event.ignore()
            return
        self._begin_drag(value, event)
        left, right = self._track
        x, (low, high) = event.position().x(), self.slider_range
        if x >= left - _KNOB_RADIUS and abs(x - self._x_of(value)) > _KNOB_GRAB_DISTANCE:
            self._set_value(low + (high - low) * min(max((x - left) / (right - left), 0.0), 1.0), event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        left, right = self._track
        on_track = self._press_x >= left - _KNOB_RADIUS
        self._continue_drag(event, right - left if on_track else _TEXT_DRAG_LENGTH)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._end_drag()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._start_typing()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        event_type = event.type()
        if watched is self.entry and event_type == QEvent.Type.FocusIn:
            self._may_start_drag = event.reason() == Qt.FocusReason.MouseFocusReason  # type: ignore[attr-defined]
        if watched is self.entry and event_type in (
            QEvent.Type.Enter,
            QEvent.Type.FocusIn,
            QEvent.Type.FocusOut,
        ):
            is_typing = self.entry.hasFocus() or _draggable_value(self.entry) is None
            self.entry.setCursor(Qt.CursorShape.IBeamCursor if is_typing else Qt.CursorShape.SizeHorCursor)
        if watched is self.entry and event_type == QEvent.Type.Resize and not self.name:
            self.setGeometry(0, self.entry.height() - GRID_UNIT, self.entry.width(), GRID_UNIT)
        if not isinstance(event, QMouseEvent):
            return False
        on_label, value = watched is not self.entry, _draggable_value(self.entry)
        if event_type == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._last_position, self._may_start_drag = (
                event.globalPosition(),
                self._may_start_drag or on_label,
            )
        elif event_type == QEvent.Type.MouseButtonDblClick and on_label:
            self._start_typing()
        elif event_type == QEvent.Type.MouseMove and (
            self.is_dragging or (self._may_start_drag and value is not None)
        ):
            if not self.is_dragging:
                if abs(event.globalPosition().x() - self._last_position.x()) < _DRAG_THRESHOLD:
                    return True
                self.entry.deselect()
                self._begin_drag(value or 0.0, event, self._last_position)
            self._continue_drag(event, _TEXT_DRAG_LENGTH)
            return True
        elif event_type == QEvent.Type.MouseButtonRelease:
            was_dragging = self.is_dragging
            self._end_drag()
            if was_dragging and not on_label:
                self.window().setFocus()  # keyboard shortcuts play and pause again
            return was_dragging
        return False

    def cancel_drag(self) -> None:
        assert self._drag_state is not None
        self.entry.setText(self._drag_state[0])
        self.moved.emit()
        self._end_drag()

    def _begin_drag(self, value: float, event: QMouseEvent, press_position: QPointF | None = None) -> None:
        self._last_position, self._press_x = press_position or event.globalPosition(), event.position().x()
        self._press_y = self._last_position.y()
        self.slider_range  # noqa: B018 - fix the range for this drag
        self._drag_state = (self.entry.text(), value)
        self.grabKeyboard()
        self.update()

    def _continue_drag(self, event: QMouseEvent, pixels: float) -> None:
        """Change the number as the mouse moves horizontally. At normal speed, a movement by `pixels` [pixels] covers
        the whole slider range."""
        if self._drag_state is None:
            return
        (low, high), dx = self.slider_range, event.globalPosition().x() - self._last_position.x()
        self._last_position = event.globalPosition()
        self._set_value(self._drag_state[1] + dx * self._drag_speed(event) * (high - low) / pixels, event)

    def _set_value(self, value: float, event: QMouseEvent) -> None:
        """Write a number to the entry, after limiting it and rounding it to the digits of one step."""
        assert self._drag_state is not None
        low, high = self.slider_range
        value = min(max(value, low), high) if (low, high) == self._limits else value
        value, rounded = round_dragged(
            self._parameter, value, (high - low) / _MIN_STEPS * min(self._drag_speed(event), 1.0)
        )
        self._drag_state = (self._drag_state[0], value)
        text = format_number(rounded)
        if text != self.entry.text():
            self.entry.setText(text)
            self.moved.emit()

    def _drag_speed(self, event: QMouseEvent) -> float:
        """Return the speed of a drag relative to the normal speed. It depends on the modifier keys and on the vertical
        distance of the mouse from the press."""
        keys, vertical_distance = event.modifiers(), abs(event.globalPosition().y() - self._press_y)
        shift, ctrl = Qt.KeyboardModifier.ShiftModifier in keys, Qt.KeyboardModifier.ControlModifier in keys
        return 10.0 ** (shift - ctrl - max(vertical_distance - _FINE_DRAG_START, 0.0) / _FINE_DRAG_DECADE)

    def _end_drag(self) -> None:
        self._may_start_drag = False
        if self._drag_state is not None:
            self._drag_state = None
            self.releaseKeyboard()
            self.update()
            self.released.emit()

    def _start_typing(self) -> None:
        self._end_drag()
        self.entry.setFocus()
        self.entry.selectAll()

    # --- painting

    @property
    def _font(self) -> QFont:
        return tabular_font(self.theme, self.theme.small)

    @property
    def _track(self) -> tuple[float, float]:
        """Left and right end of the track [pixels]."""
        name_width = QFontMetricsF(self._font).horizontalAdvance(self.name) + GRID_UNIT if self.name else 0.0
        return name_width + _KNOB_RADIUS, self.width() - _KNOB_RADIUS

    def _x_of(self, value: float) -> float:
        (left, right), (low, high) = self._track, self.slider_range
        return left + (right - left) * min(max((value - low) / (high - low), 0.0), 1.0)

    def draw(self, painter: QPainter) -> None:
        theme, value = self.theme, _draggable_value(self.entry)
        is_highlighted = self.is_dragging or self.underMouse()
        if self.name:
            painter.setFont(self._font)
            painter.setPen(QColor(theme.text if is_highlighted else theme.muted))
            painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignVCenter, self.name)
        if value is None:
            return
        (left, right), (low, high) = self._track, self.slider_range
        y = self.height() / 2 if self.name else self.height() - 1.5
        x, zero = self._x_of(value), self._x_of(min(max(0.0, low), high))
        if self.name:
            painter.setPen(QPen(QColor(theme.line), 2))
            painter.drawLine(QPointF(left, y), QPointF(right, y))
        painter.setPen(QPen(QColor(theme.accent if is_highlighted else theme.muted), 2))
        painter.drawLine(QPointF(zero, y), QPointF(x, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent if is_highlighted else theme.muted))
        painter.drawEllipse(
            QPointF(x, y),
            _KNOB_RADIUS if is_highlighted else _KNOB_RADIUS - 1,
            _KNOB_RADIUS if is_highlighted else _KNOB_RADIUS - 1,
        )


def number_entry(
    text: str, name: str, low: float, high: float, number_type: type[int] | type[float] = float
) -> LineEntry:
    """Return an entry for a number that is not a parameter, such as a figure width.

    The slider runs from `low` to `high`, and a dragged value is not below `low`.
    """
    entry = LineEntry(name)
    entry.show_text(text)
    parameter = Parameter(
        explanation=name, default=None, minimum=low, span=(low, high), value_type=number_type
    )
    ScrubSlider(entry, parameter, [entry])
    return entry


def _draggable_value(entry: LineEntry) -> float | None:
    """Return the number in an entry if it can be dragged. Return None if the text is no number, or the number is too
    large for any parameter."""
    value = parse_number(entry.text().strip())
    return value if value is not None and abs(value) <= MAX_MAGNITUDE else None
