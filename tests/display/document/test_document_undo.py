"""The document: edits, undo with a memory limit, listeners, and errors during an edit; without a window."""

import math
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.display.document import document as module
from quatviz.display.document.document import Document, DocumentChange, added_bytes
from quatviz.display.document.state import State
from quatviz.simulation.runner import Snapshot


@pytest.fixture
def document() -> Document:
    return Document(State.default_for(qv.load_preset("torque_free")))


def titled(document: Document, title: str) -> None:
    assert document.propose(title, lambda state: state.with_preset(title=title)) is None


def failing(*_: object) -> None:
    raise ZeroDivisionError("on purpose")


def test_document_and_data_modules_do_not_import_qt() -> None:
    rooms = ("document", "data")
    names = [
        f"quatviz.display.{room}.{path.stem}"
        for room in rooms
        for path in (Path(module.__file__).parents[1] / room).glob("*.py")
        if path.stem != "__init__"
    ]
    code = f"import sys, {', '.join(names)}; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_steps_are_undone_and_redone() -> None:
    computed: list[DocumentChange] = []
    document = Document(State.default_for(qv.load_preset("torque_free")), computed.append)
    first = document.state
    notified: list[State] = []
    document.changed.connect(notified.append)
    titled(document, "two")
    assert (
        document.propose("body", lambda state: state.with_lane_styles(state.lane_styles.with_mode(1, "body")))
        is None
    )
    assert [change.after.preset.title for change in computed] == ["two", "two"]
    assert [change.run is change.old for change in computed] == [False, True], "a color computes nothing"
    assert document.steps[-1].text == "body"
    last = document.state
    document.undo()
    document.undo()
    document.undo()
    assert document.state == first == computed[-1].after == notified[-1]
    assert [step.text for step in document.redo_steps] == ["two", "body"]
    document.redo()
    document.redo()
    document.redo()
    assert document.state == last == computed[-1].after
    assert len(notified) == 6
    assert [change.is_new_step for change in computed] == [True, True, False, False, False, False]
    document.undo(5)
    assert document.state == first
    assert [step.text for step in document.redo_steps] == ["two", "body"]
    assert len(computed) == 7, "all at once"
    document.undo(0)
    document.redo()
    titled(document, "three")
    assert [step.text for step in document.steps + document.redo_steps] == ["two", "three"]
    document.close()


def test_listeners_are_notified_before_the_run_starts() -> None:
    order: list[str] = []

    def compute(change: DocumentChange) -> None:
        assert made.state is change.after
        assert made.simulation is change.run
        assert [step.text for step in made.steps] == ["two"]
        order.append("run")

    made = Document(State.default_for(qv.load_preset("torque_free")), compute)
    made.changed.connect(lambda state: order.append(state.preset.title))
    titled(made, "two")
    assert order == ["two", "run"]


def test_rejected_edits_leave_no_undo_step() -> None:
    computed: list[DocumentChange] = []
    document = Document(State.default_for(qv.load_preset("torque_free")), computed.append)
    before = document.state
    too_long = replace(before.preset.run, duration=1e12)
    refusal = document.propose("long", lambda state: state.with_preset(run=too_long))
    assert refusal is not None, "the run is rejected"
    assert "shorter" in str(refusal.remedy)
    too_fine = document.propose("dt", lambda state: state.with_preset(run=replace(state.preset.run, dt=3e-3)))
    assert too_fine is not None, "creating the state may fail as well"
    assert document.propose("nothing", lambda state: state) is None
    assert document.state == before
    assert not computed
    assert document.steps == document.redo_steps == ()


def test_session_stores_its_cursor_even_for_an_equal_run(document: Document) -> None:
    computed: list[DocumentChange] = []
    document = Document(document.state, computed.append)
    snapshot = Snapshot(time=3.0, playing=False)
    assert document.open("again", lambda state: state, snapshot) is None
    assert [(change.cursor, change.run is change.old) for change in computed] == [(snapshot, True)]
    assert document.steps == ()
    heavy = State.default_for(qv.load_preset("heavy_top"))
    assert document.open("heavy", lambda _: heavy, snapshot) is None
    assert computed[-1].cursor is snapshot
    assert computed[-1].run.preset == heavy.preset


def test_previewed_state_is_no_undo_step(document: Document) -> None:
    titled(document, "two")
    document.preview(State.default_for(qv.load_preset("heavy_top")))
    assert document.state.preset.title != "two"
    assert [step.text for step in document.steps] == ["two"]


def test_edit_markers_belong_only_to_their_states() -> None:
    document = Document(State.default_for(qv.load_preset("heavy_top")), clock=lambda: 15.1)

    def edit(label: str, dt: float) -> None:
        run = replace(document.state.preset.run, dt=dt)
        assert document.propose(label, lambda state: state.with_preset(run=run)) is None

    def marker_words() -> list[tuple[str, ...]]:
        return [edit.words for edit in document.edit_markers]

    edit("ours", 0.5 * document.state.preset.run.dt)
    edit("ours too", 0.5 * document.state.preset.run.dt)
    ours = document.state
    document.preview(State.default_for(qv.load_preset("torque_free")))
    assert marker_words() == [], "it was not edited"
    edit("of what is shown for a while", 0.5 * document.state.preset.run.dt)
    assert marker_words() == [("of what is shown for a while",)]
    document.preview(ours)
    assert marker_words() == [("ours", "ours too")]


def test_error_in_an_edit_leaves_everything_unchanged(document: Document) -> None:
    before = document.state
    with pytest.raises(ZeroDivisionError):
        document.propose("fails", failing)  # type: ignore[arg-type]
    assert document.state is before
    assert document.steps == ()


def test_error_in_undo_leaves_everything_unchanged(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    titled(document, "two")
    run = document.simulation
    monkeypatch.setattr(module, "Simulation", failing)
    with pytest.raises(ZeroDivisionError):
        document.undo()
    assert document.state.preset.title == "two"
    assert document.simulation is run
    assert [step.text for step in document.steps] == ["two"]
    monkeypatch.undo()
    document.undo()
    assert document.steps == ()


def test_failing_listener_does_not_block_others() -> None:
    computed: list[DocumentChange] = []
    states: list[State] = []
    document = Document(State.default_for(qv.load_preset("torque_free")), computed.append)
    document.changed.connect(failing)
    document.changed.connect(states.append)
    with pytest.raises(ZeroDivisionError):
        document.propose("two", lambda state: state.with_preset(title="two"))
    with pytest.raises(ZeroDivisionError):
        document.undo()
    assert [state.preset.title for state in states] == ["two", document.state.preset.title]
    assert len(computed) == 2
    document.changed.disconnect(failing)
    document.redo()
    assert document.state.preset.title == "two"


def test_invalid_undo_step_is_skipped_with_a_message(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    document.message_emitted.connect(lambda sentence, topic: messages.append(sentence))
    first = document.state
    titled(document, "two")
    titled(document, "three")
    genuine = module.Simulation

    def refusing(preset: qv.Preset) -> object:
        if preset.title == "two":
            raise qv.InputError("title", expected="another", found="two", remedy="three", key="title")
        return genuine(preset)

    monkeypatch.setattr(module, "Simulation", refusing)
    document.undo()
    assert document.state.preset.title == "three"
    assert messages == ["title: two"]
    document.undo()
    assert document.state == first


def summed(document: Document, number: int) -> None:
    text = f"step {number}"
    assert document.propose(text, lambda state: state.with_preset(summary=str(number) * 10_000)) is None


def test_many_small_steps_are_kept(document: Document) -> None:
    for number in range(150):
        body = qv.Body(inertia=[400 + 0.1 * number, 300, 200])
        assert document.propose("body", partial(State.with_preset, body=body)) is None
    assert len(document.steps) == 150
    assert 0 < sum(step.size_bytes for step in document.steps) < 150 * 20_000


def test_number_of_steps_is_limited(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_UNDO_STEPS", 3)
    for number in range(5):
        titled(document, f"{number}")
    assert [step.text for step in document.steps] == ["2", "3", "4"]


def test_oldest_steps_are_dropped_and_others_stay_valid(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    counts: list[int] = []
    document.message_emitted.connect(lambda sentence, topic: messages.append(sentence))
    monkeypatch.setattr(module, "MAX_UNDO_BYTES", 60_000)
    for number in range(1, 6):
        summed(document, number)
    assert (len(document.steps), messages) == (5, [])
    document.changed.connect(lambda _: counts.append(len(document.steps)))
    for number in range(6, 10):
        summed(document, number)
    assert len(messages) >= 1
    assert "can no longer be undone" in messages[0]
    assert 0 not in counts, "undo stays possible throughout"
    kept = len(document.steps)
    assert 3 <= kept < 9
    assert sum(step.size_bytes for step in document.steps) <= 60_000
    assert [step.text for step in document.steps] == [f"step {number}" for number in range(10 - kept, 10)]
    for _ in range(kept):
        document.undo()
    assert document.steps == ()
    assert document.state.preset.summary[0] == str(9 - kept)
    for _ in range(kept):
        document.redo()
    assert document.state.preset.summary[0] == "9"


def test_last_step_is_kept_at_any_size(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_UNDO_BYTES", 10)
    summed(document, 1)
    summed(document, 2)
    assert len(document.steps) == 1
    document.undo()
    assert document.state.preset.summary[0] == "1"


def test_data_shared_by_two_states_counts_once() -> None:
    numbers, text = np.zeros(1000), "a" * 5000
    assert added_bytes((numbers, text), None) > 13_000
    assert added_bytes((numbers, text), (numbers,)) < 6000
    assert added_bytes((numbers[:500],), (numbers,)) > 4000


def weighing(document: Document, J: float, goes_on: bool) -> None:
    def make(state: State) -> State:
        return state.with_preset(body=qv.Body(inertia=[J, 300.0, 200.0]))

    assert document.propose("body: inertia", make, goes_on) is None


def test_drag_is_one_undo_step_and_none_if_it_returns() -> None:
    computed: list[DocumentChange] = []
    document = Document(State.default_for(qv.load_preset("torque_free")), computed.append)
    weighing(document, 400.0, False)
    first = document.state
    for J, goes_on in ((390.0, False), (380.0, True), (370.0, True)):
        weighing(document, J, goes_on)
    assert [step.text for step in document.steps] == ["body: inertia"] * 2
    assert [change.coalesces for change in computed] == [False, False, True, True]
    assert document.state.preset.body.inertia[0, 0] == document.simulation.preset.body.inertia[0, 0] == 370.0
    weighing(document, 400.0, True)
    assert (document.state, len(document.steps)) == (first, 1)
    weighing(document, 390.0, False)
    titled(document, "two")
    weighing(document, 380.0, True)
    assert len(document.steps) == 4, "it does not merge with steps before another one"
    document.undo()
    weighing(document, 370.0, True)
    document.undo()
    assert document.state.preset.body.inertia[0, 0] == 390.0


def test_drag_at_the_cursor_branches_at_its_start_time() -> None:
    time = 5.0
    document = Document(State.default_for(qv.load_preset("torque_free")), clock=lambda: time)
    document.branching.set_enabled(True)
    weighing(document, 390.0, False)
    time = 7.0
    weighing(document, 380.0, True)
    (event,) = document.state.preset.events
    assert isinstance(event, qv.ChangeModel)
    assert (event.at, event.body.inertia[0, 0]) == (5.0, 380.0)
    assert [step.time for step in document.steps] == [5.0]


def test_loads_of_one_lane_are_not_edited_at_the_cursor() -> None:
    """They act from the start. The edit is rejected with a remedy, and an edit from the start succeeds."""
    document = Document(State.default_for(qv.load_preset("unwinding")), clock=lambda: 5.0)
    first, *other_lanes = document.state.preset.lanes
    without_loads = (replace(first, loads=()), *other_lanes)
    document.branching.set_enabled(True)
    before = document.state
    refusal = document.propose("loads", lambda state: state.with_preset(lanes=without_loads))
    assert refusal is not None
    assert "loads of one lane apply to the whole run" in str(refusal)
    assert "from the start" in refusal.remedy
    assert document.state is before
    document.branching.set_enabled(False)
    assert document.propose("loads", lambda state: state.with_preset(lanes=without_loads)) is None
    assert document.state.preset.lanes[0].loads == ()


def test_dragged_runs_are_coarse_until_the_drag_rests() -> None:
    computed: list[DocumentChange] = []
    document = Document(State.default_for(qv.load_preset("torque_free")), computed.append)
    for lane in document.simulation:
        lane.solver.steps, lane.solver.seconds = 1, 1e-4
    weighing(document, 400.0, False)
    for lane in document.simulation:
        lane.solver.steps, lane.solver.seconds = 1, 1e-4
    assert all(lane.solver.segment.dt == document.state.preset.run.dt for lane in document.simulation), (
        "it may be typed"
    )
    weighing(document, 390.0, True)
    assert all(lane.solver.segment.dt > document.state.preset.run.dt for lane in document.simulation)
    weighing(document, 395.0, True)
    weighing(document, 390.0, True)
    assert all(math.isnan(lane.solver.cost) for lane in document.simulation), (
        "a fast drag replaces runs that have just started"
    )
    assert all(lane.solver.segment.dt > document.state.preset.run.dt for lane in document.simulation)
    assert document.state.preset.run.dt == qv.load_preset("torque_free").run.dt
    steps = document.steps
    document.finish_drag()
    assert all(lane.solver.segment.dt == document.state.preset.run.dt for lane in document.simulation)
    assert document.simulation.preset.body.inertia[0, 0] == 390.0
    assert (document.steps, computed[-1].is_new_step, computed[-1].coalesces) == (steps, False, True)
    document.finish_drag()
    assert len(computed) == 5, "an accurate run is left alone"


def test_display_uses_the_shown_cursor_and_edits_the_settled_one() -> None:
    """Displays ask in every frame, so they must not wait for the clock of edits."""
    waits: list[float] = []

    def settled() -> float:
        waits.append(7.0)
        return 7.0

    document = Document(
        State.default_for(qv.load_preset("torque_free")), clock=settled, shown_clock=lambda: 5.0
    )
    document.branching.set_enabled(True)
    weighing(document, 390.0, False)
    waits.clear()
    assert document.state_at_edit_time.preset.body.inertia[0, 0] == 400.0
    assert waits == []
    (event,) = document.state.preset.events
    assert event.at == 7.0
