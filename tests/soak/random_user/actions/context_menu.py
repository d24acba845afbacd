"""Clicks with the right mouse button."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class ContextMenu(UserAction):
    """Click with the right button at a random position, and trigger an action of the context menu."""

    name = "context_menu"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        point = user.random_point(user.window)
        widget, local_point = user.widget_at(point)
        user.log(f"right click at {point.x()}, {point.y()} on {type(widget).__name__}")
        QTest.mouseClick(widget, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, local_point)
        if QApplication.activePopupWidget() is None:
            reason = QContextMenuEvent.Reason.Mouse
            QApplication.sendEvent(
                widget, QContextMenuEvent(reason, local_point, widget.mapToGlobal(local_point))
            )
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu) and user.random.random() < 0.8:
            user.trigger_from_menu(menu)
