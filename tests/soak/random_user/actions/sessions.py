"""Files and the clipboard."""

from PySide6.QtGui import QGuiApplication

from random_user.actions.base import Action
from random_user.user import User

_NO_RUN = ("", "quatviz", "quatviz:!!!!", "q" * 500, "🛰")


class Sessions(Action):
    """A session is saved, opened, copied, pasted or kept as a preset; or what is no session is opened or pasted."""

    name = "sessions"
    weight = 2.0

    def do(self, user: User) -> None:
        desk, files = user.window.desk, sorted(user.folder.glob("*.toml"))
        doing = user.pick(("save", "open", "copy", "paste", "bad paste", "bad file", "gone file", "preset"))
        user.note(f"session: {doing}")
        clipboard = QGuiApplication.clipboard()
        if doing == "save" or (doing == "open" and not files):
            desk.save_as(user.folder / f"run {user.random.randrange(5)}.toml")
        elif doing == "open":
            desk.open(user.pick(files))
        elif doing == "copy":
            desk.copy_run()
        elif doing == "paste":
            desk.copy_run()
            desk.paste_run()
        elif doing == "bad paste":
            clipboard.setText(user.pick(_NO_RUN))
            desk.paste_run()
        elif doing == "bad file":
            path = user.folder / "bad.txt"
            path.write_text(user.pick(_NO_RUN), encoding="utf-8")
            desk.open(path)
        elif doing == "gone file":
            desk.open(user.folder / "never there.toml")
        else:
            desk.save_preset(f"Random {user.random.randrange(3)}", "By the random user.", "")
