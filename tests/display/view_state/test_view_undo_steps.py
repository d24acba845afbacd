"""Undo steps of view changes: their names, which changes are merged, and their undo; without a window."""

from dataclasses import replace

import pytest

from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.view_layout import ViewLayout
from quatviz.display.view_state.view_state import (
    UNDOABLE_FIELDS,
    ViewState,
    describe_change,
    has_same_choices,
    undoable_part,
    with_undoable_part,
    without_proposal,
)


@pytest.mark.parametrize(
    ("fields", "description"),
    [
        ({"panels": {"omega": True, "h": True}}, "panels"),
        ({"items": {"ground": False}}, "items in 3D"),
        ({"layout": PanelLayout(fronts=("omega",))}, "positions of the panels"),
        ({"options": {"sequence": "313"}}, "sequence 3-1-3"),
        ({"options": {"of a panel": "x"}}, "option of a panel"),
        ({"difference": True}, "difference of the lanes"),
        ({"reference": "two"}, "reference lane"),
        ({"views": ViewLayout(number=4)}, "number of 3D views"),
        ({"views": ViewLayout(linked=False)}, "3D views"),
        ({"magnification": 3}, "magnification in 3D"),
        ({"lane_numbers": False}, "numbers below the lanes"),
        ({"lane_numbers": False, "magnification": 3}, "appearance of the window"),
    ],
)
def test_change_is_named_by_its_fields(fields: dict[str, object], description: str) -> None:
    assert describe_change(ViewState(), ViewState(**fields)) == description  # type: ignore[arg-type]


def test_undoable_part_contains_only_choices() -> None:
    look = ViewState(theme="light", span=(1.0, 2.0), magnification=2, panels={"omega": False})
    chosen = undoable_part(look)
    assert (chosen.theme, chosen.span, chosen.magnification) == ("dark", (), 2)
    assert with_undoable_part(ViewState(theme="light", span=(1.0, 2.0)), chosen) == look
    changed = {name for name in UNDOABLE_FIELDS if getattr(chosen, name) != getattr(ViewState(), name)}
    assert changed == {"magnification", "panels"}


def test_proposal_of_a_preset_is_no_choice_of_the_user() -> None:
    own = ViewState(panels={"energy": False}, lane_numbers=False, magnification=1)
    proposed = ViewState(panels={"*": False, "multiplier": True}, items={"gimbals": True}, magnification=3)
    assert without_proposal(proposed, proposed, own) == own
    shown = replace(
        proposed, panels={**proposed.panels, "omega": True}, items={"gimbals": False}, difference=True
    )
    assert without_proposal(shown, proposed, own) == replace(
        own, panels={"energy": False, "omega": True}, items={"gimbals": False}, difference=True
    )


def test_window_positions_of_panels_are_no_choice() -> None:
    state = ViewState(layout=PanelLayout(floating={"omega": (0, 0, 400, 300)}))
    other = ViewState(layout=PanelLayout(floating={"omega": (9, 9, 400, 300)}))
    assert has_same_choices(state, other)
    assert not has_same_choices(ViewState(), state), "whether a panel is detached is a choice"
    assert not has_same_choices(state, replace(other, difference=True))
