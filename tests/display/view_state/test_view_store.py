"""The store of the view state, and its undo steps in the document, without a QApplication."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view_state_samples import single_field_changes

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.panel_arrangement import PanelArrangement
from quatviz.display.view_state.view_state import (
    FIELD_CATEGORIES,
    MACHINE_LOCAL,
    UNDOABLE,
    ViewState,
    has_same_choices,
    undoable_part,
)
from quatviz.display.view_state.view_store import ViewStore


@cache
def _first_state() -> State:
    return State.default_for(qv.load_preset("torque_free"))


def _document(view_state: ViewState | None = None) -> Document:
    return Document(_first_state(), view=ViewStore(view_state))


def test_slots_receive_old_and_new_state() -> None:
    store, seen = ViewStore(), []
    store.changed.connect(lambda old, new: seen.append((old.difference, new.difference)))
    store.update(difference=True)
    store.update(difference=True)
    assert seen == [(False, True)], "an update that changes nothing is not announced"


def test_change_requested_by_a_slot_follows_the_current_one() -> None:
    store, seen = ViewStore(), []

    def follow(old: ViewState, new: ViewState) -> None:
        store.update(follow=not new.difference)

    store.changed.connect(follow)
    store.changed.connect(lambda old, new: seen.append((new.difference, new.follow)))
    store.update(difference=True)
    assert seen == [(True, True), (True, False)]


def test_failing_slot_blocks_neither_other_slots_nor_the_undo_step() -> None:
    document, seen = _document(), []

    def failing(old: ViewState, new: ViewState) -> None:
        raise ValueError("no such panel")

    document.view.changed.connect(failing)
    document.view.changed.connect(lambda old, new: seen.append(new.difference))
    with pytest.raises(ValueError, match="no such panel"):
        document.view.update(difference=True)
    assert seen == [True]
    assert [step.text for step in document.steps] == ["difference of the lanes"]


@pytest.mark.parametrize(("name", "field", "changed"), single_field_changes(), ids=lambda value: str(value))
def test_only_choices_are_undo_steps(name: str, field: str, changed: ViewState) -> None:
    document = _document()
    document.view.update(**{field: getattr(changed, field)})
    assert document.view.state == changed
    assert len(document.steps) == (FIELD_CATEGORIES[field] == UNDOABLE)
    if document.steps:
        document.undo()
        assert document.view.state == ViewState()
        document.redo()
        assert document.view.state == changed
    assert (FIELD_CATEGORIES[field] == MACHINE_LOCAL) == (field in {"theme", "scale", "splitter"})


_UPDATES = st.sampled_from(
    [{field: getattr(changed, field)} for _, field, changed in single_field_changes()]
    + [{field: getattr(ViewState(), field)} for field in FIELD_CATEGORIES]
)


@given(st.lists(_UPDATES, max_size=12))
@settings(deadline=None, max_examples=100)
def test_all_updates_can_be_undone_and_redone(updates: list[dict[str, Any]]) -> None:
    document = _document()
    for fields in updates:
        document.view.update(**fields)
    end, count = document.view.state, len(document.steps)
    document.undo(count)
    assert has_same_choices(document.view.state, ViewState())
    assert document.state.view_state == undoable_part(document.view.state)
    for _ in range(count):
        document.redo()
    assert has_same_choices(document.view.state, end)
    assert document.view.state.theme == end.theme, "screen fields are unchanged"


def test_choices_and_edits_are_undone_in_their_order() -> None:
    document = _document()
    document.view.update(difference=True)
    document.propose("title", lambda state: State.default_for(replace(state.preset, title="two")))
    assert document.view.state.difference, "an edit keeps the view state"
    document.view.update(magnification=1)
    assert [step.text for step in document.steps] == [
        "difference of the lanes",
        "title",
        "magnification in 3D",
    ]
    seen = []
    while document.steps:
        document.undo()
        view_state = document.view.state
        seen.append((document.state.preset.title == "two", view_state.difference, view_state.magnification))
    assert seen == [(True, True, 0), (False, True, 0), (False, False, 0)]


def test_repeated_coalescing_changes_are_one_step() -> None:
    document = _document()
    for power in range(4):
        document.view.update(magnification=power, coalesce=True)
    assert [step.text for step in document.steps] == ["magnification in 3D"]
    document.undo()
    assert document.view.state == ViewState()
    document.view.update(magnification=5, coalesce=True)
    assert (len(document.steps), document.redo_steps) == (1, ())


def test_coalescing_changes_that_cancel_leave_no_step() -> None:
    document = _document()
    for power in (1, 0):
        document.view.update(magnification=power, coalesce=True)
    assert document.steps == ()


def test_redo_steps_survive_a_moved_window() -> None:
    document = _document()
    arrangement = PanelArrangement(["omega", "h"], document.view)
    arrangement.detach("omega")
    arrangement.set_window_box("omega", (0, 0, 400, 300))
    document.view.update(difference=True)
    document.undo()
    arrangement.set_window_box("omega", (3, 0, 400, 300))
    assert [step.text for step in document.redo_steps] == ["difference of the lanes"]
    document.redo()
    assert document.view.state.layout.floating == {"omega": (3, 0, 400, 300)}
    document.undo()
    assert document.view.state.layout.floating == {"omega": (3, 0, 400, 300)}, "undo does not move it"


def test_docked_window_reopens_at_its_position() -> None:
    document = _document()
    arrangement = PanelArrangement(["omega", "h"], document.view)
    arrangement.detach("omega")
    arrangement.set_window_box("omega", (60, 70, 500, 400))
    arrangement.dock("omega")
    assert document.view.state.layout == PanelLayout()
    document.undo()
    assert arrangement.floating == {"omega": (60, 70, 500, 400)}


def test_unknown_panels_stay_in_the_layout_while_a_window_moves() -> None:
    layout = PanelLayout(fronts=("z", "omega"), floating={"omega": (), "of a plug-in": ()})
    document = _document(ViewState(layout=layout))
    arrangement = PanelArrangement(["omega", "h"], document.view)
    arrangement.set_window_box("omega", (1, 2, 300, 300))
    assert not document.steps
    assert document.view.state.layout == replace(
        layout, floating={"omega": (1, 2, 300, 300), "of a plug-in": ()}
    )


def test_nothing_is_recorded_during_a_lesson() -> None:
    document = _document(ViewState(difference=True))
    document.view.is_recording = False
    document.view.update(magnification=2)
    document.view.assign(ViewState())
    document.preview(State.default_for(replace(_first_state().preset, title="of the lesson")))
    assert not document.steps
    document.view.is_recording = True
    document.view.assign(ViewState(difference=True))
    document.view.update(magnification=1)
    document.undo()
    assert document.view.state == ViewState(difference=True)


def test_assigned_state_is_no_undo_step() -> None:
    document = _document()
    document.view.assign(ViewState(difference=True, magnification=3))
    assert not document.steps
    document.view.update(difference=False)
    document.undo()
    assert document.view.state == ViewState(difference=True, magnification=3)


def test_undo_restores_the_view_state_of_the_previous_run() -> None:
    document = _document(ViewState(magnification=1))
    new = State.default_for(replace(_first_state().preset, title="other"))
    view_state = ViewState(difference=True, span=(1.0, 2.0), theme="light")
    assert document.open("open", lambda _: new, show=lambda _: view_state) is None
    assert document.view.state == view_state
    document.undo()
    assert document.view.state == replace(view_state, difference=False, magnification=1)


def test_choices_of_a_board_follow_the_store() -> None:
    document = _document()
    choices, changes = Choices(document.view), []
    choices.changed.connect(lambda: changes.append(choices.difference))
    document.view.update(difference=True)
    document.undo()
    assert changes == [True, False]
