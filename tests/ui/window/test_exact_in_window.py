"""The exact lane in the real window: reference of differences, and compatible with every edit."""

from dataclasses import replace

from pytestqt.qtbot import QtBot
from window_steps import editing, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.document.state import State
from quatviz.files.preset import Lane
from quatviz.simulation.compilation import compile_preset


def with_exact(state: State) -> State:
    grown = state.with_preset(lanes=(*state.preset.lanes, Lane("exact")))
    return grown.with_lane_styles(state.lane_styles.with_lane_added())


def test_reference_follows_the_availability_of_the_exact_lane(
    editing: WindowController, qtbot: QtBot
) -> None:
    choices = editing.window.board.choices
    assert choices.reference == "newton_euler"
    assert editing.document.propose("exact", with_exact) is None
    wait_computed(editing, qtbot)
    assert editing.simulation["exact"].status == "ok"
    assert choices.reference == "exact"
    damping = (qv.Damping(coefficient=1.0),)
    # Compiled here, because a child process yields to all other work on the machine while this window plays.
    compile_preset(replace(editing.simulation.preset, loads=damping))
    assert editing.document.propose("damp", lambda state: state.with_preset(loads=damping)) is None
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    assert editing.simulation["exact"].status == "no_closed_form"
    assert editing.simulation["hamilton"].samples == editing.simulation.samples
    assert choices.reference == "newton_euler"
    row = editing.window.side.lane_list.rows[2]
    assert "these loads act: damping" in row.message.text()
    assert row.heading.accessibleName().endswith("no closed form")
    editing.document.undo()
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    assert editing.simulation["exact"].status == "ok"
    assert choices.reference == "exact"
    assert not row.message.isVisibleTo(editing.window)


def test_exact_lane_has_no_step_setting(editing: WindowController, qtbot: QtBot) -> None:
    assert editing.document.propose("exact", with_exact) is None
    wait_two_frames(editing, qtbot)
    blocks = editing.window.side.lane_list.rows[2].form.rows
    assert {name for name, block in blocks.items() if not block.isHidden()} == {"formulation", "name"}


def test_reference_chosen_by_the_user_stays(editing: WindowController, qtbot: QtBot) -> None:
    editing.window.board.choices.set_reference("hamilton")
    assert editing.document.propose("exact", with_exact) is None
    wait_two_frames(editing, qtbot)
    assert editing.window.board.choices.reference == "hamilton"
    editing.window.board.choices.set_reference("exact")
    editing.window.board.store.update(difference=True)
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    assert editing.window.board.choices.reference == "exact"
