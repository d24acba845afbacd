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

from quatviz.app import Session
from quatviz.ui.widgets.focus import seen_at

Thing = TypeVar("Thing")

REMEMBERED = 50
"""Actions that the story of a fault tells."""
_LEFT, _NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class User:
    """Acts on the window of `session`, as `seed` says; its files are in `folder`. `tell` hears of each action."""

    def __init__(
        self, session: Session, seed: int, folder: Path, tell: Callable[[str], object] = lambda words: None
    ) -> None:
        self.session, self.folder = session, folder
        self.window = session.window
        self._seed = seed
        self.random = random.Random(seed)
        self.acts = 0
        self.story: deque[str] = deque(maxlen=REMEMBERED)
        self.count = 0
        self._tell = tell
        self._began = time.monotonic()

    def begin_anew(self) -> None:
        """From here on the same choices as at the beginning."""
        self.random.seed(self._seed)

    def next_of(self, actions: Sequence[Thing], weights: Sequence[float]) -> Thing:
        """What to do next, of kinds that are done more or less often."""
        self.acts += 1
        return self.random.choices(actions, weights)[0]

    def note(self, words: str) -> None:
        """Remember what is about to be done."""
        self.count += 1
        line = f"{self.count:5d}  {time.monotonic() - self._began:7.2f} s  {words}"
        self.story.append(line)
        self._tell(line)

    def pick(self, things: Sequence[Thing]) -> Thing:
        """One of these."""
        return self.random.choice(things)

    def spot(self, widget: QWidget) -> QPoint:
        """A point within a widget."""
        return QPoint(
            self.random.randrange(max(widget.width(), 1)), self.random.randrange(max(widget.height(), 1))
        )

    def under(self, point: QPoint) -> tuple[QWidget, QPoint]:
        """The widget that is seen at a point of the window, and the point in its own coordinates."""
        widget = seen_at(self.window, point) or self.window
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
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(widget, QKeyEvent(kind, Qt.Key.Key_unknown, _NO_KEY, letter))

    def drag(self, widget: QWidget, start: QPoint, stop: QPoint, key: Qt.KeyboardModifier = _NO_KEY) -> None:
        """Press the left button, move and release it."""
        self._mouse(widget, QEvent.Type.MouseButtonPress, start, _LEFT, _LEFT, key)
        for part in (0.1, 0.4, 0.7, 1.0):
            between = start + (stop - start) * part
            self._mouse(widget, QEvent.Type.MouseMove, between, Qt.MouseButton.NoButton, _LEFT, key)
            QApplication.processEvents()
        self._mouse(widget, QEvent.Type.MouseButtonRelease, stop, _LEFT, Qt.MouseButton.NoButton, key)

    def wheel(self, widget: QWidget, point: QPoint, notches: int, key: Qt.KeyboardModifier) -> None:
        """Turn the wheel over a widget."""
        event = QWheelEvent(
            *(QPointF(point), QPointF(widget.mapToGlobal(point)), QPoint(), QPoint(0, 120 * notches)),
            *(Qt.MouseButton.NoButton, key, Qt.ScrollPhase.NoScrollPhase, False),
        )
        QApplication.sendEvent(widget, event)

    def choose_from(self, menu: QMenu, leave_out: Sequence[QAction] = ()) -> None:
        """Trigger something that a menu offers, or one of its menus."""
        menu.aboutToShow.emit()
        offered = [one for one in menu.actions() if not one.isSeparator() and one not in leave_out]
        offered = [one for one in offered if one.isEnabled()]
        action = self.pick(offered) if offered else None
        deeper = None if action is None else _menu_of(action)
        if deeper is not None:
            self.choose_from(deeper, leave_out)
        elif action is not None:
            self.note(f"menu: {action.text()}")
            action.trigger()
        if isValid(menu):
            menu.aboutToHide.emit()  # or what is filled as it opens would be taken for a leak

    def _mouse(
        self,
        widget: QWidget,
        kind: QEvent.Type,
        point: QPoint,
        button: Qt.MouseButton,
        buttons: Qt.MouseButton,
        key: Qt.KeyboardModifier,
    ) -> None:
        where = QPointF(point)
        event = QMouseEvent(kind, where, QPointF(widget.mapToGlobal(point)), button, buttons, key)
        QApplication.sendEvent(widget, event)


def _menu_of(action: QAction) -> QMenu | None:
    """The menu that an action opens, if it does. Not by `action.menu()`: that makes Python's action its owner, and when the
    action goes, Python takes the menu with all that is in it for deleted."""
    menus = [widget for widget in QApplication.allWidgets() if isinstance(widget, QMenu)]
    return next((menu for menu in menus if menu.menuAction() is action), None)
