"""Functions that wait for events of the window instead of a fixed time."""

from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

_ITERATIONS = 10
"""Number of event loop iterations in which all consequences of an event are handled. `preserve_scroll_position` in
`ui.widgets.scrolling` needs nine."""


def handle_events() -> None:
    """Handle all posted events and zero timers, and the events and timers that these cause."""
    loop = QEventLoop()

    def iterate(remaining: int) -> None:
        # Zero timers fire in the order of their start, after earlier posted events.
        QTimer.singleShot(0, lambda: iterate(remaining - 1) if remaining else loop.quit())

    iterate(_ITERATIONS)
    loop.exec()


def wait_laid_out(widget: QWidget, qtbot: QtBot) -> None:
    """Wait until the geometry of all visible parts of `widget` is constant."""
    geometries: list[QRect] = []

    def is_constant() -> bool:
        nonlocal geometries
        handle_events()
        parts = (widget, *widget.findChildren(QWidget))
        previous, geometries = geometries, [part.geometry() for part in parts if part.isVisible()]
        return previous == geometries

    qtbot.waitUntil(is_constant)


class _MoveCounter(QObject):
    """Event filter that counts the mouse moves of a widget."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.MouseMove
        return False


def move_pointer(widget: QWidget, position: QPoint) -> None:
    """Move the pointer to a position in the coordinates of `widget`, and deliver the event before returning.

    `QTest.mouseMove` without a pressed button moves the pointer of the X server, which reports the move later.
    """
    counter = _MoveCounter()
    widget.installEventFilter(counter)
    QTest.mouseMove(widget, position)
    widget.removeEventFilter(counter)
    if not counter.count:
        button = Qt.MouseButton.NoButton
        local, global_position = QPointF(position), QPointF(widget.mapToGlobal(position))
        keys = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(
            widget, QMouseEvent(QEvent.Type.MouseMove, local, global_position, button, button, keys)
        )
