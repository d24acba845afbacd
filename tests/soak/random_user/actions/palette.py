"""What is found by typing."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quatviz.ui.widgets.search_popup import Finder
from random_user.actions.base import Action
from random_user.user import User

_WORDS = (
    "theme",
    "drift",
    "momentum",
    "view",
    "arrow",
    "heavy top",
    "undo",
    "gimbal",
    "time",
    "no such thing",
    "ω",
    "",
)
"""None of these finds what would end the run of the random user, nor what would wait for a person."""
_WAITS = ("quit", "close", "open", "save", "export", "print")


class Palette(Action):
    """Some words in the palette, further down in its list or not; the row is taken, or it is left."""

    name = "palette"
    weight = 1.5

    def do(self, user: User) -> None:
        words, rows = user.pick(_WORDS), user.random.randrange(4)
        user.note(f"palette: “{words}”, row {rows + 1}")
        user.window.acts["find"].trigger()
        finder = next((one for one in user.window.findChildren(Finder) if one.isVisible()), None)
        if finder is None or QApplication.activeModalWidget() is not None:
            return
        user.type(finder.field, words)
        for _ in range(rows):
            QTest.keyClick(finder.field, Qt.Key.Key_Down)
        row = finder.list.currentItem()
        leave = (
            row is None or any(word in row.text().lower() for word in _WAITS) or user.random.random() < 0.3
        )
        user.note("palette: left" if leave or row is None else f"palette: {row.text()}")
        QTest.keyClick(finder.field, Qt.Key.Key_Escape if leave else Qt.Key.Key_Return)
        if finder.isVisible():
            finder.hide()
