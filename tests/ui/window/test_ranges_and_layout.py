"""Time ranges, playing backward, and layouts in the whole window with a real run."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import (  # noqa: F401 (a fixture)
    editing,
    inertia_entry,
    pause_at,
    restore_settings,
    type_value,
    wait_computed,
    wait_two_frames,
)

from quatviz.app import WindowController
from quatviz.teaching.help.actions import actions_with_shortcuts
from quatviz.ui.window.actions import ACTIONS
from quatviz.ui.window.settings import Settings


def key(editing: WindowController, qtbot: QtBot, code: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    both = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        both |= modifier
    qtbot.keyClick(editing.window, code, both)


def test_selected_range_loops_and_is_shown_everywhere(editing: WindowController, qtbot: QtBot) -> None:
    window, bridge = editing.window, editing.frame_loop
    pause_at(editing, qtbot, 1.0)
    window.board.axis.range_requested.emit((2.0, 2.4))
    qtbot.waitUntil(lambda: window.board.axis.selected == (2.0, 2.4))
    wait_two_frames(editing, qtbot)
    assert window.transport.scrubber.range_drag.selected == (2.0, 2.4)
    key(editing, qtbot, Qt.Key.Key_Z)
    assert (window.board.axis.low, window.board.axis.high) == pytest.approx((2.0, 2.4))
    window.action_registry["loop_range"].trigger()
    qtbot.waitUntil(lambda: bridge.snapshot.playing and bridge.snapshot.loop)
    times = [bridge.snapshot.time]

    def came_around() -> bool:
        times.append(bridge.snapshot.time)
        return times[-1] < times[-2]

    qtbot.waitUntil(came_around)
    assert 2.0 <= min(times) <= max(times) <= 2.4
    assert window.transport.loop_button.isChecked()
    key(editing, qtbot, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.board.axis.selected is None)
    assert bridge.snapshot.selected is None


def test_plots_keep_their_time_range_during_edits(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    pause_at(editing, qtbot, 12.0)
    window.board.axis.range_requested.emit((11.0, 13.0))
    qtbot.waitUntil(lambda: window.board.axis.selected is not None)
    key(editing, qtbot, Qt.Key.Key_Z)
    before = editing.simulation
    type_value(inertia_entry(editing), "410")
    qtbot.waitUntil(lambda: editing.simulation is not before)
    wait_computed(editing, qtbot)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time == pytest.approx(12.0))
    wait_two_frames(editing, qtbot)
    assert (window.board.axis.low, window.board.axis.high) == pytest.approx((11.0, 13.0))
    assert window.board.axis.selected == (11.0, 13.0)


def test_keys_play_backward_and_step_by_dt(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 5.0)
    dt = editing.simulation.preset.run.dt
    assert dt < editing.simulation.interval
    key(editing, qtbot, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time == pytest.approx(5.0 + dt, abs=1e-9))
    key(editing, qtbot, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time == pytest.approx(5.0, abs=1e-9))
    key(editing, qtbot, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing and editing.frame_loop.snapshot.time < 4.9)
    wait_two_frames(editing, qtbot)
    assert editing.window.transport.play_backward_button.isChecked()
    key(editing, qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not editing.frame_loop.snapshot.playing)
    wait_two_frames(editing, qtbot)
    key(editing, qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing and editing.frame_loop.snapshot.speed > 0)


def test_keys_move_the_time_axis(editing: WindowController, qtbot: QtBot) -> None:
    axis = editing.window.board.axis
    pause_at(editing, qtbot, 20.0)
    key(editing, qtbot, Qt.Key.Key_Plus)
    key(editing, qtbot, Qt.Key.Key_Plus)
    span = axis.span
    assert span == pytest.approx(axis.duration / 2.25)
    low = axis.low
    key(editing, qtbot, Qt.Key.Key_Period)
    assert axis.low > low
    key(editing, qtbot, Qt.Key.Key_Comma)
    key(editing, qtbot, Qt.Key.Key_Minus)
    assert axis.span > span
    key(editing, qtbot, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    assert axis.shows_all
    key(editing, qtbot, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert not axis.follows_cursor
    assert "do not follow" in editing.window.status.message


def test_keys_work_in_a_detached_panel(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 5.0)
    arranger = editing.window.board.arranger
    arranger.arrangement.detach("omega")
    floated = arranger.windows["omega"]
    qtbot.waitExposed(floated)
    floated.activateWindow()
    qtbot.waitUntil(floated.isActiveWindow)
    qtbot.keyClick(floated, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time == pytest.approx(5.01, abs=1e-9))


def test_moving_a_floating_panel_keeps_the_redo_steps(editing: WindowController, qtbot: QtBot) -> None:
    document, board = editing.document, editing.window.board
    board.arranger.arrangement.detach("omega")
    floated = board.arranger.windows["omega"]
    qtbot.waitExposed(floated)
    type_value(inertia_entry(editing), "390")
    wait_computed(editing, qtbot)
    edited = document.state.preset
    document.undo()
    wait_computed(editing, qtbot)
    redo_steps, steps = document.redo_steps, document.steps
    assert redo_steps
    x, y, width, height = floated.window_box
    for shift in (QPoint(3, 0), QPoint(40, 20)):
        floated.move(floated.pos() + shift)
    qtbot.waitUntil(lambda: document.view.state.layout.floating["omega"][:2] == (x + 43, y + 20))
    floated.resize(width + 30, height + 20)
    qtbot.waitUntil(lambda: document.view.state.layout.floating["omega"][2:] == (width + 30, height + 20))
    assert document.redo_steps == redo_steps
    assert document.steps == steps, "nor is the move a step"
    moved_to = floated.window_box
    document.redo()
    wait_computed(editing, qtbot)
    assert document.state.preset == edited
    assert board.arranger.windows["omega"].window_box == moved_to
    document.undo()
    wait_computed(editing, qtbot)
    assert board.arranger.windows["omega"].window_box == moved_to


def test_every_shortcut_is_unique() -> None:
    keys = [
        text for group in actions_with_shortcuts(ACTIONS).values() for key in group for text in key.shortcuts
    ]
    assert len(keys) == len(set(keys))


def test_timeline_menu_offers_range_actions(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    pause_at(editing, qtbot, 5.0)
    window.board.axis.range_requested.emit((2.0, 2.4))
    qtbot.waitUntil(lambda: window.board.axis.selected == (2.0, 2.4))
    window.transport.scrubber.menu_requested.emit(QPoint(50, 50), 5.0, None)
    menu = window.transport.scrubber.findChild(QMenu)
    assert menu is not None
    texts = [action.text().split("\t")[0] for action in menu.actions()]
    menu.close()
    assert texts[-5:] == [
        "2.00 to 2.40 s, 0.40 s", "Zoom to the selected times", "Repeat the selected times", "Clear selection",
        "What the markers mean…",
    ]  # fmt: skip


def test_panel_layout_is_remembered_and_reset(editing: WindowController) -> None:
    board = editing.window.board
    board.arranger.arrangement.stack_onto("omega", "h")
    board.arranger.arrangement.detach("drift")
    board.arranger.maximise("omega")
    settings = Settings()
    settings.save(editing.window)
    board.arranger.arrangement.reset()
    assert not board.arranger.windows
    restore_settings(Settings(), editing.window)
    assert board.arranger.arrangement.panels_sharing_tab_group("omega") == ("h", "omega")
    assert list(board.arranger.windows) == ["drift"]
    assert board.arranger.maximised is None
    Settings().reset(editing.window)
    assert not board.arranger.windows
    assert board.arranger.arrangement.panels_sharing_tab_group("omega") == ("omega",)


def test_detached_windows_close_with_the_window(editing: WindowController) -> None:
    arranger = editing.window.board.arranger
    arranger.arrangement.detach("omega")
    window = arranger.windows["omega"]
    editing.window.close()
    assert not window.isVisible()
