"""The dialog for typed formulations: checked, typeset and judged while typing, and added as a lane."""

import pytest
from pytestqt.qtbot import QtBot
from window_steps import add_lanes, editing, wait_computed  # noqa: F401

from quatviz.analysis.user_formulations.lagrange_text import LAGRANGE_EXAMPLE
from quatviz.app import WindowController
from quatviz.files.formula_cache import formula_cache
from quatviz.files.preset_reading import parse_preset
from quatviz.files.preset_writing import format_preset
from quatviz.physics.typed_formulations.templates import TEMPLATES
from quatviz.ui.tools.compare.dialog import CompareDialog
from quatviz.ui.tools.write_formulation.dialog import FormulationDialog


def open_dialog(session: WindowController) -> FormulationDialog:
    session.window.side.lane_list.write_button.click()
    return session.window.findChildren(FormulationDialog)[-1]


def wait_judged(dialog: FormulationDialog, qtbot: QtBot, expected: str) -> None:
    qtbot.waitUntil(lambda: expected in dialog.verdict.text, timeout=20_000)


@pytest.mark.parametrize("number", range(len(TEMPLATES)))
def test_each_template_follows_the_motion(editing: WindowController, qtbot: QtBot, number: int) -> None:
    dialog = open_dialog(editing)
    dialog.show_definition(TEMPLATES[number][1])
    wait_judged(dialog, qtbot, f"{TEMPLATES[number][1].name} follows the motion")
    assert dialog.add_button.isEnabled()
    dialog.reject()


def test_errors_are_shown_while_typing(editing: WindowController, qtbot: QtBot) -> None:
    dialog = open_dialog(editing)
    rates = dialog.areas["rates"].toPlainText()
    dialog.areas["rates"].setPlainText(rates.replace("cross", "crass"))
    qtbot.waitUntil(lambda: not dialog.add_button.isEnabled())
    assert "crass" in dialog.fault.text()
    assert "cross" in dialog.fault.text()  # the nearest name
    assert "line 1" in dialog.fault.text()
    dialog.areas["rates"].setPlainText(rates.replace("n - cross", "n + cross"))
    wait_judged(dialog, qtbot, "the gyroscopic term has the wrong sign")
    dialog.areas["rates"].setPlainText(rates)
    wait_judged(dialog, qtbot, "follows the motion")
    dialog.reject()


def test_typed_formulation_is_added_and_updated_as_a_lane(editing: WindowController, qtbot: QtBot) -> None:
    before = editing.document.state.preset.lanes
    dialog = open_dialog(editing)
    dialog.name_field.setText("typed_by_hand")
    qtbot.waitUntil(lambda: dialog.definition is not None and dialog.definition.name == "typed_by_hand")
    dialog.add_button.click()
    wait_computed(editing, qtbot)
    lanes = editing.document.state.preset.lanes
    assert [lane.formulation for lane in lanes[len(before) :]] == ["typed_by_hand"]
    assert parse_preset(format_preset(editing.document.state.preset)) == editing.document.state.preset
    again = open_dialog(editing)
    assert again.name_field.text() == "typed_by_hand"
    assert again.add_button.text() == "Update lane"
    rates = again.areas["rates"].toPlainText()
    again.areas["rates"].setPlainText(rates.replace("n - cross", "n + cross"))
    qtbot.waitUntil(lambda: again.definition is not None and "n + cross" in again.definition.rates)
    again.add_button.click()
    wait_computed(editing, qtbot)
    assert len(editing.document.state.preset.lanes) == len(lanes)
    equations = editing.document.state.preset.lanes[-1].equations
    assert equations is not None
    assert "n + cross" in equations.rates
    editing.document.undo()
    assert editing.document.state.preset.lanes == lanes
    editing.document.undo()
    assert editing.document.state.preset.lanes == before
    wait_computed(editing, qtbot)


def test_fault_of_the_name_is_shown_at_the_name(editing: WindowController, qtbot: QtBot) -> None:
    """The name of a class was shown below the heading of the verification."""
    dialog = open_dialog(editing)
    dialog.name_field.setText("my-law")
    qtbot.waitUntil(lambda: not dialog.add_button.isEnabled())
    assert dialog.name_note.text() == "Name: use letters, digits and _, and begin with a letter."
    assert dialog.name_note.objectName() == "refusal"
    assert dialog.name_field.is_refused
    assert dialog.fault.isHidden()
    dialog.name_field.setText("newton_euler")
    qtbot.waitUntil(lambda: "used by the program" in dialog.name_note.text())
    dialog.name_field.setText("my own law")
    qtbot.waitUntil(lambda: dialog.definition is not None)
    assert dialog.definition is not None
    assert dialog.definition.name == "my_own_law"
    assert dialog.name_note.objectName() == "muted"
    assert not dialog.name_field.is_refused
    dialog.reject()


def test_formulation_gets_the_law_of_the_first_lane_if_all_lanes_have_their_own(
    editing: WindowController, qtbot: QtBot
) -> None:
    """The new lane ran without any law, and differed from the others for this reason alone."""
    editing.window.action_registry["lane_laws"].trigger()
    before = editing.document.state.preset.lanes
    assert not editing.document.state.preset.loads
    dialog = open_dialog(editing)
    dialog.add_button.click()
    wait_computed(editing, qtbot)
    lanes = editing.document.state.preset.lanes
    assert len(lanes) == len(before) + 1
    assert lanes[-1].equations is not None
    assert lanes[-1].loads == before[0].loads != ()
    add_lanes(editing, "lie_group")
    assert editing.document.state.preset.lanes[-1].loads == before[0].loads
    editing.document.undo(len(editing.document.steps))
    dialog = open_dialog(editing)
    dialog.add_button.click()
    assert editing.document.state.preset.lanes[-1].loads == ()
    wait_computed(editing, qtbot)


def test_equations_are_typeset(editing: WindowController, qtbot: QtBot) -> None:
    dialog = open_dialog(editing)
    formula = r"\dot{\omega} = J^{-1}\left(n - \omega\times J\,\omega\right)"
    qtbot.waitUntil(lambda: not list(formula_cache().missing_formulae([formula])), timeout=20_000)
    dialog.reject()


def test_compare_dialog_opens_typed_formulations(editing: WindowController) -> None:
    editing.window.action_registry["compare"].trigger()
    comparison = editing.window.findChildren(CompareDialog)[-1]
    comparison.write_button.click()
    assert not comparison.isVisible()
    dialog = editing.window.findChildren(FormulationDialog)[-1]
    assert dialog.isVisible()
    dialog.reject()


def test_own_laws_have_the_same_name_everywhere(editing: WindowController) -> None:
    window = editing.window
    action = window.action_registry["lane_laws"]
    window.action_registry["compare"].trigger()
    comparison = window.findChildren(CompareDialog)[-1]
    buttons = [
        comparison.laws_button,
        window.side.lane_list.laws_button,
        window.side.setup.lane_loads.laws_button,
    ]
    assert [button.text() for button in buttons] == 3 * [action.text().replace("&", "")]
    comparison.laws_button.click()
    assert not comparison.isVisible()
    assert all(
        any(load.name == "torque_law" for load in lane.loads) for lane in editing.document.state.preset.lanes
    )
    assert window.side.sections["Loads"].is_open


def test_equations_are_derived_from_energies(editing: WindowController, qtbot: QtBot) -> None:
    dialog = open_dialog(editing)
    assert dialog.derive_button.isHidden()
    dialog.show_definition(LAGRANGE_EXAMPLE)
    assert not dialog.derive_button.isHidden()
    assert dialog.definition is None
    assert not dialog.add_button.isEnabled()
    dialog.derive_button.click()
    qtbot.waitUntil(lambda: dialog.definition is not None, timeout=60_000)
    assert dialog.definition is not None
    assert "theta_rate' = a[1]" in dialog.definition.rates
    assert dialog.derive_button.isHidden()
    qtbot.waitUntil(lambda: "follows the motion" in dialog.verdict.text, timeout=60_000)
    dialog.areas["rates"].setPlainText("omega = [a', b', 0]\nT = a'**2")
    dialog.check_now()
    dialog.derive_button.click()
    qtbot.waitUntil(lambda: "rates of three coordinates" in dialog.fault.text(), timeout=60_000)
    dialog.reject()
