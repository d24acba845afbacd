"""Fits of the body of a recording."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.app import WindowController
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.ui.tools.fit.window import FitWindow
from random_user.actions.base import WindowAction
from random_user.actions.recordings import write_preset_with_recording
from random_user.user import RandomUser

_TEXTS = ("0", "1", "3", "-1", "nan", "x", "1e999", "")


def open_tumbling(session: WindowController, folder: Path) -> None:
    """Open a recording of a torque-free rotation about all axes: 4 s, 101 rows."""
    t = np.linspace(0.0, 4.0, 101)
    start = np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.3, 4.0, 1.0])
    rows = np.column_stack((t, *solve(Body(inertia=[1.0, 2.0, 2.7]), [], *start).evaluate(t)))
    names = "t,q_w,q_x,q_y,q_z,omega_x,omega_y,omega_z\n"
    text = names + "".join(",".join(f"{number:.7g}" for number in row) + "\n" for row in rows)
    session.window.file_actions.open(write_preset_with_recording(folder, "tumbling", text))


class Fits(WindowAction):
    """Start, cancel or apply a fit, or change its parameters or its time range."""

    name = "fits"
    weight = 1.5
    tool = "fit"
    operations = (
        *("run", "run", "run", "cancel", "check", "type", "choose", "draw", "free flight", "all", "curve"),
        *("apply", "apply", "recording", "close"),
    )

    def choose_operation(self, user: RandomUser, window: FitWindow) -> str:
        return super().choose_operation(user, window) if window.inspection is not None else "recording"

    def perform(self, user: RandomUser, fit: FitWindow, operation: str) -> None:
        if operation == "run":
            fit.run()
        elif operation == "apply":
            fit.apply_fit()
        elif operation == "recording":
            open_tumbling(user.session, user.folder)
        else:
            self._change(user, fit, operation)

    def _change(self, user: RandomUser, fit: FitWindow, operation: str) -> None:
        choices = fit.choices
        if operation == "free flight":
            fit.select_free_flight()
        elif operation == "all":
            fit.select_all()
        elif operation == "check":
            boxes = (choices.axes, choices.bias, choices.misalignment, choices.damping)
            user.pick([box for box in boxes if box.isEnabled()]).click()
        elif operation == "draw":
            plot = fit.interval_plot.viewport()
            user.drag(plot, user.random_point(plot), user.random_point(plot))
        elif operation == "type":
            user.enter(user.pick((choices.start, choices.stop)), user.pick(_TEXTS))
        else:
            box = (
                fit.curve_box
                if operation == "curve"
                else user.pick((choices.scale, choices.loss, choices.recording))
            )
            QTest.keyClick(box, user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
