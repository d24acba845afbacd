"""The right button of the mouse."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from random_user.actions.base import Action
from random_user.user import User


class ContextMenu(Action):
    """A right click somewhere, and something from the menu that opens."""

    name = "context_menu"
    weight = 2.0

    def do(self, user: User) -> None:
        point = user.spot(user.window)
        widget, place = user.under(point)
        user.note(f"right click at {point.x()}, {point.y()} on {type(widget).__name__}")
        QTest.mouseClick(widget, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
        if QApplication.activePopupWidget() is None:
            kind = QContextMenuEvent.Reason.Mouse
            QApplication.sendEvent(widget, QContextMenuEvent(kind, place, widget.mapToGlobal(place)))
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu) and user.random.random() < 0.8:
            user.choose_from(menu)
