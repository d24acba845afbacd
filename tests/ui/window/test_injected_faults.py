"""Injected faults in the real window: each gives a message on the screen and loses no recorded data."""

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shiboken6
from PySide6.QtGui import QOpenGLContext
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing, inertia_entry, pause_at, type_value, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.document.state import State
from quatviz.display.document.timeline_markers import LaneEndMarker
from quatviz.display.document.user_files import delete_session_files
from quatviz.display.panels.base.curves import Trace
from quatviz.display.view_state.session import read_session
from quatviz.files import files
from quatviz.files.preset import Preset
from quatviz.simulation.commands import Play
from quatviz.simulation.compilation import compile_preset
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation
from quatviz.ui.plots import strip_plot
from quatviz.ui.plots.panel_layout import PanelHost
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.scene.gl_resources import GraphicsContext
from quatviz.ui.transport import scrubber
from quatviz.ui.window.process_hooks import install_exception_hook

LANES = (
    qv.Lane("newton_euler", name="good"),
    qv.Lane("hamilton", dt=5.0, name="blown up"),
    qv.Lane("newton_euler", integrator="implicit_midpoint", dt=5.0, name="not found"),
)
"""The second lane's kernel gives NaN, and the third one's Newton iteration does not converge."""
RUN = qv.RunSettings(duration=1000.0, dt=1e-2, sample_interval=5.0)


@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")  # plots of numbers near the largest float
def test_failing_lanes_end_with_a_message_and_others_continue(
    editing: WindowController, qtbot: QtBot
) -> None:
    def failing(state: State) -> State:
        return State.default_for(state.with_preset(run=RUN, lanes=LANES).preset)

    compile_preset(failing(editing.document.state).preset)
    assert editing.document.propose("fail", failing) is None
    wait_computed(editing, qtbot)
    window, run = editing.window, editing.simulation
    pause_at(editing, qtbot, 900.0)
    good, *ended = run
    assert [lane.status for lane in ended] == ["not_finite", "step_failed"]
    for row, lane, message in zip(
        window.side.lane_list.rows[1:],
        ended,
        ("became too large", "Newton iteration found no midpoint"),
        strict=True,
    ):
        assert row.message.isVisibleTo(window)
        assert message in row.message.text()
        assert f"t = {lane.ended_at:g} s" in row.message.text()
        assert lane.samples >= 2
        assert np.isfinite(lane.history.rows).all(), "only the samples recorded before the failure stay"
    alone = Simulation(replace(run.preset, lanes=LANES[:1]))
    alone.complete()
    assert good.digest == alone["good"].digest
    marks = [mark for mark in window.transport.scrubber.markers if isinstance(mark, LaneEndMarker)]
    assert {mark.time for mark in marks} == {lane.computed_to for lane in ended}
    panel = next(candidate for candidate in window.board.panels if candidate.name == "omega")
    assert isinstance(panel, TimeView)
    died = {lane.name: lane.ended_at for lane in ended}
    traces = panel.plots[0].traces
    assert {
        candidate.lane: candidate.end_point[0] for candidate in traces if candidate.end_point is not None
    } == died, "when their messages say"


def lose(graphics: GraphicsContext) -> None:
    """Destroy the OpenGL context and all its resources."""
    graphics.make_current()
    shiboken6.delete(QOpenGLContext.currentContext())


def test_lost_opengl_context_is_recreated(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    window.views.set_number(2)
    pause_at(editing, qtbot, 3.0)
    first = window.views.shared_graphics.graphics
    assert first is not None
    before = [view.grab().toImage() for view in window.views.shown_views]
    lose(first)
    pause_at(editing, qtbot, 3.01)
    second = window.views.shared_graphics.graphics
    assert second is not None
    assert second is not first
    assert not any(view.is_wireframe for view in window.views.shown_views)
    qtbot.waitUntil(lambda: "context was lost" in window.status.message)
    pause_at(editing, qtbot, 3.0)
    assert [view.grab().toImage() for view in window.views.shown_views] == before
    lose(second)  # again, before a hundred pictures: a third context would not be reliable
    editing.frame_loop.send(Play())
    qtbot.waitUntil(lambda: all(view.is_wireframe for view in window.views.shown_views))
    qtbot.waitUntil(lambda: "drawn as lines" in window.status.message)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time > 3.2)
    assert all(lane.status == "ok" for lane in editing.simulation)


def test_vanished_session_file_is_reported_and_the_run_stays(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    window, desk = editing.window, editing.window.file_actions
    folder = tmp_path / "stick"
    folder.mkdir()
    kept, bar = folder / "kept.toml", window.status
    desk.save_as(kept)
    menu = QMenu()
    desk.fill_recent(menu)
    recent = next(action for action in menu.actions() if action.text() == "kept.toml")
    kept.unlink()  # while the menu is open
    before, stored = editing.simulation, editing.simulation["newton_euler"].digest
    recent.trigger()
    assert window.side.picker.problem.isVisibleTo(window)
    assert "kept.toml" in window.side.picker.problem.text()
    assert editing.simulation is before
    menu.clear()
    desk.fill_recent(menu)
    assert "kept.toml" not in [action.text() for action in menu.actions()]
    desk.save()
    assert kept.is_file(), "it is written again to its path"
    shutil.rmtree(folder)  # the drive is removed
    desk.save()
    assert "no such folder; nothing was written" in bar.message
    assert editing.simulation["newton_euler"].digest == stored
    assert editing.document.steps == ()


def test_worker_exception_is_reported_and_recorded_samples_stay(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance, window = LaneRun.advance, editing.window

    def failing(lane: LaneRun, count: int, *most: int) -> None:
        if lane.samples > 1000:
            raise ZeroDivisionError("of the test")
        advance(lane, min(count, 500), *most)

    monkeypatch.setattr(LaneRun, "advance", failing)
    type_value(inertia_entry(editing), "410")
    qtbot.waitUntil(lambda: "Computing stopped: of the test" in window.status.message)
    assert window.status.learn_more_button.isVisibleTo(window), "a link offers help"
    run = editing.simulation
    assert "quatviz-worker" not in {thread.name for thread in threading.enumerate()}
    stored = [lane.samples for lane in run]
    assert all(1000 < samples < run.samples for samples in stored)
    whole = Simulation(run.preset)
    monkeypatch.undo()
    whole.complete()
    for lane, samples in zip(run, stored, strict=True):
        assert (lane.history.rows == whole[lane.name].history.rows[:samples]).all()
    wait_two_frames(editing, qtbot)
    frame = editing.frame_loop.frame
    assert frame is not None
    assert all(lane.computed_to >= 10.0 for lane in frame.lanes), "the recorded samples are shown"
    editing.document.undo()
    wait_computed(editing, qtbot)
    assert editing.worker.error is None, "the next run computes again"


def test_exception_in_undo_is_reported_and_the_run_stays(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, document = editing.window, editing.document
    type_value(inertia_entry(editing), "410")
    wait_computed(editing, qtbot)
    run = editing.simulation

    def failing(preset: Preset) -> Simulation:
        raise ZeroDivisionError("of the test")

    with qtbot.captureExceptions(), monkeypatch.context() as broken:
        install_exception_hook(window.messages.show)
        broken.setattr("quatviz.display.document.document.Simulation", failing)
        window.side.undo_button.click()
    assert "Internal error: of the test" in window.status.message
    assert editing.simulation is run
    assert [step.text for step in document.steps] == ["body: inertia"]
    assert document.state.preset.body.inertia[0, 0] == 410.0
    window.side.undo_button.click()
    wait_computed(editing, qtbot)
    assert document.steps == ()
    assert editing.simulation.preset.body.inertia[0, 0] == 400.0
    window.side.redo_button.click()
    wait_computed(editing, qtbot)
    assert editing.simulation["hamilton"].digest == run["hamilton"].digest


def test_painting_error_of_a_panel_is_reported_and_others_continue(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, stored = editing.window, editing.simulation["hamilton"].digest
    panel = next(candidate for candidate in window.board.panels if candidate.name == "omega")
    assert isinstance(panel, TimeView)
    draw, mine = strip_plot.trace_paths, list(panel.plots)

    def failing(traces: list[Trace], *of: Any) -> object:
        if any(trace is own for trace in traces for plot in mine for own in plot.traces):
            raise ZeroDivisionError("cannot draw this")
        return draw(traces, *of)

    monkeypatch.setattr(strip_plot, "trace_paths", failing)
    window.board.axis.zoom(0.5, 10.0)
    qtbot.waitUntil(lambda: "cannot draw this" in window.status.message)
    assert "Angular velocity" in window.status.message
    slots = {slot.name: slot for slot in window.board.findChildren(PanelHost)}
    assert [name for name, slot in slots.items() if slot.view is None and window.board.is_shown(name)] == [
        "omega"
    ]
    wait_two_frames(editing, qtbot)
    assert editing.simulation["hamilton"].digest == stored
    assert editing.worker.error is None


def test_painting_error_of_a_window_part_is_reported(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = editing.window

    class Fault(Exception):
        """An exception type that has not been reported yet."""

    def failing(*_: object) -> None:
        raise Fault("no timeline")

    monkeypatch.setattr(scrubber, "jump_markers", failing)
    window.resize(window.width() - 20, window.height())  # markers have other positions
    qtbot.waitUntil(lambda: window.status.message == "Internal error: no timeline")
    editing.frame_loop.send(Play())
    before = editing.frame_loop.snapshot.time
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time != before)


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_full_disk_is_reported_when_saving_and_for_recovery(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, bar = editing.window, editing.window.status
    saved = tmp_path / "run.toml"
    window.file_actions.save_as(saved)
    before = saved.read_bytes()

    monkeypatch.setattr(files.os, "fsync", full)
    type_value(inertia_entry(editing), "410")
    qtbot.waitUntil(lambda: "Autosave failed: no space left" in bar.message)
    bar.clear()
    window.file_actions.save()
    assert "no space left on the disk" in bar.message
    assert "free some space" in bar.message
    assert saved.read_bytes() == before
    bar.clear()
    editing.autosave.save_if_changed()
    qtbot.waitUntil(lambda: not editing.autosave.has_pending)
    editing.autosave.save_if_changed()
    qtbot.waitUntil(lambda: not editing.autosave.has_pending)
    assert not bar.message, "the same reason is not repeated every two seconds"
    monkeypatch.undo()  # the disk has space again
    recovery = editing.window.file_actions.recovery_file.path
    qtbot.waitUntil(lambda: recovery.is_file() and read_session(recovery).preset.body.inertia[0, 0] == 410.0)
    window.file_actions.save()
    assert read_session(saved).preset.body.inertia[0, 0] == 410.0


def test_full_disk_on_closing_keeps_the_recovery_file(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session could not be saved as the last one, and then its recovery file was deleted as well."""
    type_value(inertia_entry(editing), "420")
    recovery = editing.window.file_actions.recovery_file.path
    qtbot.waitUntil(lambda: recovery.is_file() and read_session(recovery).preset.body.inertia[0, 0] == 420.0)
    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", full)
        editing.window.close()
    assert read_session(recovery).preset.body.inertia[0, 0] == 420.0
    delete_session_files(recovery)
