"""Session files and the clipboard."""

from PySide6.QtGui import QGuiApplication

from random_user.actions.base import UserAction
from random_user.user import RandomUser

_INVALID_TEXTS = ("", "quatviz", "quatviz:!!!!", "q" * 500, "🛰")


class Sessions(UserAction):
    """Save, open, copy or paste a session, save a preset, or open or paste an invalid text."""

    name = "sessions"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        file_actions, files = user.window.file_actions, sorted(user.folder.glob("*.toml"))
        operation = user.pick(
            ("save", "open", "copy", "paste", "bad paste", "bad file", "missing file", "preset")
        )
        user.log(f"session: {operation}")
        clipboard = QGuiApplication.clipboard()
        if operation == "save" or (operation == "open" and not files):
            file_actions.save_as(user.folder / f"run {user.random.randrange(5)}.toml")
        elif operation == "open":
            file_actions.open(user.pick(files))
        elif operation == "copy":
            file_actions.copy_run()
        elif operation == "paste":
            file_actions.copy_run()
            file_actions.paste_run()
        elif operation == "bad paste":
            clipboard.setText(user.pick(_INVALID_TEXTS))
            file_actions.paste_run()
        elif operation == "bad file":
            path = user.folder / "bad.txt"
            path.write_text(user.pick(_INVALID_TEXTS), encoding="utf-8")
            file_actions.open(path)
        elif operation == "missing file":
            file_actions.open(user.folder / "missing.toml")
        else:
            file_actions.save_preset(f"Random {user.random.randrange(3)}", "By the random user.", "")
