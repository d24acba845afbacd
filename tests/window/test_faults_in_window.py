"""Faults injected one by one into the real window: each ends in a sentence on the screen and loses nothing recorded."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shiboken6
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, two_frames, wait_computed  # noqa: F401

import quatviz as qv
from quatviz.app import Session
from quatviz.simulation.commands import Play
from quatviz.simulation.compilation import compile_preset
from quatviz.simulation.simulation import Simulation
from quatviz.ui.editing import State
from quatviz.ui.lane_ends import End
from quatviz.ui.plotting.time_panel import TimePanel

LANES = (
    qv.Lane("newton_euler", name="good"),
    qv.Lane("hamilton", dt=5.0, name="blown up"),
    qv.Lane("newton_euler", integrator="implicit_midpoint", dt=5.0, name="not found"),
)
"""The second one's kernel gives NaN, the third one's Newton iteration finds nothing."""
RUN = qv.RunSettings(duration=1000.0, dt=1e-2, sample_interval=5.0)


@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")  # plots of numbers near the largest
def test_nan_and_newton_end_their_lanes_with_a_sentence_and_the_others_go_on(
    editing: Session, qtbot: QtBot
) -> None:
    def failing(state: State) -> State:
        return State.of(state.with_preset(run=RUN, lanes=LANES).preset)

    compile_preset(failing(editing.editor.state).preset)
    assert editing.editor.propose("fail", failing) is None
    wait_computed(editing, qtbot)
    window, run = editing.window, editing.simulation
    pause_at(editing, qtbot, 900.0)
    good, *ended = run
    assert [lane.status for lane in ended] == ["not_finite", "step_failed"]
    for row, lane, words in zip(
        window.side.lane_list.rows[1:],
        ended,
        ("grew beyond", "Newton iteration found no midpoint"),
        strict=True,
    ):
        assert row.message.isVisibleTo(window)
        assert words in row.message.text()
        assert f"t = {lane.ended_at:g} s" in row.message.text()
        assert lane.samples >= 2
        assert np.isfinite(lane.history.rows).all(), "what was recorded before stays, and nothing else"
    alone = Simulation(replace(run.preset, lanes=LANES[:1]))
    alone.complete()
    assert good.digest == alone["good"].digest
    marks = [mark for mark in window.transport.scrubber._marks if isinstance(mark, End)]
    assert {mark.time for mark in marks} == {lane.computed_to for lane in ended}
    panel = next(one for one in window.board.panels if one.name == "omega")
    assert isinstance(panel, TimePanel)
    assert {trace.lane for trace in panel.plots[0].traces if trace.ended} == {"blown up", "not found"}


def test_an_opengl_context_that_is_lost_is_made_anew_and_the_window_plays_on(
    editing: Session, qtbot: QtBot
) -> None:
    window = editing.window
    window.views.set_number(2)
    pause_at(editing, qtbot, 3.0)
    first = window.views._shared.graphics
    assert first is not None
    before = [view.grab().toImage() for view in window.views.shown]
    shiboken6.delete(first._context)  # all that lived in it is gone
    pause_at(editing, qtbot, 3.01)
    second = window.views._shared.graphics
    assert second is not None
    assert second is not first
    assert not any(view.as_lines for view in window.views.shown)
    qtbot.waitUntil(lambda: "context was lost" in window.statusBar().currentMessage())
    pause_at(editing, qtbot, 3.0)
    assert [view.grab().toImage() for view in window.views.shown] == before
    shiboken6.delete(second._context)  # again, before a hundred pictures: who would trust a third one
    editing.bridge.send(Play())
    qtbot.waitUntil(lambda: all(view.as_lines for view in window.views.shown))
    qtbot.waitUntil(lambda: "drawn as lines" in window.statusBar().currentMessage())
    qtbot.waitUntil(lambda: editing.bridge.snapshot.time > 3.2)
    assert all(lane.status == "ok" for lane in editing.simulation)


def test_a_session_whose_file_vanishes_is_told_and_the_run_stays(
    editing: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    window, desk = editing.window, editing.window.desk
    folder = tmp_path / "stick"
    folder.mkdir()
    kept, bar = folder / "kept.toml", window.statusBar()
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
    desk.fill_recent(menu)
    assert "kept.toml" not in [action.text() for action in menu.actions()]
    desk.save()
    assert kept.is_file(), "it is written anew where it was"
    shutil.rmtree(folder)  # the stick is pulled out
    desk.save()
    assert "no such folder; nothing was written" in bar.currentMessage()
    assert editing.simulation["newton_euler"].digest == stored
    assert editing.editor.stack.count() == 0
