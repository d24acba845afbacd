"""What a change of a look is called, which changes are one, and how the document takes them back. No window."""

from dataclasses import replace

import pytest

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.view_layout import ViewLayout
from quatviz.display.view_state.view_state import (
    UNDOABLE_FIELDS,
    ViewState,
    describe_change,
    is_coalescible,
    undoable_part,
    with_undoable_part,
)

PANELS, ITEMS = {"omega": "Angular velocity"}, {"ground": "Ground"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"panels": {"omega": False}}, "hide “Angular velocity”"),
        ({"panels": {"omega": True}}, "show “Angular velocity”"),
        ({"panels": {"omega": True, "h": True}}, "panels"),
        ({"items": {"ground": False}}, "hide “Ground”"),
        ({"layout": PanelLayout(fronts=("omega",))}, "places of the panels"),
        ({"options": {"sequence": "313"}}, "sequence 3-1-3"),
        ({"options": {"of a panel": "x"}}, "form of a panel"),
        ({"difference": True}, "difference of the lanes"),
        ({"reference": "two"}, "reference lane"),
        ({"views": ViewLayout(number=4)}, "number of 3D views"),
        ({"views": ViewLayout(linked=False)}, "3D views"),
        ({"magnification": 3}, "magnification in 3D"),
        ({"lane_numbers": False}, "numbers below the lanes"),
        ({"lane_numbers": False, "magnification": 3}, "look"),
    ],
)
def test_a_change_is_called_by_what_changed(fields: dict[str, object], words: str) -> None:
    assert describe_change(ViewState(), ViewState(**fields), PANELS, ITEMS) == words  # type: ignore[arg-type]


def test_choices_are_taken_and_the_rest_stays() -> None:
    look = ViewState(theme="light", span=(1.0, 2.0), magnification=2, panels={"omega": False})
    chosen = undoable_part(look)
    assert (chosen.theme, chosen.span, chosen.magnification) == ("dark", (), 2)
    assert with_undoable_part(ViewState(theme="light", span=(1.0, 2.0)), chosen) == look
    changed = {name for name in UNDOABLE_FIELDS if getattr(chosen, name) != getattr(ViewState(), name)}
    assert changed == {"magnification", "panels"}


def test_only_moves_and_magnifications_go_on() -> None:
    one = ViewState(layout=PanelLayout(floating={"omega": (0, 0, 400, 300)}))
    other = ViewState(layout=PanelLayout(floating={"omega": (9, 9, 400, 300)}))
    assert is_coalescible(one, other)
    assert is_coalescible(ViewState(magnification=1), ViewState(magnification=2))
    assert not is_coalescible(ViewState(), one)
    assert not is_coalescible(one, replace(other, difference=True))


def test_looks_and_edits_are_taken_back_in_their_order() -> None:
    document = Document(State.default_for(qv.load_preset("torque_free")))
    looks = [ViewState(), ViewState(difference=True), ViewState(difference=True, magnification=1)]
    document.record_view_change(looks[0], "", False)
    assert not document.steps, "nothing was known before"
    document.record_view_change(looks[1], "difference", False)
    document.propose("title", lambda state: State.default_for(replace(state.preset, title="two")))
    assert document.state.view_state == looks[1], "an edit that says nothing of the look keeps it"
    document.record_view_change(looks[2], "magnification", False)
    assert [step.text for step in document.steps] == ["difference", "title", "magnification"]
    seen = []
    while document.steps:
        document.undo()
        seen.append((document.state.preset.title == "two", document.state.view_state))
    assert seen == [(True, looks[1]), (False, looks[1]), (False, looks[0])]
    document.redo()
    assert document.state.view_state == looks[1]


def test_what_goes_on_is_one_step_and_what_is_undone_is_not_gone_on_with() -> None:
    document = Document(State.default_for(qv.load_preset("torque_free")))
    for power in range(4):
        document.record_view_change(ViewState(magnification=power), "magnification", True)
    assert [step.text for step in document.steps] == ["magnification"]
    document.undo()
    assert document.state.view_state == ViewState()
    document.record_view_change(ViewState(magnification=5), "magnification", True)
    assert (len(document.steps), document.redo_steps) == (1, ())
