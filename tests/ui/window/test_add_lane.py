"""The dialog that adds lanes describes each formulation, and offers the plot of λ with the first lane that has it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot
from window_steps import add_lanes, editing, open_add_lane_dialog, wait_computed  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.document.comparison import (
    comparison_lanes,
    comparison_session,
    has_nonzero_multiplier,
    new_lanes,
)
from quatviz.display.document.formulation_catalog import by_family, formulation_entry
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.view_state import ALL_OTHERS, ViewState, is_panel_shown
from quatviz.files.formula_cache import formula_cache
from quatviz.physics.formulations import FORMULATIONS
from quatviz.ui.tools.add_lane.dialog import AddLaneDialog
from quatviz.ui.tools.compare.dialog import CompareDialog


def test_several_lanes_are_added_as_one_step(editing: WindowController, qtbot: QtBot) -> None:
    before = editing.document.state.preset.lanes
    add_lanes(editing, "lie_group", "euler_angles/321")
    wait_computed(editing, qtbot)
    assert [lane.formulation for lane in editing.document.state.preset.lanes[len(before) :]] == [
        "lie_group",
        "euler_angles/321",
    ]
    assert editing.document.steps[-1].text == "add 2 lanes"
    editing.document.undo()
    assert editing.document.state.preset.lanes == before


def test_first_lane_with_multiplier_offers_its_plot(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    window.store.update(panels={ALL_OTHERS: False, "h": True})
    dialog = open_add_lane_dialog(editing)
    assert dialog.multiplier_box.isHidden()
    dialog.check_list.toggle(dialog.check_list.item_of("lie_group"))
    assert dialog.multiplier_box.isHidden(), "it has none"
    dialog.check_list.toggle(dialog.check_list.item_of("lagrange_simplified/torque"))
    assert not dialog.multiplier_box.isHidden()
    assert dialog.multiplier_box.isChecked()
    dialog.add_button.click()
    wait_computed(editing, qtbot)
    assert window.board.is_shown("multiplier")
    assert window.board.is_shown("h")
    dialog = open_add_lane_dialog(editing)
    dialog.check_list.toggle(dialog.check_list.item_of("lagrange_full/torque"))
    assert dialog.multiplier_box.isHidden(), "it is shown"
    dialog.reject()
    editing.document.undo()
    assert not window.board.is_shown("multiplier"), "one step undoes both"
    add_lanes_without_plot = open_add_lane_dialog(editing)
    add_lanes_without_plot.check_list.toggle(
        add_lanes_without_plot.check_list.item_of("lagrange_full/torque")
    )
    add_lanes_without_plot.multiplier_box.setChecked(False)
    add_lanes_without_plot.add_button.click()
    assert not window.board.is_shown("multiplier")
    editing.document.undo(2)


def test_unsupported_formulation_shows_the_reason(editing: WindowController) -> None:
    dialog = open_add_lane_dialog(editing)
    assert not dialog.add_button.isEnabled()
    barred = dialog.check_list.item_of("ring_damper")
    assert not barred.flags() & Qt.ItemFlag.ItemIsUserCheckable
    dialog.check_list.setCurrentItem(barred)
    assert "Expected a body with a ring" in dialog.picker.details.refusal_label.text()
    dialog.reject()


def test_formulation_is_found_described_and_added_by_keys(editing: WindowController, qtbot: QtBot) -> None:
    dialog = open_add_lane_dialog(editing)
    details = dialog.picker.details
    dialog.search_field.setFocus()
    QTest.keyClicks(dialog.search_field, "projected")
    assert details.title_label.text() == "Lagrange, projected"
    assert "λ is eliminated" in details.sentence_label.text()
    assert details.facts_label.text() == "8 states; no multiplier; no singularity."
    assert "Sherif, Nachbagauer and Steiner (2015), eqs. 25, 33" in details.citation_label.text()
    qtbot.waitUntil(lambda: details.equation_label.sizeHint().height() > 0)
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Return)
    assert dialog.check_list.checked_names == ["lagrange_projected"]
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Tab)
    QTest.keyClick(dialog.check_list, Qt.Key.Key_Return)
    assert editing.document.state.preset.lanes[-1].formulation == "lagrange_projected"
    editing.document.undo()


def test_family_headings_hide_with_their_formulations(editing: WindowController) -> None:
    dialog = open_add_lane_dialog(editing)
    check_list = dialog.check_list
    assert sorted(check_list.names) == sorted(new_lanes())
    dialog.search_field.setText("3-1-2")
    visible = [
        check_list.item(row).text()
        for row in range(check_list.count())
        if not check_list.item(row).isHidden()
    ]
    assert visible == ["Lagrange, three coordinates", "Lagrange in Euler angles: 3-1-2"]
    dialog.reject()


@pytest.mark.parametrize("dialog_class", [AddLaneDialog, CompareDialog])
def test_dialogs_fit_a_small_screen(editing: WindowController, dialog_class: type[QDialog]) -> None:
    editing.window.action_registry["add_lane" if dialog_class is AddLaneDialog else "compare"].trigger()
    dialog = editing.window.findChildren(dialog_class)[-1]
    assert dialog.minimumSizeHint().width() <= 1240
    assert dialog.minimumSizeHint().height() <= 680
    dialog.reject()


@pytest.mark.parametrize("lane_id", new_lanes())
def test_every_formulation_has_a_description(lane_id: str) -> None:
    entry = formulation_entry(lane_id)
    assert len(entry.sentence.split()) >= 4
    assert entry.sentence.endswith(".")
    assert entry.equation
    assert all(formula_cache().render(latex) for part in entry.equation for latex in part if latex)
    assert not any(f"{tag}(" in entry.citation for tag in ("S0", "S1", "S2", "S3", "S4"))
    assert "states" in entry.facts


def test_described_variants_are_told_apart_by_their_sentences() -> None:
    """The list showed "torque", "split" and "gradient" without an explanation."""
    described = [form for form in FORMULATIONS.values() if form.variant_summaries]
    assert {"lagrange_full", "lagrange_simplified", "udwadia_schutte_fundamental", "hamilton_canonical"} <= {
        form.name for form in described
    }
    for form in described:
        assert set(form.variant_summaries) == set(form.variants)
        sentences = {formulation_entry(f"{form.name}/{variant}").sentence for variant in form.variants}
        assert len(sentences) == len(form.variants)


def test_every_formulation_has_a_family_and_euler_sequences_come_late() -> None:
    assert all(form.family != "Others" for form in FORMULATIONS.values() if not form.is_recorded)
    families = list(by_family(new_lanes()))
    assert families.index("Lagrange, three coordinates") > families.index("Udwadia–Schutte")


@pytest.mark.parametrize(
    ("preset", "lane_id", "expected"),
    [
        ("torque_free", "lagrange_full/split", False),
        ("torque_free", "lagrange_simplified/torque", True),
        ("point_force", "lagrange_full/torque", False),
        ("point_force", "lagrange_full/split", True),
        ("heavy_top", "hamilton_canonical/literal", True),
        ("heavy_top", "newton_euler", False),
    ],
)
def test_zero_lambda_is_known_before_the_run(preset: str, lane_id: str, expected: bool) -> None:
    assert has_nonzero_multiplier(qv.load_preset(preset), qv.Lane(lane_id)) is expected


def test_loads_of_the_lane_itself_count_for_its_lambda() -> None:
    force = qv.PointForce(force=[0.0, 0.0, -1.0], point=[0.0, 0.0, 1.0])
    lane = qv.Lane("lagrange_full/split", loads=[force])
    assert has_nonzero_multiplier(qv.load_preset("torque_free"), lane)


def test_comparison_keeps_the_panels_of_the_preset() -> None:
    preset = qv.load_preset("gimbal_lock")
    assert preset.path is not None
    current = read_session(preset.path).view_state
    assert current is not None
    lanes = comparison_lanes(preset)
    compared = comparison_session(
        preset, lanes, ["newton_euler", "lagrange_full/torque"], current=current
    ).view_state
    assert compared is not None
    shown = {name for name, on in compared.panels.items() if on}
    assert shown == {"euler_angles", "det_s", "orientation_errors", "drift"}, "λ is zero"
    assert compared.items == current.items
    assert compared.options == current.options
    with_lambda = comparison_session(
        preset, lanes, ["newton_euler", "lagrange_simplified/torque"], current=current
    ).view_state
    assert with_lambda is not None
    assert with_lambda.panels["multiplier"]
    overview = comparison_session(
        preset, lanes, ["newton_euler", "hamilton"], current=ViewState(overview=True)
    ).view_state
    assert overview is not None
    assert is_panel_shown(overview, "h", False)
    assert not is_panel_shown(overview, "multiplier", True)
