"""The start page: opened, searched, walked through, left, or something chosen on it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.base import resources
from random_user.actions.base import Action
from random_user.actions.presets import FEW_KERNELS
from random_user.user import User

_WORDS = ("top", "axis", "no such thing", "", "  ", "é|")
_KEYS = (
    Qt.Key.Key_Right,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Up,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
)


class StartPageOpens(Action):
    """One thing that is done with the page, which is opened first where it is not there."""

    name = "start_page"
    weight = 1.5

    def do(self, user: User) -> None:
        front = user.session.front
        if front.page is None or not front.shown:
            user.note("start page: open")
            front.show()
            return
        page = front.page
        doing = user.pick(("search", "walk", "walk", "escape", "go on", "preset"))
        user.note(f"start page: {doing}")
        if doing == "search":
            page.search.setText(user.pick(_WORDS))
        elif doing == "walk":
            for _ in range(5):
                QTest.keyClick(user.window.focusWidget() or page, user.pick(_KEYS))
        elif doing == "escape":
            QTest.keyClick(page.search, Qt.Key.Key_Escape)
        elif doing == "go on":
            page.going_on.emit()
        else:
            page.file_chosen.emit(resources.preset_folder() / f"{user.pick(FEW_KERNELS)}.toml")
