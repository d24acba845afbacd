"""Other windows, the size of the main window, and the theme."""

from PySide6.QtWidgets import QApplication

from quatviz.display.view_state.theme import THEMES
from random_user.actions.base import UserAction
from random_user.user import RandomUser

_TOPICS = ("", "lanes", "experiments", "plots", "errors#names", "no such page")


class Windows(UserAction):
    """Open or close another window, resize the main window, or change the theme."""

    name = "windows"
    weight = 1.5

    def do(self, user: RandomUser) -> None:
        session, window = user.session, user.window
        operation = user.pick(
            ("study", "help", "tour", "cards", "hashes", "close", "close", "resize", "theme")
        )
        user.log(f"windows: {operation}")
        if operation == "study":
            session.open_tool("study")
        elif operation == "help":
            session.open_tool("help", user.pick(_TOPICS))
        elif operation == "tour":
            session.start_tour()
        elif operation == "cards":
            window.equation_window.open()
        elif operation == "hashes":
            session.window.action_registry["hashes"].trigger()
        elif operation == "close":
            other_windows = [
                candidate
                for candidate in QApplication.topLevelWidgets()
                if candidate.isVisible() and candidate is not window
            ]
            if other_windows:
                user.pick(other_windows).close()
        elif operation == "resize":
            window.resize(user.random.randint(900, 1600), user.random.randint(560, 900))
        else:
            window.theme_switch.show(THEMES[user.pick(sorted(THEMES))])
