"""A recording in the real window: a ghost and curves with gaps, no menu that adds one without a file, and a story where it is
gone."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from window_steps import editing, two_frames, wait_computed  # noqa: F401

import quatviz as qv
from quatviz.app import Session
from quatviz.document.state import State


def beside(state: State, reading: qv.Reading) -> State:
    lane = qv.Lane("recording", recording=reading, name="phone")
    grown = state.with_preset(lanes=(*state.preset.lanes, lane))
    return grown.with_display(state.display.added())


@pytest.fixture
def reading(tmp_path: Path) -> qv.Reading:
    """What Newton's and Euler's equations give, without a fifth of the run."""
    lane = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=5.0)["exact"]
    kept = (lane.t < 1.0) | (lane.t > 2.0)
    qv.write_recording(
        qv.Recording(lane.t[kept], p=lane.p[kept], omega=lane.omega[kept]), tmp_path / "throw.csv"
    )
    return qv.Reading(file="throw.csv").beside(tmp_path)


def test_it_is_a_ghost_with_gaps_and_says_when_its_file_is_gone(
    editing: Session, qtbot: QtBot, reading: qv.Reading
) -> None:
    window = editing.window
    assert editing.document.propose("phone", lambda state: beside(state, reading)) is None
    wait_computed(editing, qtbot)
    two_frames(editing, qtbot)
    lane = editing.simulation["phone"]
    known = np.isfinite(lane.p).all(axis=1)
    assert known.any()
    assert not known.all()
    assert window.board.choices.reference == "newton_euler", "it is no measure of what others have wrong"
    row = window.side.lane_list.rows[2]
    assert {name for name, block in row.form.blocks.items() if not block.isHidden()} == {
        "formulation",
        "name",
    }
    titles = [action.text() for action in window.side.lane_list.menu.actions()]
    assert "Exact solution" in titles
    assert "Recording" not in titles, "it begins with a file"
    assert reading.folder is not None
    (reading.folder / "throw.csv").unlink()
    torque = (qv.Torque(torque=[0.0, 0.0, 0.1]),)
    assert editing.document.propose("push", lambda state: state.with_preset(loads=torque)) is None
    wait_computed(editing, qtbot)
    two_frames(editing, qtbot)
    assert editing.simulation["phone"].status == "no_recording"
    assert "throw.csv" in row.message.text()
    assert editing.simulation["newton_euler"].status in ("running", "ok")


def test_a_file_that_is_dropped_is_a_lane_and_one_step(
    editing: Session, qtbot: QtBot, reading: qv.Reading
) -> None:
    assert reading.folder is not None
    said: list[str] = []
    editing.document.said.connect(lambda text, topic: said.append(text))
    editing.window.desk.drop(reading.folder / "throw.csv")
    wait_computed(editing, qtbot)
    two_frames(editing, qtbot)
    assert editing.simulation["throw"].status in ("ok", "recording_ended")
    assert "rates in body axes" in said[-1]
    editing.window.desk.drop(reading.folder / "throw.csv")
    assert [lane.name for lane in editing.document.state.preset.lanes][2:] == ["throw", "throw (2)"]
    editing.document.undo()
    editing.document.undo()
    assert len(editing.document.state.preset.lanes) == 2
    (reading.folder / "bad.csv").write_text("no table")
    editing.window.desk.drop(reading.folder / "bad.csv")
    assert "columns of numbers" in editing.window.side.picker.problem.text()
    assert len(editing.document.state.preset.lanes) == 2
    assert editing.window.acts["import"].isEnabled()
