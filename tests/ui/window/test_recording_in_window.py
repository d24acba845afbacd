"""A recording in the real window: ghost, curves with gaps, menus, and a message if the file is missing."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.document.comparison import new_lanes
from quatviz.display.document.state import State
from quatviz.simulation.simulation import lane_names


def with_recording(state: State, reading: qv.ReadOptions) -> State:
    lane = qv.Lane("recording", recording=reading, name="phone")
    grown = state.with_preset(lanes=(*state.preset.lanes, lane))
    return grown.with_lane_styles(state.lane_styles.with_lane_added())


@pytest.fixture
def reading(tmp_path: Path) -> qv.ReadOptions:
    """Return the recording of an exact run, with a fifth of its samples missing."""
    lane = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=5.0)["exact"]
    kept = (lane.t < 1.0) | (lane.t > 2.0)
    qv.write_recording(
        qv.Recording(lane.t[kept], p=lane.p[kept], omega=lane.omega[kept]), tmp_path / "throw.csv"
    )
    return qv.ReadOptions(file="throw.csv").in_folder(tmp_path)


def test_recording_is_a_ghost_with_gaps_and_reports_a_missing_file(
    editing: WindowController, qtbot: QtBot, reading: qv.ReadOptions
) -> None:
    window = editing.window
    assert editing.document.propose("phone", lambda state: with_recording(state, reading)) is None
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    lane = editing.simulation["phone"]
    known = np.isfinite(lane.p).all(axis=1)
    assert known.any()
    assert not known.all()
    assert window.board.choices.reference == "newton_euler", "a recording is not the default reference"
    row = window.side.lane_list.rows[2]
    assert {name for name, block in row.form.rows.items() if not block.isHidden()} == {
        "formulation",
        "name",
    }
    names = new_lanes()
    assert "exact" in names
    assert "recording" not in names, "it starts with a file"
    assert reading.folder is not None
    (reading.folder / "throw.csv").unlink()
    torque = (qv.Torque(torque=[0.0, 0.0, 0.1]),)
    assert editing.document.propose("push", lambda state: state.with_preset(loads=torque)) is None
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    assert editing.simulation["phone"].status == "no_recording"
    assert "throw.csv" in row.message.text()
    assert editing.simulation["newton_euler"].status in ("running", "ok")


def test_first_dropped_file_is_a_new_run_and_next_a_lane(
    editing: WindowController, qtbot: QtBot, reading: qv.ReadOptions
) -> None:
    assert reading.folder is not None
    path, bad = reading.folder / "throw.csv", reading.folder / "bad.csv"
    bad.write_text("no table")
    editing.window.file_actions.drop(path, bad, path)
    dialog = editing.tool_windows.window("importing")
    assert dialog is not None
    qtbot.waitUntil(dialog.import_button.isEnabled)
    assert dialog.title_label.text() == "throw.csv (1 of 3)"
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(dialog.problem.isVisible)
    assert "columns of numbers" in dialog.problem.text()
    assert not dialog.import_button.isEnabled()
    dialog.skip_button.click()
    qtbot.waitUntil(dialog.import_button.isEnabled)
    assert dialog.title_label.text() == "throw.csv (3 of 3)"
    assert not dialog.skip_button.isVisible()
    dialog.import_button.click()
    qtbot.waitUntil(dialog.fit_button.isVisible)
    dialog.close_button.click()
    assert not dialog.isVisible()
    assert lane_names(editing.document.state.preset.lanes) == ["newton_euler", "throw", "throw (2)"]
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    assert editing.simulation["throw"].status in ("ok", "recording_ended")
    editing.document.undo()
    assert len(editing.document.state.preset.lanes) == 2, "one step each"
    assert editing.window.action_registry["import"].isEnabled()


def test_fit_is_offered_for_the_imported_recording(
    editing: WindowController, qtbot: QtBot, reading: qv.ReadOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quatviz.ui.tools.fit.window.PROCESSES", "threads")
    assert editing.document.propose("phone", lambda state: with_recording(state, reading)) is None
    assert reading.folder is not None
    other = reading.folder / "other.csv"
    other.write_text((reading.folder / "throw.csv").read_text("utf-8"), "utf-8")
    editing.window.file_actions.drop(other)
    dialog = editing.tool_windows.window("importing")
    qtbot.waitUntil(dialog.add_button.isEnabled)
    dialog.add_button.click()
    qtbot.waitUntil(dialog.fit_button.isVisible)
    dialog.fit_button.click()
    window = editing.tool_windows.window("fit")
    qtbot.waitUntil(lambda: window.work is not None)
    assert window.choices.recording.value == 3, "the recording imported last"
    window.cancel()


def test_recording_of_a_lane_can_be_read_with_other_options(
    editing: WindowController, qtbot: QtBot, reading: qv.ReadOptions
) -> None:
    assert not editing.window.action_registry["read_again"].isEnabled()
    assert editing.document.propose("phone", lambda state: with_recording(state, reading)) is None
    assert editing.window.action_registry["read_again"].isEnabled()
    editing.window.action_registry["read_again"].trigger()
    dialog = editing.tool_windows.window("importing")
    assert dialog is not None
    qtbot.waitUntil(dialog.import_button.isEnabled)
    dialog.options_form.boxes["direction"].show_value("space_to_body")
    dialog.options_form.boxes["direction"].chosen.emit("space_to_body")
    qtbot.waitUntil(dialog.import_button.isEnabled)
    dialog.import_button.click()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    lanes = editing.document.state.preset.lanes
    assert (len(lanes), lanes[2].name, lanes[2].recording.direction) == (3, "phone", "space_to_body")
    menu = QMenu()
    editing.window.side.lane_list.rows[2].fill_menu(menu)
    assert "Recording settings…" in [action.text() for action in menu.actions()]


def test_errors_against_the_recording_are_one_action(
    editing: WindowController, qtbot: QtBot, reading: qv.ReadOptions
) -> None:
    """In every panel, and off again, with the previous reference restored."""
    window = editing.window
    act, choices = window.action_registry["against_recording"], window.board.choices
    assert not act.isEnabled()
    assert editing.document.propose("phone", lambda state: with_recording(state, reading)) is None
    qtbot.waitUntil(act.isEnabled)
    before = choices.reference
    act.trigger()
    assert choices.difference
    assert choices.reference == "phone"
    act.trigger()
    assert not choices.difference
    choices.set_reference("")
    assert choices.reference == before
    editing.document.undo()
