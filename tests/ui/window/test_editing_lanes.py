"""Lanes in the real window: adding, changing, removing, body or ghost, ends."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from window_steps import (  # noqa: F401
    add_lanes,
    editing,
    pause_at,
    restore_settings,
    type_value,
    wait_computed,
    wait_two_frames,
)

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.document.edits import duplicate_lane
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import DARK
from quatviz.physics.mechanics.stabilisation import STABILISATIONS
from quatviz.ui.plots.panel_view import PanelView
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.widgets.entries import LineEntry


def chip_menu(editing: WindowController, lane: int, text: str) -> None:
    """Trigger an entry of a lane's menu."""
    menu = QMenu(editing.window)
    editing.window.side.lane_list.rows[lane].fill_menu(menu)
    next(action for action in menu.findChildren(QAction) if action.text() == text).trigger()
    menu.deleteLater()


def glass(editing: WindowController) -> list:
    scene = editing.window.scene
    return [mesh for mesh in scene.stage.meshes if mesh in scene.stage.primitives_of("ghosts")]


def ghosts(editing: WindowController) -> list[bool]:
    """Return which lanes are drawn as ghosts. They coincide with the body, so that their meshes are hidden."""
    frame = editing.frame_loop.frame
    assert frame is not None
    return [lane.visible and lane.drawn and not lane.solid for lane in frame.lanes]


def lanes_of(panel: PanelView) -> list[str]:
    """Return the lanes that the first plot of a panel shows."""
    assert isinstance(panel, TimeView)
    return list(dict.fromkeys(trace.lane for trace in panel.plots[0].traces))


def body(editing: WindowController):
    return next(mesh for mesh in editing.window.scene.stage.meshes if mesh.material == "painted")


def test_lane_can_be_body_ghost_plots_or_hidden(editing: WindowController, qtbot: QtBot) -> None:
    simulation = editing.simulation
    pause_at(editing, qtbot, 6.0)
    assert ghosts(editing) == [False, True]
    chip_menu(editing, 1, "Show as body")
    wait_two_frames(editing, qtbot)
    assert ghosts(editing) == [True, False]
    chip_menu(editing, 0, "Plots only")
    wait_two_frames(editing, qtbot)
    assert ghosts(editing) == [False, False]
    panel = editing.window.board.panels[0]
    assert lanes_of(panel) == ["newton_euler", "hamilton"]
    chip_menu(editing, 0, "Hidden")
    wait_two_frames(editing, qtbot)
    assert lanes_of(panel) == ["hamilton"]
    assert body(editing).visible
    chip_menu(editing, 1, "Hidden")
    wait_two_frames(editing, qtbot)
    assert not body(editing).visible
    assert editing.simulation is simulation, "display modes compute nothing"
    assert editing.frame_loop.snapshot.time == 6.0
    for _ in range(4):
        editing.document.undo()
    wait_two_frames(editing, qtbot)
    assert ghosts(editing) == [False, True]
    assert body(editing).visible


def test_lane_color_reaches_ghost_plots_and_list(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 6.0)
    chip_menu(editing, 1, "Red")
    wait_two_frames(editing, qtbot)
    coral = DARK.lanes[6]
    assert glass(editing)[1].color == coral
    trace = editing.window.board.panels[0].plots[0].traces[1]  # type: ignore[attr-defined]
    assert trace.color == coral
    assert ("Hamilton, reduced to h", 6) in editing.window.board.legend.legend.lines[0]
    chip = editing.window.side.lane_list.rows[1].chip.grab().toImage()
    seen = {chip.pixelColor(x, y).name() for x in range(chip.width()) for y in range(chip.height())}
    assert coral.lower() in seen


def test_lanes_are_added_changed_and_removed(editing: WindowController, qtbot: QtBot) -> None:
    lanes = editing.window.side.lane_list
    add_lanes(editing, "hamilton")
    wait_computed(editing, qtbot)
    assert [lane.name for lane in editing.simulation] == ["newton_euler", "hamilton", "hamilton (2)"]
    wait_two_frames(editing, qtbot)
    row = lanes.rows[2]
    row.heading.click()
    type_value(row.form.rows["dt"].field.entries[0], "5e-3")
    assert editing.simulation["hamilton (2)"].solver.segment.dt == 5e-3
    assert lanes.rows[2] is row
    assert row.details.isVisibleTo(editing.window), "it stays unfolded"
    type_value(row.form.rows["dt"].field.entries[0], "3e-3")
    assert "divides" in row.form.rows["dt"].message.text()
    type_value(row.form.rows["name"].field.entries[0], "coarse")
    assert editing.simulation["coarse"].solver.segment.dt == 5e-3
    box = row.form.rows["formulation"].field.box  # type: ignore[attr-defined]
    box.show_value("newton_euler")
    box.chosen.emit("newton_euler")
    assert editing.simulation["coarse"].formulation.name == "newton_euler"
    wait_two_frames(editing, qtbot)
    assert len(glass(editing)) == 3
    lanes.rows[0].remove_button.click()
    assert [lane.name for lane in editing.simulation] == ["hamilton", "coarse"]
    assert list(editing.document.state.lane_styles.colours) == [1, 2]
    lanes.rows[0].remove_button.click()
    assert not lanes.rows[0].remove_button.isEnabled(), "one lane stays"
    wait_two_frames(editing, qtbot)


def test_lanes_are_duplicated_and_moved(editing: WindowController, qtbot: QtBot) -> None:
    def names() -> list[str]:
        return [lane.name for lane in editing.simulation]

    def colors() -> list[int]:
        return list(editing.document.state.lane_styles.colours)

    chip_menu(editing, 0, "Duplicate")
    assert names() == ["newton_euler", "newton_euler (2)", "hamilton"]
    assert colors() == [0, 2, 1]
    chip_menu(editing, 2, "Move up")
    assert names() == ["newton_euler", "hamilton", "newton_euler (2)"]
    assert colors() == [0, 1, 2]
    chip_menu(editing, 0, "Move down")
    assert names() == ["hamilton", "newton_euler", "newton_euler (2)"]
    assert editing.document.state.lane_styles.body == 1, "the body mode moves with its lane"
    chip_menu(editing, 0, "Remove")
    assert names() == ["newton_euler", "newton_euler (2)"]
    for _ in range(4):
        editing.document.undo()
    assert names() == ["newton_euler", "hamilton"]
    assert colors() == [0, 1]
    wait_computed(editing, qtbot)


def test_duplicate_of_a_named_lane_has_its_own_name() -> None:
    lanes = (qv.Lane("hamilton", name="coarse"), qv.Lane("hamilton", name="coarse (2)"))
    preset = qv.load_preset("torque_free").with_run(lanes=lanes)
    twin = duplicate_lane(State.default_for(preset), 0).preset.lanes[1]
    assert twin == qv.Lane("hamilton", name="coarse (3)")


def test_lane_form_offers_only_applicable_settings(editing: WindowController, qtbot: QtBot) -> None:
    row = editing.window.side.lane_list.rows[1]
    row.heading.click()

    def offered() -> set[str]:
        return {name for name, block in row.form.rows.items() if not block.isHidden()}

    def choose(name: str, value: str | None) -> None:
        box = row.form.rows[name].field.box  # type: ignore[attr-defined]
        box.show_value(value)
        box.chosen.emit(value)

    always = {"formulation", "integrator", "dt", "name"}
    assert offered() == {*always, "stabilisation"}
    box = row.form.rows["stabilisation"].field.box  # type: ignore[attr-defined]
    assert [box.itemText(at) for at in range(box.count())] == list(STABILISATIONS.values())
    choose("stabilisation", "baumgarte")
    assert "Projection for the formulation Hamilton" in row.form.rows["stabilisation"].message.text()
    choose("formulation", "lagrange_full/torque")
    assert editing.simulation.preset.lanes[1].stabilisation == "baumgarte", "together they are valid"
    assert offered() == {*always, "stabilisation", "alpha", "beta"}
    choose("stabilisation", None)
    choose("formulation", "udwadia_schutte_fundamental/torque")
    assert "J0" in offered()
    assert editing.window.side.setup.run.rows["rtol"].isHidden()
    choose("integrator", "dop853")
    assert {"rtol", "atol"} < offered()
    assert not editing.window.side.setup.run.rows["rtol"].isHidden(), "the run may set it for all lanes"
    type_value(row.form.rows["rtol"].field.entries[0], "1e-9")
    assert editing.simulation.lanes[1].solver.segment.integrator.tolerances == (1e-9, 1e-9)
    choose("integrator", "rk4")
    assert "no rtol for Runge–Kutta 4" in row.form.rows["rtol"].message.text()
    wait_two_frames(editing, qtbot)


@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")  # plots of numbers near the largest float
def test_ended_lane_is_fixed_and_pale(editing: WindowController, qtbot: QtBot) -> None:
    def stiff(state: State) -> State:
        preset = state.preset
        run = qv.RunSettings(duration=4000.0, dt=1e-2, sample_interval=5.0)
        lanes = (preset.lanes[0], qv.Lane("hamilton", dt=5.0))
        return state.with_preset(run=run, lanes=lanes)

    assert editing.document.propose("stiff", stiff) is None
    qtbot.waitUntil(lambda: editing.simulation["hamilton"].status == "not_finite")
    end = editing.simulation["hamilton"].computed_to
    wait_computed(editing, qtbot)
    pause_at(editing, qtbot, max(end - 5.0, 0.0))
    ghost = glass(editing)[1]
    assert ghost.alpha == 1.0
    pause_at(editing, qtbot, end + 100.0)
    assert ghost.visible
    assert ghost.alpha < 0.5
    placed = ghost.transform.copy()
    pause_at(editing, qtbot, end + 200.0)
    assert np.array_equal(ghost.transform, placed)
    assert any(
        "Hamilton, reduced to h: frozen at its last" in text
        for text, _ in editing.window.scene.stage.legend_lines.values()
    )
    row = editing.window.side.lane_list.rows[1]
    assert row.message.isVisibleTo(editing.window)
    assert "became too large" in row.message.text()
    chip_menu(editing, 1, "Show as body")
    wait_two_frames(editing, qtbot)
    assert body(editing).color == DARK.line
    editing.document.undo()
    editing.document.undo()
    wait_two_frames(editing, qtbot)
    assert body(editing).color == DARK.body[0]
    assert not any(
        "frozen at its last" in text for text, _ in editing.window.scene.stage.legend_lines.values()
    )


def test_lane_is_renamed_in_its_row(editing: WindowController, qtbot: QtBot) -> None:
    row = editing.window.side.lane_list.rows[1]
    wait_two_frames(editing, qtbot)
    QTest.mouseClick(row.heading, Qt.MouseButton.LeftButton)  # a double click starts with one
    QTest.mouseDClick(row.heading, Qt.MouseButton.LeftButton)
    assert row.name_field.isVisible()
    assert row.details.isHidden(), "a double click does not unfold"
    assert row.name_field.text() == "Hamilton, reduced to h"
    QTest.keyClicks(row.name_field, "my lane")
    QTest.keyClick(row.name_field, Qt.Key.Key_Return)
    assert [lane.name for lane in editing.simulation] == ["newton_euler", "my lane"]
    assert not row.name_field.isVisible()
    assert row.heading.isVisible()
    editing.document.undo()
    assert [lane.name for lane in editing.simulation] == ["newton_euler", "hamilton"]
    assert editing.window.transport.scrubber.edit_markers == (), "a name does not change the motion"


def test_f2_renames_the_clicked_lane_without_focus(editing: WindowController, qtbot: QtBot) -> None:
    window, row = editing.window, editing.window.side.lane_list.rows[1]
    wait_two_frames(editing, qtbot)
    window.setFocus()
    QTest.mouseClick(row.heading, Qt.MouseButton.LeftButton)
    assert window.focusWidget() is window
    QTest.keyClick(window, Qt.Key.Key_F2)
    assert window.focusWidget() is row.name_field
    QTest.keyClicks(row.name_field, "my lane")
    QTest.keyClick(row.name_field, Qt.Key.Key_Escape)
    assert window.focusWidget() is window, "keys play and pause again"
    QTest.keyClick(window, Qt.Key.Key_Tab)
    after = window.focusWidget()
    assert after is not None
    assert after.mapTo(window, QPoint()).y() > row.mapTo(window, QPoint()).y(), "it continues below the lane"
    bar = window.side.verticalScrollBar()
    window.side.reveal(window.side.sections["Run"])
    assert bar.value() > 0
    window.keyboard_focus.focus_part(1)
    window.keyboard_focus.focus_part(-1)
    assert window.focusWidget() is window.side.picker.button
    assert bar.value() == 0, "the focus is visible"


def test_escape_returns_focus_to_the_heading(editing: WindowController, qtbot: QtBot) -> None:
    window, row = editing.window, editing.window.side.lane_list.rows[1]
    wait_two_frames(editing, qtbot)
    for typed in ("", "my lane"):
        row.heading.setFocus()
        QTest.keyClick(row.heading, Qt.Key.Key_F2)
        QTest.keyClicks(row.name_field, typed)
        QTest.keyClick(row.name_field, Qt.Key.Key_Escape)
        assert window.focusWidget() is row.heading
    QTest.keyClick(row.heading, Qt.Key.Key_F2)
    other = window.side.setup.run.findChildren(LineEntry)[0]
    other.setFocus()
    assert not row.name_field.isVisible()
    assert window.focusWidget() is other, "a clicked field keeps the focus"


def test_escape_keeps_the_name_and_f2_edits_it(editing: WindowController, qtbot: QtBot) -> None:
    row = editing.window.side.lane_list.rows[0]
    wait_two_frames(editing, qtbot)
    simulation = editing.simulation
    row.heading.setFocus()
    QTest.keyClick(row.heading, Qt.Key.Key_F2)
    QTest.keyClicks(row.name_field, "other")
    QTest.keyClick(row.name_field, Qt.Key.Key_Escape)
    assert not row.name_field.isVisible()
    assert editing.simulation is simulation
    row.heading.setFocus()
    QTest.keyClick(row.heading, Qt.Key.Key_F2)
    assert row.name_field.text() == "Newton–Euler"
    QTest.keyClick(row.name_field, Qt.Key.Key_Return)
    assert not row.name_field.isVisible()
    assert editing.simulation is simulation, "nothing was typed"


def test_lane_readouts_are_shown_and_their_toggle_is_remembered(
    editing: WindowController, qtbot: QtBot
) -> None:
    lanes = editing.window.side.lane_list
    pause_at(editing, qtbot, 6.0)
    first, second = (row.numbers.texts for row in lanes.rows)
    assert first[3] == "ref."
    assert 0 < float(second[3].replace("−", "-")) < 1e-6
    assert second[1] != "–"
    assert float(second[4]) > 0
    lanes.numbers_button.click()
    editing.settings.save(editing.window)
    lanes.numbers_button.click()
    restore_settings(editing.settings, editing.window)
    assert not lanes.shows_numbers
    editing.settings.reset(editing.window)
    assert lanes.shows_numbers
