"""Keyboard shortcuts of the main window."""

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from quatviz.teaching.help.actions import actions_with_shortcuts
from quatviz.ui.window.actions import ACTIONS
from random_user.actions.base import UserAction
from random_user.user import RandomUser

EXCLUDED = ("quit",)
"""Actions that would close the window."""


class Keys(UserAction):
    """Press a shortcut of the action table."""

    name = "keys"
    weight = 5.0

    def do(self, user: RandomUser) -> None:
        actions = [
            action
            for group in actions_with_shortcuts(ACTIONS).values()
            for action in group
            if action.name not in EXCLUDED
        ]
        action = user.pick(actions)
        text = user.pick(action.shortcuts)
        user.log(f"key {text}: {action.text}")
        user.window.activateWindow()
        user.window.setFocus()
        QTest.keySequence(user.window, QKeySequence(text))
