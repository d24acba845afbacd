"""Ranges, playing backward, and arrangements in the whole window, with a run that really runs."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing, enter, moment, pause_at, two_frames, wait_computed  # noqa: F401 (a fixture)

from quatviz.app import Session
from quatviz.teaching.help.actions import bound
from quatviz.ui.window.actions import ACTS
from quatviz.ui.window.settings import Settings


def key(editing: Session, qtbot: QtBot, code: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    both = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        both |= modifier
    qtbot.keyClick(editing.window, code, both)


def test_a_selected_range_loops_and_is_shown_everywhere(editing: Session, qtbot: QtBot) -> None:
    window, bridge = editing.window, editing.bridge
    pause_at(editing, qtbot, 1.0)
    window.board.axis.range_wanted.emit((2.0, 2.4))
    qtbot.waitUntil(lambda: window.board.axis.selected == (2.0, 2.4))
    two_frames(editing, qtbot)
    assert window.transport.scrubber.range.selected == (2.0, 2.4)
    key(editing, qtbot, Qt.Key.Key_Z)
    assert (window.board.axis.low, window.board.axis.high) == pytest.approx((2.0, 2.4))
    window.acts["loop_range"].trigger()
    qtbot.waitUntil(lambda: bridge.snapshot.playing and bridge.snapshot.loop)
    times = [bridge.snapshot.time]

    def came_around() -> bool:
        times.append(bridge.snapshot.time)
        return times[-1] < times[-2]

    qtbot.waitUntil(came_around)
    assert 2.0 <= min(times) <= max(times) <= 2.4
    assert window.transport.loop.isChecked()
    key(editing, qtbot, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.board.axis.selected is None)
    assert bridge.snapshot.selected is None


def test_the_plots_keep_their_times_while_the_run_is_edited(editing: Session, qtbot: QtBot) -> None:
    window = editing.window
    pause_at(editing, qtbot, 12.0)
    window.board.axis.range_wanted.emit((11.0, 13.0))
    qtbot.waitUntil(lambda: window.board.axis.selected is not None)
    key(editing, qtbot, Qt.Key.Key_Z)
    before = editing.simulation
    enter(moment(editing), "410")
    qtbot.waitUntil(lambda: editing.simulation is not before)
    wait_computed(editing, qtbot)
    qtbot.waitUntil(lambda: editing.bridge.snapshot.time == pytest.approx(12.0))
    two_frames(editing, qtbot)
    assert (window.board.axis.low, window.board.axis.high) == pytest.approx((11.0, 13.0))
    assert window.board.axis.selected == (11.0, 13.0)


def test_keys_play_backward_and_step_by_dt(editing: Session, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 5.0)
    dt = editing.simulation.preset.run.dt
    assert dt < editing.simulation.interval
    key(editing, qtbot, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: editing.bridge.snapshot.time == pytest.approx(5.0 + dt, abs=1e-9))
    key(editing, qtbot, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: editing.bridge.snapshot.time == pytest.approx(5.0, abs=1e-9))
    key(editing, qtbot, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: editing.bridge.snapshot.playing and editing.bridge.snapshot.time < 4.9)
    two_frames(editing, qtbot)
    assert editing.window.transport.backward.isChecked()
    key(editing, qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not editing.bridge.snapshot.playing)
    two_frames(editing, qtbot)
    key(editing, qtbot, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: editing.bridge.snapshot.playing and editing.bridge.snapshot.speed > 0)


def test_keys_move_the_time_axis(editing: Session, qtbot: QtBot) -> None:
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
    assert axis.whole
    key(editing, qtbot, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert not axis.following
    assert "stay" in editing.window.status.sentence


def test_keys_work_in_a_floated_panel_too(editing: Session, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 5.0)
    arranger = editing.window.board.arranger
    arranger.arrangement.float("omega")
    floated = arranger.windows["omega"]
    qtbot.waitExposed(floated)
    floated.activateWindow()
    qtbot.waitUntil(floated.isActiveWindow)
    qtbot.keyClick(floated, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: editing.bridge.snapshot.time == pytest.approx(5.01, abs=1e-9))


def test_no_key_stands_for_two_things() -> None:
    keys = [text for group in bound(ACTS).values() for key in group for text in key.keys]
    assert len(keys) == len(set(keys))


def test_the_timeline_offers_what_can_be_done_with_the_range(editing: Session, qtbot: QtBot) -> None:
    window = editing.window
    pause_at(editing, qtbot, 5.0)
    window.board.axis.range_wanted.emit((2.0, 2.4))
    qtbot.waitUntil(lambda: window.board.axis.selected == (2.0, 2.4))
    window.transport.scrubber.offered.emit(QPoint(50, 50), 5.0, None)
    menu = window.transport.scrubber.findChild(QMenu)
    assert menu is not None
    texts = [action.text().split("\t")[0] for action in menu.actions()]
    menu.close()
    assert texts[-5:] == [
        "2.00 to 2.40 s, 0.40 s", "Zoom to the selected times", "Repeat the selected times", "Select no times",
        "What the marks mean…",
    ]  # fmt: skip


def test_the_arrangement_is_remembered_and_reset(editing: Session) -> None:
    board = editing.window.board
    board.arranger.arrangement.stack("omega", "h")
    board.arranger.arrangement.float("drift")
    board.arranger.maximise("omega")
    settings = Settings()
    settings.save(editing.window)
    board.arranger.arrangement.reset()
    assert not board.arranger.windows
    Settings().restore(editing.window)
    assert board.arranger.arrangement.together("omega") == ("h", "omega")
    assert list(board.arranger.windows) == ["drift"]
    assert board.arranger.maximised is None
    Settings().reset(editing.window)
    assert not board.arranger.windows
    assert board.arranger.arrangement.together("omega") == ("omega",)


def test_floats_close_with_the_window(editing: Session) -> None:
    arranger = editing.window.board.arranger
    arranger.arrangement.float("omega")
    window = arranger.windows["omega"]
    editing.window.close()
    assert not window.isVisible()
