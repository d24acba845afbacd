"""Searches in the command palette."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quatviz.ui.widgets.search_popup import SearchPopup
from random_user.actions.base import UserAction
from random_user.user import RandomUser

_QUERIES = (
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
"""Search texts. None finds an action that closes the window or opens a system dialog."""
_EXCLUDED_WORDS = ("quit", "close", "open", "save", "export", "print")


class Palette(UserAction):
    """Search in the command palette, and run one of the first results or cancel."""

    name = "palette"
    weight = 1.5

    def do(self, user: RandomUser) -> None:
        query, rows = user.pick(_QUERIES), user.random.randrange(4)
        user.log(f"palette: “{query}”, row {rows + 1}")
        user.window.action_registry["find"].trigger()
        finder = next(
            (candidate for candidate in user.window.findChildren(SearchPopup) if candidate.isVisible()), None
        )
        if finder is None or QApplication.activeModalWidget() is not None:
            return
        user.type(finder.field, query)
        for _ in range(rows):
            QTest.keyClick(finder.field, Qt.Key.Key_Down)
        row = finder.result_list.currentItem()
        cancel = (
            row is None
            or any(word in row.text().lower() for word in _EXCLUDED_WORDS)
            or user.random.random() < 0.3
        )
        user.log("palette: cancel" if cancel or row is None else f"palette: {row.text()}")
        QTest.keyClick(finder.field, Qt.Key.Key_Escape if cancel else Qt.Key.Key_Return)
        if finder.isVisible():
            finder.hide()
