"""Keys of the window."""

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from quatviz.teaching.help.actions import bound
from quatviz.ui.window.actions import ACTS
from random_user.actions.base import Action
from random_user.user import User

LEFT_OUT = ("quit",)
"""What would end the run of the random user."""


class Keys(Action):
    """A key that the table of keys names."""

    name = "keys"
    weight = 5.0

    def do(self, user: User) -> None:
        keys = [key for group in bound(ACTS).values() for key in group if key.name not in LEFT_OUT]
        key = user.pick(keys)
        text = user.pick(key.keys)
        user.note(f"key {text}: {key.text}")
        user.window.activateWindow()
        user.window.setFocus()
        QTest.keySequence(user.window, QKeySequence(text))
