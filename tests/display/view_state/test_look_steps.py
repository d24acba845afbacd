"""What a change of a look is called, which changes are one, and how the document takes them back. No window."""

from dataclasses import replace

import pytest

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.arrangement import Layout
from quatviz.display.view_state.view_layout import Plan
from quatviz.display.view_state.view_state import CHOSEN, Look, chosen_of, is_one_move, with_chosen, words_of

PANELS, ITEMS = {"omega": "Angular velocity"}, {"ground": "Ground"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"panels": {"omega": False}}, "hide “Angular velocity”"),
        ({"panels": {"omega": True}}, "show “Angular velocity”"),
        ({"panels": {"omega": True, "h": True}}, "panels"),
        ({"items": {"ground": False}}, "hide “Ground”"),
        ({"layout": Layout(fronts=("omega",))}, "places of the panels"),
        ({"options": {"sequence": "313"}}, "sequence 3-1-3"),
        ({"options": {"of a panel": "x"}}, "form of a panel"),
        ({"difference": True}, "difference of the lanes"),
        ({"reference": "two"}, "reference lane"),
        ({"views": Plan(number=4)}, "number of 3D views"),
        ({"views": Plan(linked=False)}, "3D views"),
        ({"magnification": 3}, "magnification in 3D"),
        ({"lane_numbers": False}, "numbers below the lanes"),
        ({"lane_numbers": False, "magnification": 3}, "look"),
    ],
)
def test_a_change_is_called_by_what_changed(fields: dict[str, object], words: str) -> None:
    assert words_of(Look(), Look(**fields), PANELS, ITEMS) == words  # type: ignore[arg-type]


def test_choices_are_taken_and_the_rest_stays() -> None:
    look = Look(theme="light", span=(1.0, 2.0), magnification=2, panels={"omega": False})
    chosen = chosen_of(look)
    assert (chosen.theme, chosen.span, chosen.magnification) == ("dark", (), 2)
    assert with_chosen(Look(theme="light", span=(1.0, 2.0)), chosen) == look
    changed = {name for name in CHOSEN if getattr(chosen, name) != getattr(Look(), name)}
    assert changed == {"magnification", "panels"}


def test_only_moves_and_magnifications_go_on() -> None:
    one = Look(layout=Layout(floating={"omega": (0, 0, 400, 300)}))
    other = Look(layout=Layout(floating={"omega": (9, 9, 400, 300)}))
    assert is_one_move(one, other)
    assert is_one_move(Look(magnification=1), Look(magnification=2))
    assert not is_one_move(Look(), one)
    assert not is_one_move(one, replace(other, difference=True))


def test_looks_and_edits_are_taken_back_in_their_order() -> None:
    document = Document(State.of(qv.load_preset("torque_free")))
    looks = [Look(), Look(difference=True), Look(difference=True, magnification=1)]
    document.shown_as(looks[0], "", False)
    assert not document.steps, "nothing was known before"
    document.shown_as(looks[1], "difference", False)
    document.propose("title", lambda state: State.of(replace(state.preset, title="two")))
    assert document.state.look == looks[1], "an edit that says nothing of the look keeps it"
    document.shown_as(looks[2], "magnification", False)
    assert [step.text for step in document.steps] == ["difference", "title", "magnification"]
    seen = []
    while document.steps:
        document.undo()
        seen.append((document.state.preset.title == "two", document.state.look))
    assert seen == [(True, looks[1]), (False, looks[1]), (False, looks[0])]
    document.redo()
    assert document.state.look == looks[1]


def test_what_goes_on_is_one_step_and_what_is_undone_is_not_gone_on_with() -> None:
    document = Document(State.of(qv.load_preset("torque_free")))
    for power in range(4):
        document.shown_as(Look(magnification=power), "magnification", True)
    assert [step.text for step in document.steps] == ["magnification"]
    document.undo()
    assert document.state.look == Look()
    document.shown_as(Look(magnification=5), "magnification", True)
    assert (len(document.steps), document.undone) == (1, ())
