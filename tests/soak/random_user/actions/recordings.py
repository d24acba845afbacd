"""Presets with a recording."""

from pathlib import Path

from quatviz.base import resources
from random_user.actions.base import UserAction
from random_user.user import RandomUser

_NAMES = "t,q_w,q_x,q_y,q_z\n"
_ROWS = {
    "complete": "".join(f"{n / 10},1,0,0,0\n" for n in range(200)),
    "gap": "".join(f"{n / 10},1,0,0,0\n" for n in range(200) if not 50 < n < 120),
    "damaged": "0,1,0,0,0\n0.1,1,0\n0.2,x,,,\n0.1,1,0,0,0\n",
    "empty": "",
}


def write_preset_with_recording(folder: Path, name: str, rows: str) -> Path:
    """Write a preset with a recording lane and return its path. Without `rows` the recording is missing."""
    folder_path = folder / "recorded"
    folder_path.mkdir(exist_ok=True)
    file = folder_path / f"{name}.csv"
    if rows:
        file.write_text(rows, encoding="utf-8")
    text = (resources.preset_folder() / "torque_free.toml").read_text("utf-8")
    lane = f'[[lanes]]\nformulation = "recording"\nrecording = {{ file = "{file.name}" }}\n'
    path = folder_path / f"{name}.toml"
    path.write_text(text.replace('[[lanes]]\nformulation = "hamilton"\n', lane), encoding="utf-8")
    return path


class Recordings(UserAction):
    """Open a preset with a recording that is complete, has a gap, or is damaged, empty or missing."""

    name = "recordings"
    weight = 0.7

    def do(self, user: RandomUser) -> None:
        row_set = user.pick((*_ROWS, "missing"))
        user.log(f"recording: {row_set}")
        user.window.file_actions.open(
            write_preset_with_recording(
                user.folder, row_set, _NAMES + _ROWS[row_set] if row_set in _ROWS else ""
            )
        )
