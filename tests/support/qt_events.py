"""Wait for events of the window, not for time: a busy machine handles them late."""

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

_TURNS = 10
"""Turns of the event loop until all that follows from an event is handled: `preserve_scroll_position` in `ui.widgets.scrolling`
takes nine."""


def handle_events() -> None:
    """Handle all events that are posted now, all zero timers that run now, and what these post and start in turn."""
    loop = QEventLoop()

    def turn(remaining: int) -> None:
        # Zero timers fire in the order of their start, after the events that are posted before.
        QTimer.singleShot(0, lambda: turn(remaining - 1) if remaining else loop.quit())

    turn(_TURNS)
    loop.exec()


def wait_laid_out(widget: QWidget, qtbot: QtBot) -> None:
    """Wait until the layout of `widget` is at rest: no visible part of it has moved while events were handled."""
    before: list[QRect] = []

    def is_at_rest() -> bool:
        nonlocal before
        handle_events()
        parts = (widget, *widget.findChildren(QWidget))
        previous, before = before, [part.geometry() for part in parts if part.isVisible()]
        return previous == before

    qtbot.waitUntil(is_at_rest)


class _MoveCounter(QObject):
    """Event filter that counts the mouse moves of a widget."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.MouseMove
        return False


def move_pointer(widget: QWidget, position: QPoint) -> None:
    """Move the pointer to a position (in the coordinates of `widget`), and let the widget be told of it before this returns.

    `QTest.mouseMove` without a pressed button moves the pointer of the X server, which reports it whenever it comes to it.
    """
    counter = _MoveCounter()
    widget.installEventFilter(counter)
    QTest.mouseMove(widget, position)
    widget.removeEventFilter(counter)
    if not counter.count:
        button = Qt.MouseButton.NoButton
        local, everywhere = QPointF(position), QPointF(widget.mapToGlobal(position))
        keys = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(
            widget, QMouseEvent(QEvent.Type.MouseMove, local, everywhere, button, button, keys)
        )
