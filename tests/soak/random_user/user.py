"""Input events, random choices and log of the random user."""

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from shiboken6 import isValid

from quatviz.app import WindowController
from quatviz.ui.widgets.focus import visible_widget_at

Item = TypeVar("Item")

HISTORY_LENGTH = 50
"""Number of actions in a report."""
_LEFT, _NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class RandomUser:
    """User of the window of `session` with random choices from `seed`.

    Files are written in `folder`. `write_log` is called with a line for each action.
    """

    def __init__(
        self,
        session: WindowController,
        seed: int,
        folder: Path,
        write_log: Callable[[str], object] = lambda line: None,
    ) -> None:
        self.session, self.folder = session, folder
        self.window = session.window
        self._seed = seed
        self.random = random.Random(seed)
        self.action_count = 0
        self.history: deque[str] = deque(maxlen=HISTORY_LENGTH)
        self.count = 0
        self._write_log = write_log
        self._started = time.monotonic()

    def restart(self) -> None:
        """Reset the random choices to those of the start."""
        self.random.seed(self._seed)

    def choose_action(self, actions: Sequence[Item], weights: Sequence[float]) -> Item:
        """Return the next action, chosen at random with these weights."""
        self.action_count += 1
        return self.random.choices(actions, weights)[0]

    def log(self, text: str) -> None:
        """Append the operation that is performed next to the log."""
        self.count += 1
        line = f"{self.count:5d}  {time.monotonic() - self._started:7.2f} s  {text}"
        self.history.append(line)
        self._write_log(line)

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items at random."""
        return self.random.choice(items)

    def random_point(self, widget: QWidget) -> QPoint:
        """Return a random point of a widget."""
        return QPoint(
            self.random.randrange(max(widget.width(), 1)), self.random.randrange(max(widget.height(), 1))
        )

    def widget_at(self, point: QPoint) -> tuple[QWidget, QPoint]:
        """Return the visible widget at a point of the window, and the point in its coordinates."""
        widget = visible_widget_at(self.window, point) or self.window
        return widget, widget.mapFrom(self.window, point)

    def click(self, widget: QWidget, point: QPoint) -> None:
        """Press and release the left button."""
        QTest.mouseClick(widget, _LEFT, _NO_KEY, point)

    def enter(self, entry: QLineEdit, text: str) -> None:
        """Replace the text of a field and press Return."""
        entry.selectAll()
        self.type(entry, text)
        QTest.keyClick(entry, Qt.Key.Key_Return)

    def type(self, widget: QWidget, text: str) -> None:
        """Type a text. `QTest.keyClicks` aborts the process at a character that is not ASCII."""
        for character in text:
            if character.isascii():
                QTest.keyClicks(widget, character)
                continue
            for event_type in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(widget, QKeyEvent(event_type, Qt.Key.Key_unknown, _NO_KEY, character))

    def drag(self, widget: QWidget, start: QPoint, stop: QPoint, key: Qt.KeyboardModifier = _NO_KEY) -> None:
        """Press the left button, move and release it."""
        self._send_mouse(widget, QEvent.Type.MouseButtonPress, start, _LEFT, _LEFT, key)
        for fraction in (0.1, 0.4, 0.7, 1.0):
            between = start + (stop - start) * fraction
            self._send_mouse(widget, QEvent.Type.MouseMove, between, Qt.MouseButton.NoButton, _LEFT, key)
            QApplication.processEvents()
        self._send_mouse(widget, QEvent.Type.MouseButtonRelease, stop, _LEFT, Qt.MouseButton.NoButton, key)

    def wheel(self, widget: QWidget, point: QPoint, notches: int, key: Qt.KeyboardModifier) -> None:
        """Send a wheel event to a widget."""
        event = QWheelEvent(
            *(QPointF(point), QPointF(widget.mapToGlobal(point)), QPoint(), QPoint(0, 120 * notches)),
            *(Qt.MouseButton.NoButton, key, Qt.ScrollPhase.NoScrollPhase, False),
        )
        QApplication.sendEvent(widget, event)

    def trigger_from_menu(self, menu: QMenu, leave_out: Sequence[QAction] = ()) -> None:
        """Trigger a random action of a menu or of its submenus."""
        menu.aboutToShow.emit()
        candidates = [
            action for action in menu.actions() if not action.isSeparator() and action not in leave_out
        ]
        candidates = [action for action in candidates if action.isEnabled()]
        chosen = self.pick(candidates) if candidates else None
        submenu = None if chosen is None else _menu_of(chosen)
        if submenu is not None:
            self.trigger_from_menu(submenu, leave_out)
        elif chosen is not None:
            self.log(f"menu: {chosen.text()}")
            chosen.trigger()
        if isValid(menu):
            menu.aboutToHide.emit()  # clears menus that are filled when they open, which would be a leak

    def _send_mouse(
        self,
        widget: QWidget,
        event_type: QEvent.Type,
        point: QPoint,
        button: Qt.MouseButton,
        buttons: Qt.MouseButton,
        key: Qt.KeyboardModifier,
    ) -> None:
        position = QPointF(point)
        event = QMouseEvent(event_type, position, QPointF(widget.mapToGlobal(point)), button, buttons, key)
        QApplication.sendEvent(widget, event)


def _menu_of(action: QAction) -> QMenu | None:
    """Return the submenu of an action, if any.

    `action.menu()` is not used: PySide makes the Python action the owner of the menu and invalidates the menu with it.
    """
    menus = [widget for widget in QApplication.allWidgets() if isinstance(widget, QMenu)]
    return next((menu for menu in menus if menu.menuAction() is action), None)
