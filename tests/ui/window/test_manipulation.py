"""Branches from the cursor, the previous run, and dragging body and arrows, in the real window."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from qt_events import handle_events
from window_steps import editing, inertia_entry, pause_at, type_value, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.display.data.budget import FrameBudget
from quatviz.display.document.edits import add_lane
from quatviz.display.scene.base import MAX_ARROW_LENGTH
from quatviz.physics.events.lane_change import LaneChange
from quatviz.physics.formulations import lane_title
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.tools.hashes.dialog import HashDialog
from quatviz.ui.widgets.form import ChoiceField
from quatviz.ui.widgets.scrub_slider import ScrubSlider

LEFT, CONTROL, NONE = (
    Qt.MouseButton.LeftButton,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.NoModifier,
)


def press(session: WindowController, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(session.window, key, modifiers)


def old_curves(session: WindowController) -> int:
    panels = (panel for panel in session.window.board.panels if isinstance(panel, TimeView))
    return sum(len(plot.previous_traces) for panel in panels for plot in panel.plots)


def drag(
    session: WindowController, start: np.ndarray, by: tuple[int, int], modifiers: Qt.KeyboardModifier
) -> None:
    view, at = session.window.scene, QPoint(*np.round(start).astype(int).tolist())
    end = at + QPoint(*by)
    QTest.mousePress(view, LEFT, modifiers, at)
    for share in (0.5, 1.0):
        QTest.mouseMove(view, at + (end - at) * share)
    QTest.mouseRelease(view, LEFT, modifiers, end)


def hold_up(session: WindowController, qtbot: QtBot, at: QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
    """Press and drag by 40 pixels up in two steps, each with its own run."""
    view, runs = session.window.scene, [session.simulation]
    QTest.mousePress(view, LEFT, keys, at)
    for up in (20, 40):
        QTest.mouseMove(view, at - QPoint(0, up))
        qtbot.waitUntil(lambda: session.simulation is not runs[-1])
        runs.append(session.simulation)


def tip(session: WindowController, name: str) -> np.ndarray:
    frame = session.frame_loop.frame
    assert frame is not None
    assert frame.lanes[0].pose is not None
    vector = MAX_ARROW_LENGTH / frame.scales[name] * frame.lanes[0].pose.vectors[name]
    return session.window.scene.project(vector[None])[0]


def test_edit_branches_at_cursor_and_keeps_previous_run_until_hidden(
    editing: WindowController, qtbot: QtBot
) -> None:
    before = {lane.name: lane.history.rows.copy() for lane in editing.simulation}
    press(editing, Qt.Key.Key_B, CONTROL)
    pause_at(editing, qtbot, 5.0)
    type_value(inertia_entry(editing), "380")
    (event,) = editing.simulation.preset.events
    assert isinstance(event, qv.ChangeModel)
    assert event.at == 5.0
    assert event.body.inertia[0, 0] == 380.0
    assert editing.simulation.preset.body.inertia[0, 0] == 400.0
    wait_computed(editing, qtbot)
    for lane in editing.simulation:
        assert np.array_equal(lane.history.rows[:500], before[lane.name][:500])
        assert not np.array_equal(lane.history.rows[600], before[lane.name][600])
    qtbot.waitUntil(lambda: old_curves(editing) > 10)
    old = editing.window.board.choices.previous_run
    assert old is not None
    times, values = old.values("newton_euler", "omega")
    assert times[0] == 5.0
    plain = qv.simulate(qv.load_preset("torque_free"), lanes=["newton_euler"])["newton_euler"]
    assert np.array_equal(values, plain.omega[500:])
    assert editing.window.experiments.previous_run.isVisible()
    editing.document.propose("add", lambda state: add_lane(state, qv.Lane("lie_group")))
    assert editing.window.board.choices.previous_run is old
    editing.document.undo()
    assert editing.window.board.choices.previous_run is old, "only the lanes changed"
    assert editing.window.experiments.previous_run.isVisible()
    press(editing, Qt.Key.Key_X)
    assert old_curves(editing) == 0
    assert not editing.window.experiments.previous_run.isVisible()
    press(editing, Qt.Key.Key_Z, CONTROL)
    assert editing.simulation.preset.events == ()
    assert editing.window.board.choices.previous_run is None


def test_forms_show_the_values_at_the_cursor(editing: WindowController, qtbot: QtBot) -> None:
    press(editing, Qt.Key.Key_B, CONTROL)
    pause_at(editing, qtbot, 5.0)
    type_value(inertia_entry(editing), "380")
    qtbot.waitUntil(lambda: inertia_entry(editing).text() == "380")
    body = editing.window.scene.stage.shape
    pause_at(editing, qtbot, 2.0)
    qtbot.waitUntil(lambda: inertia_entry(editing).text() == "400")
    qtbot.waitUntil(lambda: editing.window.scene.stage.shape is not body)
    type_value(inertia_entry(editing), "390")
    assert [event.at for event in editing.simulation.preset.events] == [5.0, 2.0]
    pause_at(editing, qtbot, 6.0)
    qtbot.waitUntil(lambda: inertia_entry(editing).text() == "380")
    editing.window.side.setup.edit_start_box.chosen.emit(False)
    assert inertia_entry(editing).text() == "400"
    type_value(inertia_entry(editing), "410")
    assert editing.simulation.preset.body.inertia[0, 0] == 410.0
    assert len(editing.simulation.preset.events) == 2


def test_edits_at_one_time_share_a_branch(editing: WindowController, qtbot: QtBot) -> None:
    press(editing, Qt.Key.Key_B, CONTROL)
    pause_at(editing, qtbot, 5.0)
    run = editing.window.side.setup.run.rows
    type_value(inertia_entry(editing), "380")
    type_value(run["dt"].field.entries[0], "5e-3")
    (event,) = editing.simulation.preset.events
    assert isinstance(event, qv.ChangeModel)
    assert (event.dt, event.body.inertia[0, 0]) == (5e-3, 380.0)
    type_value(run["duration"].field.entries[0], "30")
    assert editing.simulation.preset.run.duration == 30.0
    assert editing.simulation.preset.run.dt == 1e-3
    assert editing.simulation.preset.events == (event,)
    pause_at(editing, qtbot, 0.0)
    type_value(inertia_entry(editing), "395")
    assert editing.simulation.preset.body.inertia[0, 0] == 395.0, (
        "at the start there is nothing to branch from"
    )


def test_kick_by_key_with_its_arrow_dragged(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 4.0)
    h = editing.simulation["newton_euler"].h_space[[399, 400]].copy()
    press(editing, Qt.Key.Key_K)
    card, views = editing.window.experiments.event_card, editing.window.views
    assert card.isVisible()
    assert card.form is not None
    (arrow,) = [views.first_view.stage.proposed["kick"]]
    assert arrow == pytest.approx([0.0, 0.0, MAX_ARROW_LENGTH])
    assert card.form.read_values() == {"impulse": [0.0, 0.0, 100.0], "frame": "space"}
    start = views.first_view.project(arrow[None])[0]
    drag(editing, start, (40, 0), NONE)
    impulse = np.array((card.form.read_values() or {})["impulse"])
    right = views.first_view.camera.view_matrix()[0, :3]
    assert (impulse - [0, 0, 100.0]) @ right > 10.0
    assert views.first_view.project(views.first_view.stage.proposed["kick"][None])[0] == pytest.approx(
        start + np.array([40, 0]), abs=1.0
    )
    card.apply_button.click()
    assert not card.isVisible()
    assert not views.first_view.stage.proposed
    (kick,) = editing.simulation.preset.events
    assert isinstance(kick, qv.Kick)
    assert kick.impulse == pytest.approx(impulse)
    wait_computed(editing, qtbot)
    drift = next(panel for panel in editing.window.board.panels if panel.name == "drift")
    assert "since the last event" in drift.title_row.note
    assert editing.simulation["newton_euler"].h_space[400] - h[0] == pytest.approx(impulse, rel=1e-6)
    assert editing.window.board.choices.previous_run is not None


def test_sign_flip_by_key_and_hashes_are_shown(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 4.0)
    press(editing, Qt.Key.Key_N)
    assert editing.simulation.preset.events == (qv.FlipSign(at=4.0),)
    wait_computed(editing, qtbot)
    editing.window.action_registry["hashes"].trigger()
    (dialog,) = editing.window.findChildren(HashDialog)
    assert dialog.text.verticalScrollBar().maximum() == 0, "the checksums of all lanes are visible"
    again = qv.simulate(editing.simulation.preset)
    expected = [[lane.digest, lane.name] for lane in again.lanes]
    lines = dialog.text.toPlainText().splitlines()
    names, digests = lines[::2], [line.replace(" ", "") for line in lines[1::2]]
    assert digests == [digest for digest, _ in expected]
    assert [line.partition(" computed to ")[0] for line in names] == [
        lane_title(name) for _, name in expected
    ]
    assert dialog.note.text() == "All lanes are computed"
    dialog.copy_button.click()
    shown = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("  ")[:2] for line in shown] == expected
    press(editing, Qt.Key.Key_Z, CONTROL)
    assert not dialog.isVisible(), "they belong to the previous run"


@pytest.mark.parametrize("time", [0.0, 3.0])
def test_body_is_rotated_by_dragging(editing: WindowController, qtbot: QtBot, time: float) -> None:
    pause_at(editing, qtbot, time)
    sample = round(time / 0.01)
    p = editing.simulation["newton_euler"].p[sample]
    omega = editing.simulation["newton_euler"].omega[sample]
    middle = editing.window.scene.project(np.zeros((1, 3)))[0]
    camera = editing.window.scene.camera.back.copy()
    drag(editing, middle, (60, 0), CONTROL)
    assert np.array_equal(editing.window.scene.camera.back, camera)
    assert editing.document.steps[-1].text == ("turn the body" if time == 0 else "turn the body at 3 s")
    wait_computed(editing, qtbot)
    placed = editing.simulation["newton_euler"]
    assert relative_angle(placed.p[sample], p) == pytest.approx(0.6, abs=1e-6)
    assert placed.omega[sample] == pytest.approx(omega, abs=1e-9)
    assert len(editing.simulation.preset.events) == (time > 0)
    drag(editing, middle, (0, 30), CONTROL)
    assert len(editing.simulation.preset.events) == (time > 0), "one event for consecutive drags"
    editing.document.undo()
    editing.document.undo()
    assert editing.simulation.preset == qv.load_preset("torque_free")


@pytest.mark.parametrize("name", ["omega", "h"])
@pytest.mark.parametrize("time", [0.0, 3.0])
def test_arrow_tip_can_be_dragged(editing: WindowController, qtbot: QtBot, name: str, time: float) -> None:
    pause_at(editing, qtbot, time)
    editing.window.views.look_from("top")
    wait_two_frames(editing, qtbot)
    sample = round(time / 0.01)
    start = tip(editing, name)
    other = "h" if name == "omega" else "omega"
    assert np.hypot(*(start - tip(editing, other))) > 20, "neither arrow hides the other"
    frame = editing.frame_loop.frame
    assert frame is not None
    scale = frame.scales[name]
    was = getattr(editing.simulation["newton_euler"], f"{name}_space")[sample]
    drag(editing, start, (0, -50), NONE)
    wait_computed(editing, qtbot)
    now = getattr(editing.simulation["newton_euler"], f"{name}_space")[sample]
    up = editing.window.scene.camera.view_matrix()[1, :3]
    assert (now - was) @ up > 0.05 * scale
    ends = editing.window.scene.project(MAX_ARROW_LENGTH / scale * np.array([was, now]))
    assert ends[1] - ends[0] == pytest.approx([0, -50], abs=1.5)
    assert len(editing.simulation.preset.events) == (time > 0)
    initial = editing.simulation.preset.initial
    assert initial.angular_velocity is None, "the representation by h is kept"


@pytest.mark.parametrize("time", [0.0, 3.0])
def test_run_follows_an_arrow_during_the_drag(editing: WindowController, qtbot: QtBot, time: float) -> None:
    """Two values of h were on the screen until the drag ended."""
    pause_at(editing, qtbot, time)
    editing.window.views.look_from("top")
    wait_two_frames(editing, qtbot)
    sample, start = round(time / 0.01), tip(editing, "h")
    frame = editing.frame_loop.frame
    assert frame is not None
    scale = frame.scales["h"]
    was = editing.simulation["newton_euler"].h_space[sample].copy()
    view, at = editing.window.scene, QPoint(*np.round(start).astype(int).tolist())
    hold_up(editing, qtbot, at)
    wait_computed(editing, qtbot)
    qtbot.waitUntil(lambda: editing.frame_loop.builder.simulation is editing.simulation)
    now = editing.simulation["newton_euler"].h_space[sample]
    ends = editing.window.scene.project(MAX_ARROW_LENGTH / scale * np.array([was, now]))
    assert ends[1] - ends[0] == pytest.approx([0, -40], abs=1.5), "the pointer stays at the dragged tip"
    assert len(editing.document.steps) == 1
    QTest.mouseRelease(view, LEFT, NONE, at - QPoint(0, 40))
    wait_computed(editing, qtbot)
    again = editing.simulation["newton_euler"].h_space[sample]
    assert again == pytest.approx(now, rel=1e-9)
    wait_two_frames(editing, qtbot)
    drag(editing, tip(editing, "h"), (0, 10), NONE)
    assert len(editing.document.steps) == 2, "another drag is another step"


@pytest.mark.parametrize("what", ["h", "body"])
def test_escape_cancels_a_drag_in_3d(editing: WindowController, qtbot: QtBot, what: str) -> None:
    pause_at(editing, qtbot, 3.0)
    editing.window.views.look_from("top")
    type_value(inertia_entry(editing), "390")
    press(editing, Qt.Key.Key_Z, CONTROL)
    wait_two_frames(editing, qtbot)
    preset, undone = editing.document.state.preset, editing.document.redo_steps
    assert len(undone) == 1
    view, keys = editing.window.scene, CONTROL if what == "body" else NONE
    middle = tip(editing, "h") if what == "h" else view.project(np.zeros((1, 3)))[0]
    at = QPoint(*np.round(middle).astype(int).tolist())
    hold_up(editing, qtbot, at, keys)
    assert "from the cursor on, t = 3 s" in editing.window.status.message
    assert QWidget.keyboardGrabber() is view
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert QWidget.keyboardGrabber() is None
    assert editing.document.state.preset == preset
    assert (editing.document.steps, editing.document.redo_steps) == ((), undone)
    assert not editing.window.status.message, "the message described the cancelled drag"
    camera = view.camera.back.copy()
    QTest.mouseMove(view, at - QPoint(0, 60))
    QTest.mouseRelease(view, LEFT, keys, at - QPoint(0, 60))
    assert editing.document.state.preset == preset
    assert np.array_equal(view.camera.back, camera)
    wait_computed(editing, qtbot)
    assert editing.simulation.preset.has_same_run(preset)


def test_performed_kick_is_no_longer_proposed(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 4.0)
    press(editing, Qt.Key.Key_K)
    card, stage = editing.window.experiments.event_card, editing.window.views.first_view.stage
    assert card.form is not None
    field = card.form.rows["impulse"].field.entries[0]
    qtbot.waitUntil(field.hasFocus)
    QTest.keyClicks(field, "30")
    assert "kick" in stage.proposed
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert [event.at for event in editing.simulation.preset.events] == [4.0]
    assert not stage.proposed
    press(editing, Qt.Key.Key_Z, CONTROL)
    wait_two_frames(editing, qtbot)
    assert not stage.proposed


def test_escape_cancels_a_dragged_kick(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 4.0)
    press(editing, Qt.Key.Key_K)
    card, view = editing.window.experiments.event_card, editing.window.scene
    assert card.form is not None
    asked, arrow = card.form.read_values(), view.stage.proposed["kick"].copy()
    at = QPoint(*np.round(view.project(arrow[None])[0]).astype(int).tolist())
    QTest.mousePress(view, LEFT, NONE, at)
    QTest.mouseMove(view, at + QPoint(40, 0))
    assert card.form.read_values() != asked
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, NONE, at + QPoint(40, 0))
    assert card.isVisible(), "the key belonged to the drag"
    assert card.form.read_values() == asked
    assert view.stage.proposed["kick"] == pytest.approx(arrow)
    card.dismiss()


def test_arrow_lengths_change_smoothly_after_a_drag(editing: WindowController, qtbot: QtBot) -> None:
    """Their lengths jumped at the end of a drag."""
    pause_at(editing, qtbot, 3.0)
    editing.window.views.look_from("top")
    wait_two_frames(editing, qtbot)
    frame = editing.frame_loop.frame
    assert frame is not None
    held = frame.scales["h"]
    drag(editing, tip(editing, "h"), (0, -90), NONE)
    after_it = editing.frame_loop.frame  # of a run without computed samples, so that it has no scale
    assert after_it is not None

    def shown(after: float) -> float:
        """Return the arrow length `after` seconds later, for a run in which h is twice as large."""
        budget = FrameBudget()
        budget.now = after_it.now + after
        grown = replace(frame, budget=budget, scales={**frame.scales, "h": 2.0 * held})
        return float(editing.window.experiments.manipulator.preview_frame(grown).scales["h"])

    lengths = [shown(after) for after in (0.0, 0.1, 0.2, 2.0)]
    assert lengths[0] < lengths[1] < lengths[2] < lengths[3] == 2.0 * held


def test_previous_run_stays_when_coarse_run_is_completed(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quatviz.simulation.simulation.DRAG_TIME_BUDGET", 1e-6)
    pause_at(editing, qtbot, 3.0)
    wait_computed(editing, qtbot)
    start = tip(editing, "h")
    view, at = editing.window.scene, QPoint(*np.round(start).astype(int).tolist())
    hold_up(editing, qtbot, at)
    assert not editing.simulation.preset.has_same_run(editing.document.state.preset), "a sketch"
    old = editing.window.board.choices.previous_run
    assert old is not None
    QTest.mouseRelease(view, LEFT, NONE, at - QPoint(0, 40))
    qtbot.waitUntil(lambda: editing.simulation.preset.has_same_run(editing.document.state.preset))
    assert editing.window.board.choices.previous_run is old
    assert editing.window.experiments.previous_run.isVisible()


def test_messages_of_an_edit_end_with_it(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 0.0)
    editing.window.views.look_from("top")
    wait_two_frames(editing, qtbot)
    drag(editing, tip(editing, "h"), (0, -30), NONE)
    message = editing.window.status.message
    assert message.startswith("h = ")
    assert "−" in message
    assert "-" not in message
    assert message.endswith("in the body frame at the start")
    press(editing, Qt.Key.Key_Z, CONTROL)
    assert not editing.window.status.message


def test_arrow_tips_cannot_be_dragged_while_playing(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 3.0)
    camera = editing.window.scene.camera.back.copy()
    drag(editing, np.array([20.0, 300.0]), (40, 10), NONE)
    assert not np.array_equal(editing.window.scene.camera.back, camera)
    editing.window.action_registry["toggle"].trigger()
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing)
    wait_two_frames(editing, qtbot)
    drag(editing, editing.window.scene.project(np.zeros((1, 3)))[0], (40, 10), CONTROL)
    assert editing.document.steps == ()


def test_lane_settings_branch_and_new_formulation_adds_a_lane(
    editing: WindowController, qtbot: QtBot
) -> None:
    press(editing, Qt.Key.Key_B, CONTROL)
    pause_at(editing, qtbot, 5.0)
    before = {lane.name: lane.digest for lane in editing.simulation}
    first, second = editing.document.state.preset.lanes
    row = editing.window.side.lane_list.rows[1]
    type_value(row.form.rows["dt"].field.entries[0], "5e-3")
    name = editing.simulation.lanes[1].name
    assert editing.simulation.preset.events == (qv.LaneChange(at=5.0, lane=name, dt=5e-3),)
    assert editing.simulation.preset.lanes == (first, second)
    wait_computed(editing, qtbot)
    assert editing.simulation.lanes[0].digest == before[editing.simulation.lanes[0].name]
    assert editing.simulation.lanes[1].digest != before[name]
    dt = row.form.rows["dt"].field.entries[0]
    assert dt.text() == "0.005"
    pause_at(editing, qtbot, 2.0)
    qtbot.waitUntil(lambda: dt.text() == "")
    pause_at(editing, qtbot, 6.0)
    qtbot.waitUntil(lambda: dt.text() == "0.005")
    row.rename()
    QTest.keyClicks(row.name_field, "coarse")
    QTest.keyClick(row.name_field, Qt.Key.Key_Return)
    (event,) = editing.simulation.preset.events
    assert isinstance(event, LaneChange)
    assert (event.lane, event.summary) == ("coarse", "coarse: dt = 0.005 s")
    dt.setFocus()
    dt.selectAll()
    QTest.keyClick(dt, Qt.Key.Key_Delete)
    QTest.keyClick(dt, Qt.Key.Key_Return)  # the step of the run again
    assert editing.simulation.preset.events == (event, qv.LaneChange(at=6.0, lane="coarse", dt=1e-3))
    flagged = [flag.time for flag in editing.window.transport.scrubber.event_markers]
    assert flagged == [5.0, 6.0]
    form = editing.window.side.lane_list.rows[0].form.rows["formulation"].field
    assert isinstance(form, ChoiceField)
    form.show_value("exact")
    form.committed.emit()
    lanes = editing.simulation.preset.lanes
    assert [lane.formulation for lane in lanes] == [first.formulation, second.formulation, "exact"]
    assert "“exact” was added and runs from t = 0" in editing.window.status.message
    press(editing, Qt.Key.Key_Z, CONTROL)
    assert len(editing.simulation.preset.lanes) == 2
    row = editing.window.side.lane_list.rows[1]
    row.remove_button.click()
    assert editing.simulation.preset.events == (), "events of a lane are removed with it"


def take_hold(handle: ScrubSlider, *by: int) -> None:
    """Press on the name of a number and drag it by these distances in turn along a horizontal line of the screen. The form may be
    laid out again meanwhile, and a pointer above or below it would drag more finely."""
    handle_events()
    QTest.mousePress(handle, LEFT, NONE, QPoint(2, 8))
    held = handle.mapToGlobal(QPoint(2, 8))
    for x in by:
        QTest.mouseMove(handle, handle.mapFromGlobal(held + QPoint(x, 0)))
        handle_events()


def test_run_follows_a_number_during_the_drag(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 20.0)
    handle = editing.window.side.setup.body.rows["inertia"].field.sliders[0]
    pose = editing.frame_loop.frame.pose  # type: ignore[union-attr]
    take_hold(handle, 8, 16)
    qtbot.waitUntil(lambda: editing.simulation.preset.body.inertia[0, 0] == 420.0)
    run = editing.simulation
    wait_computed(editing, qtbot)
    frame = editing.frame_loop.frame
    assert frame is not None
    assert frame.time == 20.0
    assert pose is not None
    assert frame.pose is not None
    assert np.abs(frame.pose.p - pose.p).max() > 1e-2
    assert np.allclose(frame.pose.p, run["newton_euler"].p[2000])
    panels = [panel for panel in editing.window.board.panels if isinstance(panel, TimeView)]
    qtbot.waitUntil(
        lambda: all(
            panel.source is not None and panel.source.info.body is run.preset.body for panel in panels
        )
    )
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(18, 8))
    assert editing.simulation is run, "releasing the number computes nothing again"
    assert [step.text for step in editing.document.steps] == ["body: inertia"]
    take_hold(handle, 8)
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    assert editing.simulation.preset.body.inertia[0, 0] == 420.0
    assert len(editing.document.steps) == 1
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(10, 8))
    qtbot.wait(250)  # the pause after which the run is computed at full accuracy


def test_resting_pointer_does_not_end_a_drag(
    editing: WindowController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However late a busy machine delivers the next event, the final run is complete."""
    monkeypatch.setattr("quatviz.simulation.simulation.DRAG_TIME_BUDGET", 1e-6)
    pause_at(editing, qtbot, 20.0)
    wait_computed(editing, qtbot)
    handle = editing.window.side.setup.body.rows["inertia"].field.sliders[0]
    take_hold(handle, 8, 16)
    qtbot.waitUntil(lambda: editing.simulation.preset.body.inertia[0, 0] == 420.0)
    preset = editing.document.state.preset
    assert not editing.simulation.preset.has_same_run(preset), "a sketch"
    qtbot.wait(500)
    assert not editing.simulation.preset.has_same_run(preset)
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(18, 8))
    qtbot.waitUntil(lambda: editing.simulation.preset.has_same_run(preset))


def test_dragged_angles_show_gimbal_rings_at_the_start(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 20.0)
    form, views = editing.window.side.setup.initial, editing.window.views
    form.representation_boxes[0].chosen.emit("angles")
    wait_computed(editing, qtbot)
    handle = form.forms["angles"].rows["degrees"].field.sliders[1]
    take_hold(handle, 20, 40)
    qtbot.waitUntil(lambda: editing.frame_loop.frame is not None and editing.frame_loop.frame.time == 0.0)
    assert views.is_visible("gimbals")
    assert "gimbals" not in views.item_visibility
    assert views.first_view.stage.primitives_of("gimbals")
    qtbot.waitUntil(lambda: editing.simulation.preset.initial.angles.degrees.tolist() == [0.0, 18.0, 0.0])
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(42, 8))
    assert not views.is_visible("gimbals")
    qtbot.waitUntil(lambda: editing.frame_loop.frame is not None and editing.frame_loop.frame.time == 20.0)
    form.representation_boxes[0].chosen.emit("euler_parameters")
    handle = form.forms["euler_parameters"].rows["euler_parameters"].field.sliders[2]
    take_hold(handle, -20, -40)
    QTest.mouseRelease(handle, LEFT, NONE, QPoint(-38, 8))
    p = editing.simulation.preset.initial.euler_parameters
    assert p[2] == pytest.approx(np.sin(np.radians(9.0)) - 0.2, abs=6e-3)
    assert np.linalg.norm(p) == pytest.approx(1.0, abs=1e-11)
    assert p[1] == p[3] == 0.0


def test_draggable_tip_is_highlighted_under_the_pointer(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 1.0)
    view = editing.window.scene
    at = QPoint(*np.round(tip(editing, "h")).astype(int).tolist())

    def pointed(point: QPoint) -> str:
        QTest.mouseMove(view, point)
        QTest.qWait(20)
        return view.stage.highlight

    qtbot.waitUntil(lambda: pointed(at) == "h")
    qtbot.waitUntil(lambda: pointed(at + QPoint(60, 60)) == "")
    qtbot.waitUntil(lambda: pointed(at) == "h")
    press(editing, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: view.stage.highlight == "")
    press(editing, Qt.Key.Key_Space)
