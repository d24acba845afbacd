"""The body of a recording, fitted in a window."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.app import Session
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.ui.tools.fit.window import FitWindow
from random_user.actions.base import InWindow
from random_user.actions.recordings import preset_beside
from random_user.user import User

_TEXTS = ("0", "1", "3", "-1", "nan", "x", "1e999", "")


def open_tumbling(session: Session, folder: Path) -> None:
    """Show a recording of a free body that turns about all its axes: four seconds, a hundred rows."""
    t = np.linspace(0.0, 4.0, 101)
    start = np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.3, 4.0, 1.0])
    rows = np.column_stack((t, *solve(Body(inertia=[1.0, 2.0, 2.7]), [], *start).at(t)))
    names = "t,q_w,q_x,q_y,q_z,omega_x,omega_y,omega_z\n"
    text = names + "".join(",".join(f"{number:.7g}" for number in row) + "\n" for row in rows)
    session.window.desk.open(preset_beside(folder, "tumbling", text))


class Fits(InWindow):
    """A fit of a recording is begun, ended, taken over; other unknowns, another stretch, written or drawn; the window closes."""

    name = "fits"
    weight = 1.5
    window = "fit"
    doings = (
        *("run", "run", "run", "cancel", "tick", "type", "choose", "draw", "seek", "whole", "curve"),
        *("take", "take", "recording", "close"),
    )

    def chosen(self, user: User, window: FitWindow) -> str:
        return super().chosen(user, window) if window.looked is not None else "recording"

    def act(self, user: User, fit: FitWindow, doing: str) -> None:
        if doing == "run":
            fit.run()
        elif doing == "take":
            fit.take_over()
        elif doing == "recording":
            open_tumbling(user.session, user.folder)
        else:
            self._change(user, fit, doing)

    def _change(self, user: User, fit: FitWindow, doing: str) -> None:
        choices = fit.choices
        if doing == "seek":
            fit.find_flight()
        elif doing == "whole":
            fit.choose_all()
        elif doing == "tick":
            boxes = (choices.axes, choices.bias, choices.misalignment, choices.damping)
            user.pick([box for box in boxes if box.isEnabled()]).click()
        elif doing == "draw":
            plot = fit.stretch.viewport()
            user.drag(plot, user.spot(plot), user.spot(plot))
        elif doing == "type":
            user.enter(user.pick((choices.start, choices.stop)), user.pick(_TEXTS))
        else:
            box = (
                fit.curve if doing == "curve" else user.pick((choices.scale, choices.loss, choices.recording))
            )
            QTest.keyClick(box, user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
