"""Measuring a curve by a click; its numbers are copied as text and as a script."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, wait_computed, wait_two_frames  # noqa: F401 (a fixture)

from quatviz.app import WindowController
from quatviz.base.resources import preset_folder
from quatviz.display.panels.base.curves import Trace
from quatviz.display.view_state.measurement import Measurement
from quatviz.simulation.commands import SetRange
from quatviz.ui.plots.board import panel_menu
from quatviz.ui.plots.strip_plot import StripPlot

NO_KEY, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


def curve_point(strip: StripPlot, trace: Trace, time: float) -> QPoint:
    y = (
        strip.curve_area.bottom()
        - strip.y_scale.project_value(trace.value_at(time)) * strip.curve_area.height()
    )
    return QPoint(round(strip.x_of(time)), round(y))


def omega_strip(session: WindowController) -> tuple[StripPlot, Trace]:
    view = next(view for view in session.window.board.panels if view.name == "omega")
    strip = next(strip for strip in view.plots if strip.traces[0].component == 1)  # type: ignore[attr-defined]
    return strip, strip.traces[0]


def measure(session: WindowController, qtbot: QtBot, time: float = 20.0) -> dict[str, float]:
    """Click the curve of the second component of omega at a time, and return the displayed numbers."""
    session.window.action_registry["measure"].trigger()
    return measure_without_toggling(session, qtbot, time)


def measure_without_toggling(session: WindowController, qtbot: QtBot, time: float = 20.0) -> dict[str, float]:
    """The numbers after a click on the curve while the measuring tool is on."""
    board = session.window.board
    strip, trace = omega_strip(session)
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, NO_KEY, curve_point(strip, trace, time))
    qtbot.waitUntil(lambda: board.measurement.features is not None)
    wait_two_frames(session, qtbot)
    return board.measurement_bar.values


def test_click_on_a_curve_measures_it(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 1.0)
    values = measure(editing, qtbot)
    assert editing.window.store.state.measurement == Measurement(True, "newton_euler", "omega", 1)
    assert values["period"] == pytest.approx(18.678564, abs=1e-6)
    assert "Period (full cycle):" in editing.window.board.measurement_bar.text_label.text()
    assert values["zero_distance"] == pytest.approx(18.678564 / 2, abs=1e-6)
    assert values["maximum"] == pytest.approx(-values["minimum"], rel=1e-9)
    omega = editing.simulation["newton_euler"].motion_at_times
    assert abs(values["time"] - 20.0) < 0.2, "the cursor has moved there"
    around = omega(np.array([values["time"] - 1e-4, values["time"], values["time"] + 1e-4])).omega[:, 1]
    assert values["value"] == around[1]
    assert values["slope"] == pytest.approx((around[2] - around[0]) / 2e-4, rel=1e-6)


def test_click_in_a_plot_measures_the_nearest_curve(editing: WindowController, qtbot: QtBot) -> None:
    board = editing.window.board
    editing.window.action_registry["measure"].trigger()
    strip, trace = omega_strip(editing)
    curve = curve_point(strip, trace, 20.0)
    top, bottom = strip.curve_area.top(), strip.curve_area.bottom()
    far = QPoint(curve.x(), round(top + 1 if curve.y() - top > bottom - curve.y() else bottom - 1))
    assert strip.trace_at(far.toPointF()) is None, "it is not below the pointer"
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, NO_KEY, far)
    assert board.measurement.is_measured(trace)


def test_plots_keep_their_places_while_a_curve_is_measured(editing: WindowController, qtbot: QtBot) -> None:
    board = editing.window.board
    editing.window.action_registry["measure"].trigger()
    wait_two_frames(editing, qtbot)
    prompting = board.measurement_bar.geometry()
    measure_without_toggling(editing, qtbot)
    assert len(board.measurement_bar.values) > 6
    assert board.measurement_bar.geometry() == prompting


def test_values_at_two_times_are_compared(editing: WindowController, qtbot: QtBot) -> None:
    measure(editing, qtbot)
    editing.frame_loop.send(SetRange(5.0, 8.0))
    bar = editing.window.board.measurement_bar
    qtbot.waitUntil(lambda: "difference" in bar.values)
    values = bar.values
    assert values["time_difference"] == 3.0
    assert values["difference"] == values["last_value"] - values["first_value"]
    assert values["mean_slope"] == values["difference"] / 3.0
    editing.window.axis.range_requested.emit(None)
    qtbot.waitUntil(lambda: "difference" not in bar.values)


def test_copied_script_reproduces_the_numbers(editing: WindowController, qtbot: QtBot) -> None:  # fmt: skip
    values = measure(editing, qtbot)
    bar, clipboard = editing.window.board.measurement_bar, QGuiApplication.clipboard()
    bar.text_label.linkActivated.emit("period")
    assert float(clipboard.text()) == values["period"]
    bar.script_button.click()
    names: dict[str, Any] = {"print": lambda *_: None}
    exec(clipboard.text(), names)
    assert names["period"] == values["period"]
    assert names["value"] == values["value"]
    assert names["slope"] == values["slope"]


def test_plot_menu_measures_the_curve_below_the_pointer(editing: WindowController, qtbot: QtBot) -> None:  # fmt: skip
    board = editing.window.board
    strip, trace = omega_strip(editing)
    assert strip.trace_at(curve_point(strip, trace, 7.0).toPointF()) is trace
    board.measurement.point_at(trace)
    menu = panel_menu(board, next(view for view in board.panels if view.name == "omega"))
    action = next(action for action in menu.actions() if action.text() == "Measure ω₂ of Newton–Euler")
    action.trigger()
    assert board.measurement.is_measured(trace)
    assert not board.measurement_bar.isHidden()


def test_differences_are_rejected_and_escape_ends_measuring(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    window.action_registry["measure"].trigger()
    window.store.update(difference=True)
    view = next(view for view in window.board.panels if view.name == "omega")
    strip = view.plots[0]  # type: ignore[attr-defined]
    wait_computed(editing, qtbot)
    qtbot.waitUntil(lambda: not strip.y_scale.is_empty)
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, NO_KEY, curve_point(strip, strip.traces[0], 15.0))
    assert not window.store.state.measurement.lane
    assert "cannot be measured" in window.status.message
    window.board.escape()
    assert not window.store.state.measurement.on


def test_angle_to_the_target_is_measured_by_its_settling_times(
    editing: WindowController, qtbot: QtBot
) -> None:
    window, bar = editing.window, editing.window.board.measurement_bar
    window.file_actions.open(preset_folder() / "attitude_control.toml")
    wait_computed(editing, qtbot)
    window.store.update(measurement=Measurement(True, "newton_euler", "target_angle", 0))
    qtbot.waitUntil(lambda: "settling_time_1" in bar.values)
    times = [bar.values[f"settling_time_{limit}"] for limit in ("5", "1")]
    lane = editing.simulation["newton_euler"]
    angles = lane.motion_at_times(np.array([time + shift for time in times for shift in (-1e-3, 1e-3)]))
    assert angles.target_angle.tolist() == pytest.approx([5.0, 5.0, 1.0, 1.0], abs=0.01)
    assert times[0] < times[1]
    assert "Stays within:" in bar.text_label.text()
    assert "5°&nbsp;from t&nbsp;=" in bar.text_label.text()
    window.store.update(measurement=Measurement(True, "newton_euler", "omega", 1))
    qtbot.waitUntil(lambda: "maximum" in bar.values)
    assert "Stays within" not in bar.text_label.text()
