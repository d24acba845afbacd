"""Buttons of every window that is open."""

from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton, QToolButton

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Buttons(UserAction):
    """A button that is seen, in whichever window; of a menu that it opens, something."""

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
            user.trigger_from_menu(menu)  # a click would wait in the menu's own event loop
        else:
            user.click(button, button.rect().center())
