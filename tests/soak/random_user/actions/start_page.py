"""Operations on the start page."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.base import resources
from random_user.actions.base import UserAction
from random_user.actions.presets import FEW_KERNELS
from random_user.user import RandomUser

_QUERIES = ("top", "axis", "no such thing", "", "  ", "é|")
_KEYS = (
    Qt.Key.Key_Right,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Up,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
)


class StartPageOpens(UserAction):
    """Open the start page, or search, move the focus, close it or open a preset."""

    name = "start_page"
    weight = 1.5

    def do(self, user: RandomUser) -> None:
        controller = user.session.start_page
        if controller.page is None or not controller.is_shown:
            user.log("start page: open")
            controller.show()
            return
        page = controller.page
        operation = user.pick(("search", "move", "move", "escape", "continue", "preset"))
        user.log(f"start page: {operation}")
        if operation == "search":
            page.search.setText(user.pick(_QUERIES))
        elif operation == "move":
            for _ in range(5):
                QTest.keyClick(user.window.focusWidget() or page, user.pick(_KEYS))
        elif operation == "escape":
            QTest.keyClick(page.search, Qt.Key.Key_Escape)
        elif operation == "continue":
            page.continue_requested.emit()
        else:
            page.file_chosen.emit(resources.preset_folder() / f"{user.pick(FEW_KERNELS)}.toml")
