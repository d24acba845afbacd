"""Clicks on buttons of all open windows."""

from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton, QToolButton

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Buttons(UserAction):
    """Click a visible button of any window, or trigger an action of its menu."""

    name = "buttons"
    weight = 3.0

    def do(self, user: RandomUser) -> None:
        windows = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
        window = user.pick([user.window, *windows])
        buttons = [
            button
            for button in window.findChildren(QAbstractButton)
            if button.isVisible() and button.isEnabled() and not button.visibleRegion().isEmpty()
        ]
        if not buttons:
            return
        button = user.pick(buttons)
        label = button.text() or button.accessibleName() or button.toolTip()
        user.log(f"button “{label}” of {type(window).__name__}")
        menu = button.menu() if isinstance(button, QPushButton | QToolButton) else None
        if isinstance(menu, QMenu):
            user.trigger_from_menu(menu)  # a click would block in the event loop of the menu
        else:
            user.click(button, button.rect().center())
