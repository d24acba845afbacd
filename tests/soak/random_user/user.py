"""Hands, eyes and memory of the random user."""

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

Thing = TypeVar("Thing")

STORY_LENGTH = 50
"""Actions that the story of a fault tells."""
_LEFT, _NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class RandomUser:
    """Acts on the window of `session`, as `seed` says; its files are in `folder`. `tell` hears of each action."""

    def __init__(
        self,
        session: WindowController,
        seed: int,
        folder: Path,
        tell: Callable[[str], object] = lambda words: None,
    ) -> None:
        self.session, self.folder = session, folder
        self.window = session.window
        self._seed = seed
        self.random = random.Random(seed)
        self.action_count = 0
        self.history: deque[str] = deque(maxlen=STORY_LENGTH)
        self.count = 0
        self._tell = tell
        self._started = time.monotonic()

    def restart(self) -> None:
        """From here on the same choices as at the beginning."""
        self.random.seed(self._seed)

    def choose_action(self, actions: Sequence[Thing], weights: Sequence[float]) -> Thing:
        """What to do next, of kinds that are done more or less often."""
        self.action_count += 1
        return self.random.choices(actions, weights)[0]

    def log(self, words: str) -> None:
        """Remember what is about to be done."""
        self.count += 1
        line = f"{self.count:5d}  {time.monotonic() - self._started:7.2f} s  {words}"
        self.history.append(line)
        self._tell(line)

    def pick(self, things: Sequence[Thing]) -> Thing:
        """Return one of these at random."""
        return self.random.choice(things)

    def random_point(self, widget: QWidget) -> QPoint:
        """A point within a widget."""
        return QPoint(
            self.random.randrange(max(widget.width(), 1)), self.random.randrange(max(widget.height(), 1))
        )

    def widget_at(self, point: QPoint) -> tuple[QWidget, QPoint]:
        """The widget that is seen at a point of the window, and the point in its own coordinates."""
        widget = visible_widget_at(self.window, point) or self.window
        return widget, widget.mapFrom(self.window, point)

    def click(self, widget: QWidget, point: QPoint) -> None:
        """Press and release the left button."""
        QTest.mouseClick(widget, _LEFT, _NO_KEY, point)

    def enter(self, entry: QLineEdit, text: str) -> None:
        """Type a text in the place of what stands in a field, and Return."""
        entry.selectAll()
        self.type(entry, text)
        QTest.keyClick(entry, Qt.Key.Key_Return)

    def type(self, widget: QWidget, text: str) -> None:
        """Type a text. Qt's own helper ends the process at a letter that no plain keyboard has."""
        for letter in text:
            if letter.isascii():
                QTest.keyClicks(widget, letter)
                continue
            for event_type in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(widget, QKeyEvent(event_type, Qt.Key.Key_unknown, _NO_KEY, letter))

    def drag(self, widget: QWidget, start: QPoint, stop: QPoint, key: Qt.KeyboardModifier = _NO_KEY) -> None:
        """Press the left button, move and release it."""
        self._send_mouse(widget, QEvent.Type.MouseButtonPress, start, _LEFT, _LEFT, key)
        for part in (0.1, 0.4, 0.7, 1.0):
            between = start + (stop - start) * part
            self._send_mouse(widget, QEvent.Type.MouseMove, between, Qt.MouseButton.NoButton, _LEFT, key)
            QApplication.processEvents()
        self._send_mouse(widget, QEvent.Type.MouseButtonRelease, stop, _LEFT, Qt.MouseButton.NoButton, key)

    def wheel(self, widget: QWidget, point: QPoint, notches: int, key: Qt.KeyboardModifier) -> None:
        """Turn the wheel over a widget."""
        event = QWheelEvent(
            *(QPointF(point), QPointF(widget.mapToGlobal(point)), QPoint(), QPoint(0, 120 * notches)),
            *(Qt.MouseButton.NoButton, key, Qt.ScrollPhase.NoScrollPhase, False),
        )
        QApplication.sendEvent(widget, event)

    def trigger_from_menu(self, menu: QMenu, leave_out: Sequence[QAction] = ()) -> None:
        """Trigger something that a menu offers, or one of its menus."""
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
            menu.aboutToHide.emit()  # or what is filled as it opens would be taken for a leak

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
    """The menu that an action opens, if it does. Not by `action.menu()`: that makes Python's action its owner, and when the
    action goes, Python takes the menu with all that is in it for deleted."""
    menus = [widget for widget in QApplication.allWidgets() if isinstance(widget, QMenu)]
    return next((menu for menu in menus if menu.menuAction() is action), None)
