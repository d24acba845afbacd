"""Changes are saved shortly after they are made. While nothing is changed, no timer looks for changes."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, inertia_entry, type_value, wait_two_frames  # noqa: F401

from quatviz.app import WindowController
from quatviz.display.view_state.session import read_session
from quatviz.files import files
from quatviz.simulation.commands import Pause, Play, Seek
from quatviz.ui.window.settings import Settings


@pytest.fixture
def idle(editing: WindowController, qtbot: QtBot) -> Iterator[WindowController]:
    """Return the window after all changes have been saved."""
    timer = editing.save_timer
    timer.setInterval(0)
    timer.schedule()
    qtbot.waitUntil(lambda: not timer.isActive() and editing.autosave.is_settled)
    timer.setInterval(100_000_000)
    yield editing
    timer.stop()
    timer.setInterval(2000)


def test_time_and_playback_start_no_save(idle: WindowController, qtbot: QtBot) -> None:
    for command in (Play(), Seek(3.0), Pause(), Seek(1.0)):
        idle.frame_loop.send(command)
        wait_two_frames(idle, qtbot)
    assert not idle.save_timer.isActive()


@pytest.mark.parametrize("change", ["edit", "undo", "view", "camera", "theme", "geometry"])
def test_every_change_starts_one_save(idle: WindowController, qtbot: QtBot, change: str) -> None:
    window, timer = idle.window, idle.save_timer
    if change in ("edit", "undo"):
        type_value(inertia_entry(idle), "420")
        if change == "undo":
            timer.stop()
            idle.document.undo()
    elif change == "view":
        window.board.show_panel("energy", False)
    elif change == "camera":
        window.scene.move_camera(lambda camera: camera.orbit(0.4, 0.2))
    elif change == "theme":
        window.store.update(theme="light")
    else:
        window.resize(window.width() - 20, window.height())
    qtbot.waitUntil(timer.isActive)
    before = timer.remainingTime()
    idle.document.changed.emit(idle.document.state)
    assert timer.remainingTime() <= before, "further changes do not delay the save"


def test_change_is_written_and_then_the_timer_stops(idle: WindowController, qtbot: QtBot) -> None:
    recovery, timer = idle.window.file_actions.recovery_file.path, idle.save_timer
    timer.setInterval(0)
    type_value(inertia_entry(idle), "430")
    idle.window.board.show_panel("energy", False)
    qtbot.waitUntil(lambda: not timer.isActive() and idle.autosave.is_settled)
    saved = read_session(recovery)
    assert saved.preset.body.inertia[0, 0] == 430.0
    assert saved.view_state is not None
    assert saved.view_state.panels["energy"] is False
    assert Settings().view_state.panels["energy"] is False


def test_failed_save_is_retried_until_written(
    idle: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    timer, attempts = idle.save_timer, []

    def full(*_: object) -> None:
        attempts.append(True)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    timer.setInterval(0)
    type_value(inertia_entry(idle), "440")
    qtbot.waitUntil(lambda: len(attempts) >= 2)
    assert not idle.autosave.is_settled
    monkeypatch.undo()
    qtbot.waitUntil(lambda: not timer.isActive() and idle.autosave.is_settled)
    assert read_session(idle.window.file_actions.recovery_file.path).preset.body.inertia[0, 0] == 440.0
