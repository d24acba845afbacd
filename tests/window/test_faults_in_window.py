"""Faults injected one by one into the real window: each ends in a sentence on the screen and loses nothing recorded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, two_frames, wait_computed  # noqa: F401

import quatviz as qv
from quatviz.app import Session
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
        window.side.lane_list.rows[1:], ended, ("grew beyond", "Newton iteration found no midpoint"), strict=True
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
