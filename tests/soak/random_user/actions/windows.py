"""Other windows open and close, and the window changes its size."""

from PySide6.QtWidgets import QApplication

from quatviz.display.view_state.theme import THEMES
from random_user.actions.base import Action
from random_user.user import User

_TOPICS = ("", "lanes", "experiments", "plots", "errors#names", "no such page")


class Windows(Action):
    """Study, help, tour or cards open; another window than the main one closes; size and theme change."""

    name = "windows"
    weight = 1.5

    def do(self, user: User) -> None:
        session, window = user.session, user.window
        doing = user.pick(("study", "help", "tour", "cards", "hashes", "close", "close", "resize", "theme"))
        user.note(f"windows: {doing}")
        if doing == "study":
            session.open_study()
        elif doing == "help":
            session.open_help(user.pick(_TOPICS))
        elif doing == "tour":
            session.start_tour()
        elif doing == "cards":
            window.cards.open()
        elif doing == "hashes":
            session.window.acts["hashes"].trigger()
        elif doing == "close":
            others = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not window]
            if others:
                user.pick(others).close()
        elif doing == "resize":
            window.resize(user.random.randint(900, 1600), user.random.randint(560, 900))
        else:
            window.show_theme(THEMES[user.pick(sorted(THEMES))])
