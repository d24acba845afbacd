"""A hand on a number: its name, and a slim slider, by which it is dragged."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy

from quatviz.base.formatting import number, number_text
from quatviz.base.parameters import LARGEST, Parameter, dragged_to, span_about
from quatviz.base.translation import tr
from quatviz.display.view_state.theme import UNIT
from quatviz.ui.widgets.controls import Entry, Grasp
from quatviz.ui.widgets.style import Painted, tabular

_KNOB = 4.0
_NEAR = 8.0
"""Pixels from the knob at which a press takes hold of it and does not call it."""
_AWAY = 4
"""Pixels after which a press on a number is a drag, and not the beginning of typing."""
_WIDE = 400.0
"""Pixels of a drag by the name, or the number, for the whole of a slider."""
_CLEAR, _TENTH = 20.0, 100.0
"""Pixels above or below where it was taken from which on a drag is finer, and those that make it ten times so."""
_STEPS = 200.0
"""Steps that a slider has at least: what is dragged has as many digits as that needs."""


class Handle(Painted, Grasp):
    """Stands beside the entry of a number and moves it: by its name, by its slider, and by the number itself as long as nobody
    types there. Ten times as far with Shift, a tenth with Ctrl, as keys have it, and the finer the further the pointer is above
    or below where it took hold; Escape takes it back, a double click types."""

    moved = Signal()
    """A hand has another number in the entry."""
    let_go = Signal()

    def __init__(self, entry: Entry, parameter: Parameter, peers: Sequence[Entry], name: str = "") -> None:
        """`peers` are the entries of the same vector, which share a slider's range. One without a name lies on the lower edge of
        its entry."""
        super().__init__(None if name else entry)
        self.entry, self.name = entry, name
        self.setAccessibleName(tr("Slider: {name}", name=entry.accessibleName()))
        self._parameter, self._peers = parameter, peers
        self._reach = 0.0
        self._within: tuple[float, float] | None = None
        """From where to where a number goes that is not beyond already."""
        self._from: tuple[str, float] | None = None
        """The text as it was when a hand took hold, and the number as it is now, not rounded."""
        self._last, self._pressed_at, self._level, self._fresh = QPointF(), 0.0, 0.0, False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        entry.textChanged.connect(lambda _: self.update())
        entry.installEventFilter(self)

    def take(self, title: QLabel) -> None:
        """Let a label be dragged as its name is."""
        title.setCursor(Qt.CursorShape.SizeHorCursor)
        title.installEventFilter(self)

    def call(self, name: str) -> None:
        """Another name for the same number."""
        if name != self.name:
            self.name = name
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(6 * UNIT, math.ceil(QFontMetricsF(self._font).height()))

    def keep_within(self, low: float, high: float) -> None:
        """Drag it no further than that; a number that was typed beyond goes on as any."""
        self._within = low, high
        self.update()

    @property
    def held(self) -> bool:
        """Whether a hand is at it."""
        return self._from is not None

    @property
    def span(self) -> tuple[float, float]:
        """From where to where its slider runs."""
        value = _dragged(self.entry)
        if self._within is not None and value is not None and self._within[0] <= value <= self._within[1]:
            return self._within
        sizes = [abs(_dragged(entry) or 0.0) for entry in self._peers]
        if self._from is None or not self._reach:
            span = span_about(self._parameter, max(sizes), self._reach)
            self._reach = span[1]
        return span_about(self._parameter, self._reach, self._reach)

    # --- a hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        value = _dragged(self.entry)
        if event.button() != Qt.MouseButton.LeftButton or value is None:
            event.ignore()
            return
        self._hold(value, event)
        left, right = self._track
        x, (low, high) = event.position().x(), self.span
        if x >= left - _KNOB and abs(x - self._x_of(value)) > _NEAR:
            self._put(low + (high - low) * min(max((x - left) / (right - left), 0.0), 1.0), event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        left, right = self._track
        on_track = self._pressed_at >= left - _KNOB
        self._drag(event, right - left if on_track else _WIDE)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._type()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self.entry and kind == QEvent.Type.FocusIn:
            self._fresh = event.reason() == Qt.FocusReason.MouseFocusReason  # type: ignore[attr-defined]
        if watched is self.entry and kind in (QEvent.Type.Enter, QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            typed = self.entry.hasFocus() or _dragged(self.entry) is None
            self.entry.setCursor(Qt.CursorShape.IBeamCursor if typed else Qt.CursorShape.SizeHorCursor)
        if watched is self.entry and kind == QEvent.Type.Resize and not self.name:
            self.setGeometry(0, self.entry.height() - UNIT, self.entry.width(), UNIT)
        if not isinstance(event, QMouseEvent):
            return False
        label, value = watched is not self.entry, _dragged(self.entry)
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._last, self._fresh = event.globalPosition(), self._fresh or label
        elif kind == QEvent.Type.MouseButtonDblClick and label:
            self._type()
        elif kind == QEvent.Type.MouseMove and (self.held or (self._fresh and value is not None)):
            if not self.held:
                if abs(event.globalPosition().x() - self._last.x()) < _AWAY:
                    return True
                self.entry.deselect()
                self._hold(value or 0.0, event, self._last)
            self._drag(event, _WIDE)
            return True
        elif kind == QEvent.Type.MouseButtonRelease:
            was = self.held
            self._end()
            if was and not label:
                self.window().setFocus()  # keys play and pause again
            return was
        return False

    def put_back(self) -> None:
        assert self._from is not None
        self.entry.setText(self._from[0])
        self.moved.emit()
        self._end()

    def _hold(self, value: float, event: QMouseEvent, since: QPointF | None = None) -> None:
        self._last, self._pressed_at = since or event.globalPosition(), event.position().x()
        self._level = self._last.y()
        self.span  # noqa: B018 - it stays as it is now
        self._from = (self.entry.text(), value)
        self.grabKeyboard()
        self.update()

    def _drag(self, event: QMouseEvent, pixels: float) -> None:
        """Move the number by what the pointer has moved, of so many pixels for the whole slider."""
        if self._from is None:
            return
        (low, high), by = self.span, event.globalPosition().x() - self._last.x()
        self._last = event.globalPosition()
        self._put(self._from[1] + by * self._pace(event) * (high - low) / pixels, event)

    def _put(self, value: float, event: QMouseEvent) -> None:
        """Have a number in the entry, as far as it may be, with as many digits as a step needs."""
        assert self._from is not None
        low, high = self.span
        value = min(max(value, low), high) if (low, high) == self._within else value
        value, rounded = dragged_to(
            self._parameter, value, (high - low) / _STEPS * min(self._pace(event), 1.0)
        )
        self._from = (self._from[0], value)
        text = number_text(rounded)
        if text != self.entry.text():
            self.entry.setText(text)
            self.moved.emit()

    def _pace(self, event: QMouseEvent) -> float:
        """How far a drag goes: as keys step, and the less the further the pointer is from where it was taken."""
        keys, away = event.modifiers(), abs(event.globalPosition().y() - self._level)
        shift, ctrl = Qt.KeyboardModifier.ShiftModifier in keys, Qt.KeyboardModifier.ControlModifier in keys
        return 10.0 ** (shift - ctrl - max(away - _CLEAR, 0.0) / _TENTH)

    def _end(self) -> None:
        self._fresh = False
        if self._from is not None:
            self._from = None
            self.releaseKeyboard()
            self.update()
            self.let_go.emit()

    def _type(self) -> None:
        self._end()
        self.entry.setFocus()
        self.entry.selectAll()

    # --- how it looks

    @property
    def _font(self) -> QFont:
        return tabular(self.theme, self.theme.small)

    @property
    def _track(self) -> tuple[float, float]:
        """Where the slider begins and ends [pixels]."""
        beside = QFontMetricsF(self._font).horizontalAdvance(self.name) + UNIT if self.name else 0.0
        return beside + _KNOB, self.width() - _KNOB

    def _x_of(self, value: float) -> float:
        (left, right), (low, high) = self._track, self.span
        return left + (right - left) * min(max((value - low) / (high - low), 0.0), 1.0)

    def draw(self, painter: QPainter) -> None:
        theme, value = self.theme, _dragged(self.entry)
        lit = self.held or self.underMouse()
        if self.name:
            painter.setFont(self._font)
            painter.setPen(QColor(theme.text if lit else theme.muted))
            painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignVCenter, self.name)
        if value is None:
            return
        (left, right), (low, high) = self._track, self.span
        y = self.height() / 2 if self.name else self.height() - 1.5
        x, zero = self._x_of(value), self._x_of(min(max(0.0, low), high))
        if self.name:
            painter.setPen(QPen(QColor(theme.line), 2))
            painter.drawLine(QPointF(left, y), QPointF(right, y))
        painter.setPen(QPen(QColor(theme.accent if lit else theme.muted), 2))
        painter.drawLine(QPointF(zero, y), QPointF(x, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent if lit else theme.muted))
        painter.drawEllipse(QPointF(x, y), _KNOB if lit else _KNOB - 1, _KNOB if lit else _KNOB - 1)


def number_entry(
    text: str, name: str, low: float, high: float, kind: type[int] | type[float] = float
) -> Entry:
    """An entry for a number that is no parameter, such as the width of a figure: its slider runs from `low` to `high`, and dragged
    it is not less."""
    entry = Entry(name)
    entry.show_text(text)
    shown = Parameter(explanation=name, default=None, minimum=low, span=(low, high), kind=kind)
    Handle(entry, shown, [entry])
    return entry


def _dragged(entry: Entry) -> float | None:
    """What can be dragged: a number that is not too large for any parameter."""
    value = number(entry.text().strip())
    return value if value is not None and abs(value) <= LARGEST else None
