"""Edits in the real window: replaced runs, lanes, undo, themes, keys."""

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from qt_events import move_pointer, wait_laid_out
from window_steps import (  # noqa: F401
    editing,
    inertia_entry,
    pause_at,
    restore_settings,
    type_value,
    wait_computed,
    wait_two_frames,
)

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import DARK, LIGHT
from quatviz.files.preset_reading import format_preset
from quatviz.simulation.commands import Play, Seek
from quatviz.simulation.lane import LaneRun
from quatviz.teaching.help.actions import actions_by_menu
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.window.actions import ACTIONS
from quatviz.ui.window.settings import Settings


def test_edit_recomputes_and_keeps_everything_else(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 7.25)
    editing.window.scene.move_camera(lambda camera: camera.orbit(0.4, 0.2))
    editing.window.scene.move_camera(lambda camera: camera.zoom(1.7))
    view = editing.window.scene.camera.view_matrix()
    old = editing.simulation
    type_value(inertia_entry(editing), "450")
    assert editing.simulation is not old
    wait_computed(editing, qtbot)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time == 7.25)
    assert not editing.frame_loop.snapshot.playing
    assert np.array_equal(editing.window.scene.camera.view_matrix(), view)
    wait_two_frames(editing, qtbot)
    fresh = qv.simulate(editing.document.state.preset, lanes=["newton_euler"])
    shown = editing.window.side.readouts.value_text(0, "omega", 1).replace("−", "-")
    assert float(shown) == pytest.approx(fresh["newton_euler"].omega[725, 1], abs=5e-7)
    assert float(shown) != pytest.approx(old["newton_euler"].omega[725, 1], abs=1e-3)


def test_edit_does_not_wait_for_kernels_that_are_loaded(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_loading, is_released, load = threading.Event(), threading.Event(), LaneRun.prepare

    def load_slowly(lane: LaneRun) -> None:
        is_loading.set()
        assert is_released.wait(60.0)
        load(lane)

    monkeypatch.setattr(LaneRun, "prepare", load_slowly)
    type_value(inertia_entry(editing), "450")
    assert is_loading.wait(60.0)
    replaced = editing.worker
    editing.frame_loop.send(Seek(3.0))
    type_value(inertia_entry(editing), "460")
    assert editing.worker is not replaced
    assert replaced.error is None, "the edit has waited until loading failed"
    assert editing.worker.snapshot.target_time == 3.0
    is_released.set()
    wait_computed(editing, qtbot)
    assert editing.document.state.preset.body.inertia[0, 0] == 460.0


def test_undo_and_redo_by_keys(editing: WindowController, qtbot: QtBot) -> None:
    type_value(inertia_entry(editing), "450")
    type_value(inertia_entry(editing), "460")
    assert "body: inertia" in editing.window.side.undo_button.toolTip()
    qtbot.keyClick(editing.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editing.simulation.preset.body.inertia[0, 0] == 450
    assert inertia_entry(editing).text() == "450"
    qtbot.keyClick(editing.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editing.simulation.preset == qv.load_preset("torque_free")
    assert not editing.window.side.undo_button.isEnabled()
    qtbot.keyClick(editing.window, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(editing.window, Qt.Key.Key_Z, both)
    assert editing.simulation.preset.body.inertia[0, 0] == 460


def test_edits_are_marked_and_reverted_in_one_step(editing: WindowController, qtbot: QtBot) -> None:
    side, body = editing.window.side, editing.window.side.setup.body.rows["inertia"]
    hint = body.field.toolTip()
    assert not side.preset_card.edits_label.isVisibleTo(editing.window)
    assert not editing.window.action_registry["reset_preset"].isEnabled()
    pause_at(editing, qtbot, 7.25)
    type_value(inertia_entry(editing), "450")
    assert "Edited: body (inertia)." in side.preset_card.edits_label.text()
    assert [
        name for name, section in side.sections.items() if "edited" in section.heading.accessibleDescription()
    ] == ["Body"]
    assert "the value in the preset is 400, 307.808385, 200" in body.field.toolTip()
    doubted = [
        label.text() for label in side.preset_card.description.findChildren(QLabel) if "(?)" in label.text()
    ]
    assert any("repeats every 9.34 s" in sentence for text in doubted for sentence in text.split("(?)")[:-1])
    assert side.lane_list.rows[1].form.rows["dt"].field.entries[0].isEnabled()
    type_value(side.lane_list.rows[1].form.rows["dt"].field.entries[0], "0.002")
    assert "body (inertia), lanes." in side.preset_card.edits_label.text()
    assert "edited" in side.lane_list.rows[1].heading.accessibleDescription()
    assert "edited" not in side.lane_list.rows[0].heading.accessibleDescription()
    side.preset_card.reset_button.click()
    assert editing.document.state.preset == qv.load_preset("torque_free")
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time == 7.25)
    assert not side.preset_card.edits_label.isVisibleTo(editing.window)
    assert body.field.toolTip() == hint
    editing.document.undo()
    assert editing.document.state.preset.body.inertia[0, 0] == 450


def test_playing_continues_after_an_edit(editing: WindowController, qtbot: QtBot) -> None:
    editing.frame_loop.send(Seek(5.0))
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time > 5.0)
    type_value(inertia_entry(editing), "450")
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time > 5.1)
    assert editing.frame_loop.snapshot.playing


def test_commands_missed_by_a_run_are_done_by_the_next(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the worker may not run between a command and an edit, for example when an event card closes."""
    pause_at(editing, qtbot, 1.0)
    monkeypatch.setattr(editing.worker.runner, "obey", lambda beside_block: None)
    editing.frame_loop.send(Play())
    type_value(inertia_entry(editing), "420")
    assert editing.simulation.preset.body.inertia[0, 0] == 420.0
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing and editing.frame_loop.snapshot.time > 1.0)


def test_rejected_edits_leave_the_run_unchanged(
    editing: WindowController, qtbot: QtBot, tmp_path: Path
) -> None:
    old, worker = editing.simulation, editing.worker
    type_value(inertia_entry(editing), "900")
    block = editing.window.side.setup.body.rows["inertia"]
    assert block.message.isVisibleTo(editing.window)
    assert "900 > 200 + 307" in block.message.text()
    preset = qv.load_preset("torque_free")
    path = tmp_path / "unknown.toml"
    path.write_text(format_preset(replace(preset, title="Unknown", lanes=(qv.Lane("no_such_form"),))))
    editing.window.file_actions.open(path)
    problem = editing.window.side.picker.problem
    assert problem.isVisibleTo(editing.window)
    assert "no_such_form" in problem.text()
    assert "unknown.toml, line" in problem.text()
    assert (editing.simulation, editing.worker) == (old, worker)
    before = editing.frame_loop.snapshot.time
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time != before)
    assert editing.document.steps == ()


def test_keys_and_wheel_step_a_number_and_the_run_follows(editing: WindowController, qtbot: QtBot) -> None:
    entry = editing.window.side.setup.body.rows["inertia"].field.entries[0]

    def turn_wheel() -> None:
        at = QPointF(entry.rect().center())
        wheel = QWheelEvent(
            at, entry.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(entry, wheel)

    def moment_change() -> float:
        return float(editing.simulation.preset.body.inertia[0, 0]) - 400.0

    turn_wheel()
    assert moment_change() == 0.0, "without focus the panel scrolls"
    entry.setFocus()
    QTest.keyClick(entry, Qt.Key.Key_Up)
    assert moment_change() == 10.0
    QTest.keyClick(entry, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert moment_change() == 11.0
    QTest.keyClick(entry, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert moment_change() == -89.0
    turn_wheel()
    assert moment_change() == -79.0
    assert len(editing.document.steps) == 1, "consecutive steps are one edit"
    editing.document.undo()
    assert moment_change() == 0.0
    editing.document.redo()
    assert moment_change() == -79.0
    entry.setText("420")
    entry.setModified(True)
    QTest.keyClick(entry, Qt.Key.Key_Return)
    QTest.keyClick(entry, Qt.Key.Key_Up)
    assert moment_change() == 30.0
    editing.document.undo()
    assert moment_change() == 20.0, "typed text is another edit"


def test_non_unit_quaternion_can_be_normalized(editing: WindowController, qtbot: QtBot) -> None:
    form = editing.window.side.setup.initial
    form.representation_boxes[0].chosen.emit("euler_parameters")
    block = form.forms["euler_parameters"].rows["euler_parameters"]
    for entry, text in zip(block.field.entries, ("0", "1,2", "0", "1.6"), strict=True):
        entry.setText(text)
    block.field.committed.emit()
    assert block.is_refused
    assert "|p| = 2" in block.message.text()
    assert block.fix_button is not None
    assert block.fix_button.text() == "Normalize"
    for lengthless in ("no number", "1e400"):
        block.field.entries[3].setText(lengthless)
        block.field.committed.emit()
        assert block.is_refused
        assert block.fix_button.isHidden(), "there is nothing to normalize"
    block.field.entries[3].setText("1.6")
    block.field.committed.emit()
    block.fix_button.click()
    assert not block.is_refused
    assert block.fix_button.isHidden()
    assert editing.simulation.preset.initial.euler_parameters.tolist() == [0.0, 0.6, 0.0, 0.8]


def test_new_preset_starts_at_its_beginning(editing: WindowController, qtbot: QtBot, tmp_path: Path) -> None:
    pause_at(editing, qtbot, 20.0)
    preset = qv.load_preset("torque_free")
    run = replace(preset.run, duration=10.0)
    path = tmp_path / "short.toml"
    path.write_text(format_preset(replace(preset, title="Short", run=run, lanes=preset.lanes[:1])))
    editing.window.file_actions.open(path)
    assert editing.window.windowTitle().startswith("Short")
    assert editing.frame_loop.snapshot.playing
    assert editing.frame_loop.snapshot.time < 1.0
    assert len(editing.window.side.lane_list.rows) == 1
    wait_two_frames(editing, qtbot)
    editing.document.undo()
    assert editing.window.windowTitle().startswith("Torque-free")
    assert len(editing.window.side.lane_list.rows) == 2
    wait_two_frames(editing, qtbot)


# --- keys, themes


def test_letters_typed_into_a_field_are_not_shortcuts(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 6.0)
    entry = inertia_entry(editing)
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, "r d f ?")
    assert entry.text() == "r d f ?"
    wait_two_frames(editing, qtbot)
    assert editing.frame_loop.snapshot.time == 6.0
    assert not editing.frame_loop.snapshot.playing
    assert not editing.window.key_overlay.isVisible()
    QTest.keyClick(entry, Qt.Key.Key_Escape)
    QTest.keyClick(entry, Qt.Key.Key_Escape)
    assert not entry.hasFocus()
    qtbot.keyClick(editing.window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing)


def test_every_key_is_bound_once_and_listed(editing: WindowController, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QLabel

    keys = [act for group in actions_by_menu(ACTIONS).values() for act in group]
    texts = [text for key in keys for text in key.shortcuts]
    assert len(texts) == len(set(texts))
    window = editing.window
    qtbot.keyClick(window, Qt.Key.Key_Question)
    qtbot.waitUntil(window.key_overlay.isVisible)
    listed = {label.text() for label in window.key_overlay.findChildren(QLabel)}
    for key in keys:
        assert (key.text in listed) == bool(key.shortcuts)
        assert window.action_registry[key.name] in window.actions()
        bound = [] if key.has_shared_shortcuts else [QKeySequence(text) for text in key.shortcuts]
        shortcuts = window.action_registry[key.name].shortcuts()
        assert shortcuts[: len(bound)] == bound
        assert shortcuts[len(bound) :] == [] or key.standard_key, "the platform defines more keys"
    before = editing.document.state.view_state
    QTest.keyClicks(window.key_overlay, "gimbal d")
    assert window.key_overlay.isVisible()
    assert editing.document.state.view_state == before, "keys changed a run behind the overlay"
    QTest.keyClick(window.key_overlay, Qt.Key.Key_Escape)
    assert not window.key_overlay.isVisible()


def test_key_d_toggles_differences(editing: WindowController, qtbot: QtBot) -> None:
    asked = []
    for _ in range(2):
        qtbot.keyClick(editing.window, Qt.Key.Key_D)
        asked.append(editing.window.board.choices.difference)
    assert asked == [True, False]


def test_tab_reaches_fields_of_the_chosen_representation(editing: WindowController, qtbot: QtBot) -> None:
    """From the hidden field of the previous representation, Tab skipped the new fields."""
    window, initial = editing.window, editing.window.side.setup.initial
    start = initial.forms["euler_parameters"].rows["euler_parameters"].field
    angles = initial.forms["angles"].rows
    for way, left, first in (
        ("angles", start, angles["sequence"].field),
        ("euler_parameters", angles["degrees"].field, start),
    ):
        left.entries[0].setFocus()
        choose(initial.representation_boxes[0], way, qtbot)
        assert window.focusWidget() in (None, window), "a click leaves the keys to the window"
        QTest.keyClick(window, Qt.Key.Key_Tab)
        focused = window.focusWidget()
        assert focused is not None
        assert first.isAncestorOf(focused)


def choose(box: ChoiceBox, value: str, qtbot: QtBot) -> None:
    """Choose a value of a combo box with the mouse."""
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    view = box.view()
    qtbot.waitUntil(view.isVisible)
    row = view.visualRect(box.model().index(box.findData(value), 0)).center()
    move_pointer(view.viewport(), row)
    # Qt takes an earlier release for that of the press by which the list was opened.
    qtbot.wait(QApplication.doubleClickInterval())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row)
    qtbot.waitUntil(lambda: not view.isVisible())


def test_space_presses_the_focused_button(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 6.0)
    heading = editing.window.side.sections["Run"].heading
    heading.setFocus()
    qtbot.keyClick(heading, Qt.Key.Key_Space)
    assert not editing.window.side.sections["Run"].is_open
    assert not editing.frame_loop.snapshot.playing


def test_theme_switches_live_and_is_remembered(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 6.0)
    simulation = editing.simulation
    dark = brightness(editing)
    qtbot.keyClick(editing.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    wait_two_frames(editing, qtbot)
    assert editing.window.theme is LIGHT
    for part, before in dark.items():
        assert brightness(editing)[part] > before + 60, part
    assert editing.simulation is simulation
    assert editing.frame_loop.snapshot.time == 6.0
    editing.settings.save(editing.window)
    assert Settings().view_state.theme == LIGHT.name
    editing.window.theme_switch.show(DARK)
    editing.settings.save(editing.window)
    assert Settings().view_state.theme == DARK.name


def test_unfolded_sections_are_remembered(editing: WindowController) -> None:
    editing.window.side.open_sections(["Body"])
    editing.settings.save(editing.window)
    editing.window.side.open_sections(["Lanes"])
    restore_settings(Settings(), editing.window)
    assert editing.window.side.open_section_names() == ["Body"]


def brightness(editing: WindowController) -> dict[str, float]:
    """Return the mean gray level of each part of the window."""
    made = {}
    for part in ("side", "board", "transport", "scene"):
        widget = getattr(editing.window, part)
        small = widget.grab().toImage().scaled(16, 16)
        made[part] = float(
            np.mean([small.pixelColor(x, y).lightness() for x in range(16) for y in range(16)])
        )
    return made


# --- one run after another


def test_dragged_runs_are_painted_while_the_next_is_computed(editing: WindowController, qtbot: QtBot) -> None:
    wait_computed(editing, qtbot)

    def shown_moment() -> float:
        info = editing.window.board.info
        assert info is not None
        return float(info.body.inertia[0, 0])

    def drag(J: float, goes_on: bool) -> None:
        def make(state: State) -> State:
            return state.with_preset(body=qv.Body(inertia=[J, 300.0, 200.0]))

        assert editing.document.propose("body: inertia", make, goes_on) is None

    drag(390.0, goes_on=False)
    assert shown_moment() == 390.0, "only the first run may be computed yet"
    drag(380.0, goes_on=True)
    assert shown_moment() == 390.0, "the window has not waited for it"
    drag(370.0, goes_on=True)
    assert shown_moment() == 380.0, "and none is skipped"
    qtbot.waitUntil(lambda: shown_moment() == 370.0)
    drag(360.0, goes_on=True)
    editing.document.undo()
    wait_two_frames(editing, qtbot)
    assert not editing.frame_loop.has_upcoming_run
    assert shown_moment() == editing.simulation.preset.body.inertia[0, 0] == 400.0


def test_hidden_panels_release_the_previous_run(editing: WindowController, qtbot: QtBot) -> None:
    """Otherwise a hidden panel or view would keep a long run in memory until it is shown again."""
    import gc
    import weakref

    board, views = editing.window.board, editing.window.views

    def show(on: bool) -> None:
        board.set_panel_visibility({name: on or name == "h" for name in board.titles})
        views.set_number(4 if on else 1)
        wait_two_frames(editing, qtbot)

    def are_released() -> bool:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        return all(lane() is None for lane in lanes)

    show(True)
    many = len(board.panels)
    lanes = [weakref.ref(lane) for lane in editing.simulation.lanes]
    show(False)
    assert (
        editing.document.propose("body", lambda s: s.with_preset(body=qv.Body(inertia=[390, 300, 200])))
        is None
    )
    qtbot.waitUntil(are_released)
    show(True)
    assert len(board.panels) == many
    assert {view.source for view in board.panels} == {board.panels[0].source}
    assert all(view.stage.drawn for view in views.shown_views)


def test_many_runs_leave_no_objects_behind(
    editing: WindowController, qtbot: QtBot, qapp: QApplication
) -> None:
    """Threads, widgets, plot items, GL buffers and histories are as many after fourteen runs as after six."""
    import gc
    import weakref

    alive: weakref.WeakSet[LaneRun] = weakref.WeakSet()

    def replace_run(turn: int) -> None:
        def change(state: State) -> State:
            preset = state.preset
            lanes = (*preset.lanes[:2], *((qv.Lane("hamilton"),) if turn % 2 else ()))
            torque = (qv.Torque(torque=[0.0, 0.0, float(turn)]),) * (turn % 3)
            return State.default_for(
                replace(preset, loads=torque, lanes=lanes, body=qv.Body(inertia=[400 + turn, 300, 200]))
            )

        assert editing.document.propose(f"run {turn}", change) is None
        alive.update(editing.simulation.lanes)
        wait_two_frames(editing, qtbot)

    def count() -> dict[str, int]:
        def settled() -> bool:
            gc.collect()  # earlier windows are among the garbage
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            return gc.collect() == 0 and len(alive) == len(editing.simulation.lanes)

        qtbot.waitUntil(settled)
        wait_two_frames(editing, qtbot)
        graphics = editing.window.views.shared_graphics.graphics
        assert graphics is not None
        return {
            "threads": threading.active_count(),
            "widgets": len(qapp.allWidgets()),
            "buffers": len(graphics.vertices),
            "lanes": len(alive),
        }

    for turn in range(6):
        replace_run(turn)
    few = count()
    for turn in range(6, 14):
        replace_run(turn)

    def as_few() -> None:  # the thread that saves the recovery session comes and goes
        many = count()
        assert all(many[name] <= few[name] for name in few), (few, many)

    qtbot.waitUntil(as_few)
    assert few["lanes"] == 3
    assert editing.worker.error is None


def test_messages_of_an_edit_move_no_field(editing: WindowController, qtbot: QtBot) -> None:
    side, entry = editing.window.side, inertia_entry(editing)
    side.sections["Body"].set_open(True)
    wait_two_frames(editing, qtbot)
    side.ensureWidgetVisible(entry)
    entry.setFocus()
    assert entry.hasFocus()

    def height() -> int:
        return entry.mapTo(side.viewport(), QPoint()).y()

    before, card_height = height(), side.preset_card.height()
    type_value(entry, "450")
    qtbot.waitUntil(lambda: side.preset_card.height() > card_height + 20)
    wait_laid_out(side, qtbot)
    assert height() == before
    editing.document.undo()
    qtbot.waitUntil(lambda: side.preset_card.height() == card_height)
    wait_laid_out(side, qtbot)
    assert height() == before


def test_time_error_is_cleared_by_a_valid_time(editing: WindowController, qtbot: QtBot) -> None:
    """The error stayed over the view for its whole duration."""
    window = editing.window

    def said_of(typed: str) -> str:
        window.transport.edit_time()
        QTest.keyClicks(window.transport.time_field, typed)
        QTest.keyClick(window.transport.time_field, Qt.Key.Key_Return)
        return window.status.message

    assert "not a time of this run" in said_of("99")
    assert said_of("4") == ""
    window.messages.show("Saved")
    assert said_of("5") == "Saved", "which is no error"
    window.status.clear()
