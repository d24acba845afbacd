"""Files dropped on the window."""

import math

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from quatviz.base import resources
from random_user.actions.base import UserAction
from random_user.actions.presets import FEW_KERNELS
from random_user.user import RandomUser

_COPY, _LEFT, _NO_KEY = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
_CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 4 3\n"


def _recording_rows(scale: float, count: int = 150) -> str:
    """Return the rows of a rotation about the third axis at 1 rad/s, with quaternions of norm `scale`."""
    samples = [(0.02 * row, 0.01 * row) for row in range(count)]
    return "".join(
        f"{t:.2f},{scale * math.cos(a):.6f},0,0,{scale * math.sin(a):.6f},0,0,1\n" for t, a in samples
    )


_RATES = "t,q_w,q_x,q_y,q_z,omega_x,omega_y,omega_z\n"
_FILES = {
    "recording.csv": _RATES + _recording_rows(1.0),
    "stretched.csv": _RATES + _recording_rows(3.0),
    "no header.csv": _recording_rows(1.0, 20),
    "other names.csv": "time,qw,qx,qy,qz,gx,gy,gz\n" + _recording_rows(1.0),
    "semicolons.tsv": (_RATES + _recording_rows(1.0)).replace(",", ";"),
    "repeated times.csv": _RATES + "0,1,0,0,0,0,0,1\n" * 40,
    "letters.csv": "a,b,c\nx,y,z\n",
    "empty.csv": "",
    "cube.obj": _CUBE,
    "flat.obj": "v 0 0\nf 1 1 1\n",
    "lesson.md": "# A user's lesson\n\nWords.\n",
    "unknown.xyz": "?",
}


class Drops(UserAction):
    """Drop a recording, mesh, lesson, preset or invalid file, and accept or reject the dialog that follows."""

    name = "drops"
    weight = 1.5

    def do(self, user: RandomUser) -> None:
        name = user.pick((*_FILES, *("recording.csv",) * 3, "preset", "missing.csv", "folder"))
        user.log(f"drop: {name}")
        folder = user.folder / "dropped"
        folder.mkdir(exist_ok=True)
        path = folder / name
        if name in _FILES:
            path.write_text(_FILES[name], encoding="utf-8")
        elif name == "preset":
            path = resources.preset_folder() / f"{user.pick(FEW_KERNELS)}.toml"
        elif name == "folder":
            path = folder
        self._drop(user, [str(path)] if user.random.random() < 0.95 else [str(path), str(folder)])
        self._answer(user)

    def _drop(self, user: RandomUser, paths: list[str]) -> None:
        data, spot = QMimeData(), user.random_point(user.window)
        data.setUrls([QUrl.fromLocalFile(path) for path in paths])
        for event in (
            QDragEnterEvent(spot, _COPY, data, _LEFT, _NO_KEY),
            QDropEvent(QPointF(spot), _COPY, data, _LEFT, _NO_KEY),
        ):
            QApplication.sendEvent(user.window, event)

    def _answer(self, user: RandomUser) -> None:
        """Accept or reject the dialog for the dropped file."""
        dialog = next(
            (
                candidate
                for candidate in user.window.findChildren(QDialog)
                if candidate.isVisible() and candidate.isModal()
            ),
            None,
        )
        importing = user.window.findChild(QDialog, "importing")
        if importing is not None and importing.isVisible():
            self._import(user, importing)
        elif dialog is not None:
            key = user.pick((Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Escape))
            user.log(f"drop: {key.name} in “{dialog.windowTitle()}”")
            QTest.keyClick(dialog, key)

    def _import(self, user: RandomUser, dialog: QDialog) -> None:
        """Move through the import dialog, then import or cancel."""
        for _ in range(user.random.randrange(4)):
            QTest.qWait(100)
            QTest.keyClick(dialog, user.pick((Qt.Key.Key_Tab, Qt.Key.Key_Down)))
        if user.random.random() < 0.6:
            user.log("drop: import")
            QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        else:
            user.log("drop: cancel the import")
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
