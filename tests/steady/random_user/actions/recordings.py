"""Motions from outside beside the equations."""

from quatviz.base import resources
from random_user.actions.base import Action
from random_user.user import User

_ROWS = {
    "whole": "".join(f"{n / 10},1,0,0,0\n" for n in range(200)),
    "gap": "".join(f"{n / 10},1,0,0,0\n" for n in range(200) if not 50 < n < 120),
    "torn": "0,1,0,0,0\n0.1,1,0\n0.2,x,,,\n0.1,1,0,0,0\n",
    "empty": "",
}


class Recordings(Action):
    """A preset with a recording beside it is opened; the file is whole, has a gap, is torn, empty, or not there."""

    name = "recordings"
    weight = 0.7

    def do(self, user: User) -> None:
        kind = user.pick((*_ROWS, "gone"))
        user.note(f"recording: {kind}")
        place = user.folder / "recorded"
        place.mkdir(exist_ok=True)
        file = place / f"{kind}.csv"
        if kind in _ROWS:
            file.write_text("t,q_w,q_x,q_y,q_z\n" + _ROWS[kind], encoding="utf-8")
        text = (resources.preset_folder() / "torque_free.toml").read_text("utf-8")
        lane = f'[[lanes]]\nformulation = "recording"\nrecording = {{ file = "{file.name}" }}\n'
        path = place / f"{kind}.toml"
        path.write_text(text.replace('[[lanes]]\nformulation = "hamilton"\n', lane), encoding="utf-8")
        user.window.desk.open(path)
