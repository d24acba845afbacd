"""The comparison dialog: chosen formulations are shown together, in one undo step."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidgetItem
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base.resources import preset_folder
from quatviz.display.document.comparison import comparison_lanes, comparison_session, unsupported_forms
from quatviz.display.document.lane_laws import new_lane_loads_note
from quatviz.display.view_state.session import Session as Kept
from quatviz.display.view_state.view_layout import ALL_LANES
from quatviz.display.view_state.view_state import ALL_OTHERS
from quatviz.files.preset import Lane
from quatviz.simulation.compilation import compile_preset
from quatviz.ui.plots.panel_layout import PanelHost
from quatviz.ui.tools.compare.dialog import CompareDialog
from quatviz.ui.tools.importing.dialog import ImportDialog
from quatviz.ui.window.settings import Settings


def opened(session: WindowController) -> CompareDialog:
    session.window.action_registry["compare"].trigger()
    return session.window.findChildren(CompareDialog)[-1]


def item_of(dialog: CompareDialog, name: str) -> QListWidgetItem:
    return dialog.check_list.item_of(name)


def tick(dialog: CompareDialog, *names: str) -> None:
    for name in dialog.check_list.names:
        item = item_of(dialog, name)
        if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            item.setCheckState(Qt.CheckState.Checked if name in names else Qt.CheckState.Unchecked)


def test_two_formulations_are_compared_and_undone(editing: WindowController, qtbot: QtBot) -> None:
    window, before = editing.window, editing.window.view_state
    lanes = [lane.formulation for lane in editing.document.state.preset.lanes]
    dialog = opened(editing)
    assert sorted(dialog.check_list.checked_names) == sorted(lanes)
    assert item_of(dialog, "newton_euler").text() == "Newton–Euler"
    tick(dialog, lanes[0])
    assert not dialog.compare_button.isEnabled()
    assert "at least two" in dialog.note.text()
    tick(dialog, "newton_euler", "exact")
    dialog.compare_button.click()
    wait_computed(editing, qtbot)
    qtbot.waitUntil(lambda: len(window.equation_window.cards) == 2)
    assert {lane.formulation.id for lane in editing.simulation} == {"newton_euler", "exact"}
    assert not window.findChildren(CompareDialog), "an answered question leaves no dialog"
    assert window.view_state.views.number == 2
    assert window.board.is_shown("orientation_errors")
    assert not window.board.is_shown("multiplier"), "none has one"
    assert window.equation_window.docked_lane == ALL_OTHERS
    assert window.vertical_splitter.indexOf(window.equation_window) == 1, "below the run"
    low = window.equation_window.cards[0].minimumWidth()
    editing.document.undo()
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    assert [lane.formulation for lane in editing.document.state.preset.lanes] == lanes
    assert (window.view_state.views, window.view_state.equations) == (before.views, "")
    assert not window.equation_window.isVisible()
    window.equation_window.dock_button.click()
    assert window.equation_window.isWindow()
    window.equation_window.open(ALL_OTHERS)
    qtbot.waitUntil(lambda: bool(window.equation_window.cards))
    assert window.equation_window.cards[0].minimumWidth() > low, (
        "the narrower below the run, where there is little room"
    )


def test_unsupported_formulation_shows_the_reason(editing: WindowController) -> None:
    dialog = opened(editing)
    barred = item_of(dialog, "ring_damper")
    assert not barred.flags() & Qt.ItemFlag.ItemIsUserCheckable
    assert "Expected a body with a ring" in barred.toolTip()
    assert "Not available for this motion: 2" in dialog.note.text()
    dialog.reject()


def test_typed_search_and_enter_check_a_formulation(editing: WindowController) -> None:
    dialog = opened(editing)
    before = dialog.check_list.checked_names
    QTest.keyClicks(dialog.search_field, "3-1-2")
    names = dialog.check_list.names
    assert [name for name in names if not item_of(dialog, name).isHidden()] == ["euler_angles/312"]
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Return)
    assert dialog.isVisible(), "Enter checks the match and does nothing else"
    assert set(dialog.check_list.checked_names) == {*before, "euler_angles/312"}
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Return)
    assert dialog.check_list.checked_names == before
    dialog.search_field.clear()
    assert not any(item_of(dialog, name).isHidden() for name in names)
    dialog.reject()


def test_enter_compares_the_checked_formulations(editing: WindowController) -> None:
    dialog = opened(editing)
    dialog.search_field.setFocus()
    QTest.keyClicks(dialog.search_field, "torque")
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.check_list
    QTest.keyClick(dialog.check_list, Qt.Key.Key_Down)
    QTest.keyClick(dialog.check_list, Qt.Key.Key_Space)
    chosen = dialog.check_list.checked_names
    QTest.keyClick(dialog.check_list, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert [lane.formulation for lane in editing.document.state.preset.lanes] == chosen


def test_search_matches_beginnings_of_words(editing: WindowController) -> None:
    """“gra” of gradient occurs in the text of every Lagrange formulation."""
    dialog = opened(editing)
    QTest.keyClicks(dialog.search_field, "full: gra")
    shown = [name for name in dialog.check_list.names if not item_of(dialog, name).isHidden()]
    assert shown == ["lagrange_full/gradient", "lagrange_full/gradient_closed"]
    dialog.reject()


def test_list_keys_move_among_the_matches(editing: WindowController) -> None:
    """Home selected a name that the search hides, and Space toggled it."""
    dialog = opened(editing)
    QTest.keyClicks(dialog.search_field, "3-1-2")
    before = dialog.check_list.checked_names
    QTest.keyClick(dialog.search_field, Qt.Key.Key_Tab)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
        QTest.keyClick(dialog.check_list, key)
        assert not dialog.check_list.currentItem().isHidden()
    QTest.keyClick(dialog.check_list, Qt.Key.Key_Space)
    assert dialog.check_list.checked_names == [*before, "euler_angles/312"]
    dialog.reject()


@pytest.mark.parametrize(
    ("typed", "expected", "excluded"),
    [
        ("lambda", {"lagrange_full/torque", "hamilton_canonical/direct"}, {"newton_euler", "exact"}),
        ("gyroscope", {"lagrange_full/torque", "lagrange_simplified/split"}, {"hamilton", "exact"}),
        ("quaternion", {"newton_euler", "hamilton"}, {"euler_angles/321", "rotation_vector"}),
        ("momentum", {"hamilton"}, {"newton_euler"}),
    ],
)
def test_formulations_are_found_by_keywords(
    editing: WindowController, typed: str, expected: set[str], excluded: set[str]
) -> None:
    dialog = opened(editing)
    QTest.keyClicks(dialog.search_field, typed)
    shown = {name for name in dialog.check_list.names if not item_of(dialog, name).isHidden()}
    assert expected <= shown
    assert not excluded & shown
    assert dialog.check_list.currentItem().data(Qt.ItemDataRole.UserRole) in shown
    dialog.reject()


def test_search_without_matches_suggests_words(editing: WindowController) -> None:
    dialog = opened(editing)
    before = dialog.note.text()
    QTest.keyClicks(dialog.search_field, "xyzzy")
    assert "No formulation matches “xyzzy”" in dialog.note.text()
    for word in ("Lagrange", "Euler angles", "momentum", "lambda"):
        assert word in dialog.note.text()
        dialog.search_field.setText(word)
        assert "No formulation" not in dialog.note.text(), "the suggested words have matches"
        dialog.search_field.setText("xyzzy")
    dialog.search_field.clear()
    assert dialog.note.text() == before
    dialog.reject()


def test_excess_lanes_share_a_view_with_a_note(editing: WindowController) -> None:
    names = ["hamilton", "newton_euler", "lagrange_projected", "lie_group", "exact", "udwadia_schutte"]
    dialog = opened(editing)
    tick(dialog, *names[:4])
    assert "share one 3D view" not in dialog.note.text()
    tick(dialog, *names[:5])
    assert "More than four lanes share one 3D view" in dialog.note.text()
    dialog.reject()
    preset = editing.document.state.preset
    for count, shown in ((2, names[:2]), (3, [*names[:3], ALL_LANES]), (4, names[:4]), (6, [ALL_LANES])):
        session = comparison_session(preset, comparison_lanes(preset), names[:count])
        assert session.view_state is not None
        assert session.view_state.views.lane_of_each_view(names[:count]) == shown


def show_compiled(session: WindowController, shown: Kept) -> None:
    """Show this session with kernels compiled in advance. Otherwise the window would draw until child processes have compiled
    them."""
    compile_preset(shown.preset)
    session.window.file_actions.show_session(shown, "compare")


@pytest.mark.parametrize("count", [2, 4, 6])
def test_lambda_and_difference_panels_are_the_largest(
    editing: WindowController, qtbot: QtBot, count: int
) -> None:
    window, preset = editing.window, editing.document.state.preset
    names = ["newton_euler", "lagrange_full/torque", "hamilton", "exact", "lie_group", "lagrange_projected"]
    before = window.splitter.sizes()
    show_compiled(editing, comparison_session(preset, comparison_lanes(preset), names[:count]))
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    slots = {slot.name: slot for slot in window.board.findChildren(PanelHost) if slot.is_drawn}
    assert set(slots) == {"orientation_errors"}, (
        "drift is stacked behind the differences, and λ of this motion is zero"
    )
    pictures = [view.width() * view.height() for view in window.views.shown_views]
    for slot in slots.values():
        assert slot.width() * slot.height() > 0.9 * max(pictures)
    editing.document.undo()
    wait_computed(editing, qtbot)
    assert window.splitter.sizes() == before
    editing.document.redo()
    wait_computed(editing, qtbot)
    assert window.splitter.sizes() != before
    editing.document.undo()
    wait_computed(editing, qtbot)
    assert window.splitter.sizes() == before


def test_proposed_layout_belongs_to_its_preset(editing: WindowController, qtbot: QtBot) -> None:
    window, preset = editing.window, editing.document.state.preset
    before, person = window.splitter.sizes(), window.view_state.splitter
    show_compiled(
        editing, comparison_session(preset, comparison_lanes(preset), ["newton_euler", "exact", "hamilton"])
    )
    wait_computed(editing, qtbot)
    wait_two_frames(editing, qtbot)
    drawn = [width + by for width, by in zip(window.splitter.sizes(), (0, 40, -40), strict=True)]
    window.splitter.setSizes(drawn)
    window.action_registry["lane_numbers"].trigger()
    editing.document.undo()
    assert window.splitter.sizes() == drawn, "the user's changes stay while it is shown"
    editing.settings.save(window)
    assert Settings().view_state.splitter == person
    assert Settings().view_state.division == ()
    compile_preset(qv.load_preset("half_turn"))
    window.file_actions.open(preset_folder() / "half_turn.toml")
    wait_computed(editing, qtbot)
    assert window.splitter.sizes() == before


def test_euler_sequences_are_listed_last() -> None:
    names = list(comparison_lanes(qv.load_preset("torque_free").with_run(lanes=[Lane("hamilton")])))
    assert [name.partition("/")[0] for name in names[-12:]] == ["euler_angles"] * 12
    assert sum(name.startswith("euler_angles") for name in names) == 12


def test_lanes_of_the_run_keep_order_and_colors() -> None:
    """Lanes of one formulation moved together, and others took their colors, without any change of the choice."""
    preset = qv.load_preset("off_the_sphere")
    lanes = comparison_lanes(preset)
    of_run = [name for name in lanes if any(lane in preset.lanes for lane in lanes[name])]
    assert comparison_session(preset, lanes, of_run).preset.lanes == preset.lanes
    more = comparison_session(preset, lanes, [*of_run, "rotation_vector"]).preset.lanes
    assert more == (*preset.lanes, *lanes["rotation_vector"])


def test_small_window_compares_in_one_view() -> None:
    """At 150 % on 1366 x 768, four views were 180 pixels wide, with cut names and overlapping arrows."""
    preset = qv.load_preset("gimbal_lock")
    lanes = comparison_lanes(preset)
    chosen = [name for name in lanes if any(lane in preset.lanes for lane in lanes[name])]
    looks = [comparison_session(preset, lanes, chosen, width).view_state for width in (911, 1280)]
    assert [look.views.number for look in looks if look is not None] == [1, 4]


def test_lane_of_the_run_keeps_its_settings_in_the_comparison() -> None:
    preset = qv.load_preset("six_lambdas").with_run(
        lanes=[Lane("lagrange_full", name="mine", dt=2e-3), Lane("hamilton")]
    )
    lanes = comparison_lanes(preset)
    session = comparison_session(preset, lanes, ["lagrange_full/torque", "hamilton", "newton_euler"])
    assert session.preset.lanes == (*preset.lanes, Lane("newton_euler"))
    assert session.view_state is not None
    assert session.view_state.views.number == 4
    assert not session.view_state.panels["multiplier"], "λ of the torque form is zero"
    split = comparison_session(preset, lanes, ["lagrange_full/split", "hamilton"]).view_state
    assert split is not None
    assert split.panels["multiplier"]
    without = comparison_session(preset, lanes, ["hamilton", "newton_euler"]).view_state
    assert without is not None
    assert not without.panels["multiplier"]
    able = {"ring_damper", "ring_damper_as_printed", "exact", "one_angle"}
    assert set(unsupported_forms(qv.load_preset("ring_damper"), lanes)) == set(lanes) - able


LAWS = qv.TorqueLaw(law="n = -p[1:] - omega"), qv.TorqueLaw(law="n = -2*p[1:] - 3*omega")
FRICTION = qv.Damping(coefficient=0.1)


def test_new_lane_gets_the_loads_of_the_lanes_that_it_is_compared_with() -> None:
    """A new lane beside lanes with torque laws of their own rotated freely, and the comparison said nothing about it."""
    preset = qv.load_preset("torque_free").with_run(
        lanes=[
            Lane("hamilton", name="soft", loads=[FRICTION, LAWS[0]]),
            Lane("newton_euler", loads=[LAWS[1], FRICTION]),
        ]
    )
    lanes = comparison_lanes(preset)
    session = comparison_session(preset, lanes, ["hamilton", "newton_euler", "lagrange_full/split"])
    assert session.preset.lanes[:2] == preset.lanes
    assert session.preset.lanes[2].loads == (FRICTION, LAWS[0])
    assert new_lane_loads_note(preset) == "New lanes get the loads of the lane soft: Damping, Own law."


def test_loads_of_single_lanes_are_not_given_to_new_lanes() -> None:
    preset = qv.load_preset("torque_free").with_run(
        lanes=[Lane("hamilton"), Lane("newton_euler", loads=[FRICTION])]
    )
    assert comparison_lanes(preset)["exact"][0].loads == ()
    assert new_lane_loads_note(preset) == "The loads of single lanes do not act on new lanes."
    same = preset.with_run(lanes=[replace(lane, loads=[FRICTION]) for lane in preset.lanes])
    assert comparison_lanes(same)["exact"][0].loads == (FRICTION,)
    assert new_lane_loads_note(same) == "", "no lane differs from the others"


def test_dialog_says_which_loads_a_new_lane_gets(editing: WindowController) -> None:
    lanes = tuple(
        replace(lane, loads=[LAWS[number % 2]])
        for number, lane in enumerate(editing.document.state.preset.lanes)
    )
    assert editing.document.propose("laws", lambda state: state.with_preset(lanes=lanes)) is None
    dialog = opened(editing)
    note = dialog.note.text()
    assert "New lanes" not in note
    dialog.check_list.toggle(item_of(dialog, "lie_group"))
    assert dialog.note.text().endswith(": Own law."), dialog.note.text()
    dialog.reject()


def test_click_on_a_name_toggles_its_check_box(editing: WindowController) -> None:
    dialog = opened(editing)
    ticks, item = dialog.check_list, item_of(dialog, "exact")
    ticks.scrollToItem(item)
    rect = ticks.visualItemRect(item)
    box = QPoint(rect.left() + 14, rect.center().y())
    for at in (rect.center(), box):
        QTest.mouseClick(ticks.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert "exact" in ticks.checked_names
        QTest.mouseClick(ticks.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert "exact" not in ticks.checked_names
    dialog.reject()


def test_file_is_compared_by_importing_it(editing: WindowController, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of another run, for example, which become a lane."""
    dialog = opened(editing)
    asked = []
    monkeypatch.setattr(ImportDialog, "ask_files", lambda self: asked.append(self))
    dialog.file_button.click()
    assert len(asked) == 1
    assert not dialog.isVisible()
