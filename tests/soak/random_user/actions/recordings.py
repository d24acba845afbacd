"""Motions from outside beside the equations."""

from pathlib import Path

from quatviz.base import resources
from random_user.actions.base import Action
from random_user.user import User

_NAMES = "t,q_w,q_x,q_y,q_z\n"
_ROWS = {
    "whole": "".join(f"{n / 10},1,0,0,0\n" for n in range(200)),
    "gap": "".join(f"{n / 10},1,0,0,0\n" for n in range(200) if not 50 < n < 120),
    "torn": "0,1,0,0,0\n0.1,1,0\n0.2,x,,,\n0.1,1,0,0,0\n",
    "empty": "",
}


def preset_beside(folder: Path, name: str, rows: str) -> Path:
    """A preset in the folder with a recording beside it, of this text if there is any."""
    place = folder / "recorded"
    place.mkdir(exist_ok=True)
    file = place / f"{name}.csv"
    if rows:
        file.write_text(rows, encoding="utf-8")
    text = (resources.preset_folder() / "torque_free.toml").read_text("utf-8")
    lane = f'[[lanes]]\nformulation = "recording"\nrecording = {{ file = "{file.name}" }}\n'
    path = place / f"{name}.toml"
    path.write_text(text.replace('[[lanes]]\nformulation = "hamilton"\n', lane), encoding="utf-8")
    return path


class Recordings(Action):
    """A preset with a recording beside it is opened; the file is whole, has a gap, is torn, empty, or not there."""

    name = "recordings"
    weight = 0.7

    def do(self, user: User) -> None:
        kind = user.pick((*_ROWS, "gone"))
        user.note(f"recording: {kind}")
        user.window.desk.open(preset_beside(user.folder, kind, _NAMES + _ROWS[kind] if kind in _ROWS else ""))
