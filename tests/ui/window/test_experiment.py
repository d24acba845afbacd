"""Experiments in the real window: by key, menu and timeline, and their undo."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot
from window_steps import editing, pause_at, wait_computed, wait_two_frames  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.simulation.commands import Pause, Play, Seek, StepSamples
from quatviz.ui.plots.time_view import TimeView
from quatviz.ui.widgets.entries import LineEntry

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def press(
    editing: WindowController, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    QTest.keyClick(editing.window, key, modifiers)


def entry(editing: WindowController) -> LineEntry:
    form = editing.window.experiments.event_card.form
    assert form is not None
    return next(iter(form.rows.values())).field.entries[0]


def is_whole(editing: WindowController) -> bool:
    """Return True if the card fits its field and its message is fully visible beside it."""
    card = editing.window.experiments.event_card
    assert card.form is not None
    message = card.form.rows["length"].message
    high = message.height() >= message.heightForWidth(message.width())
    inside = editing.window.rect().contains(message.geometry())
    apart = not message.geometry().intersects(card.geometry())
    return high and inside and apart and entry(editing).height() >= 26


def constraint(editing: WindowController) -> np.ndarray:
    return editing.simulation["newton_euler"].constraint


def test_perturb_by_key_undo_and_redo(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 7.254)
    wait_two_frames(editing, qtbot)
    press(editing, Qt.Key.Key_P)
    card = editing.window.experiments.event_card
    assert card.isVisible()
    qtbot.waitUntil(entry(editing).hasFocus)
    QTest.keyClicks(entry(editing), "1.01")
    QTest.keyClick(entry(editing), Qt.Key.Key_Return)
    assert not card.isVisible()
    assert editing.simulation.preset.events == (qv.Perturb(at=7.25, length=1.01),)
    wait_computed(editing, qtbot)
    assert constraint(editing)[[724, 725]] == pytest.approx([0.0, 1.01**2 - 1], abs=1e-9)
    qtbot.waitUntil(lambda: [flag.time for flag in editing.window.transport.scrubber.event_markers] == [7.25])
    assert "perturb |p| at 7.25 s" in editing.window.side.undo_button.toolTip()
    assert [card.item_type for card in editing.window.side.setup.events.cards] == [qv.Perturb]
    press(editing, Qt.Key.Key_Z, CONTROL)
    assert editing.simulation.preset.events == ()
    assert not editing.window.transport.scrubber.event_markers
    assert not editing.window.side.setup.events.cards
    press(editing, Qt.Key.Key_Y, CONTROL)
    assert editing.simulation.preset.events == (qv.Perturb(at=7.25, length=1.01),)
    assert editing.frame_loop.snapshot.playing is False


def test_errors_stay_in_the_event_card_until_escape(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 3.0)
    press(editing, Qt.Key.Key_P)
    card = editing.window.experiments.event_card
    for text, message in (("0", "above 0"), ("much", "a number")):
        entry(editing).selectAll()
        QTest.keyClicks(entry(editing), text)
        card.apply_button.click()
        assert card.isVisible()
        assert card.form is not None
        assert message in card.form.rows["length"].message.text()
        assert entry(editing).text() == text
        qtbot.waitUntil(lambda: is_whole(editing))
    QTest.keyClick(entry(editing), Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert editing.simulation.preset.events == ()
    assert editing.document.steps == ()


def test_playback_pauses_for_the_event_card(editing: WindowController, qtbot: QtBot) -> None:
    editing.frame_loop.send(Play())
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing and editing.frame_loop.snapshot.time > 0.5)
    wait_two_frames(editing, qtbot)
    press(editing, Qt.Key.Key_P, SHIFT)
    qtbot.waitUntil(lambda: not editing.frame_loop.snapshot.playing)
    held = editing.frame_loop.snapshot.time
    card = editing.window.experiments.event_card
    assert card.form is not None
    assert list(card.form.rows) == ["rate"]
    card.apply_button.click()
    (event,) = editing.simulation.preset.events
    assert isinstance(event, qv.Perturb)
    assert (event.rate, event.length) == (1e-3, 1.0)
    assert event.at <= held + 0.01
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing and editing.frame_loop.snapshot.time > held)
    remarks = editing.window.side.lane_list.rows[0].remarks
    qtbot.waitUntil(lambda: "no effect on p·p′" in remarks.text())
    assert remarks.isVisibleTo(editing.window)


def test_event_card_uses_the_latest_cursor_time(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    wait_computed(editing, qtbot)  # no step goes beyond the computed range
    editing.frame_loop.send(Play())
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.playing)
    editing.frame_loop.send(Pause())  # a playing cursor would move on between two commands
    editing.frame_loop.send(Seek(0.0))  # and no frame is shown before all of these
    for _ in range(5):
        editing.frame_loop.send(StepSamples(10))
    window.experiments.perform("kick")
    text = window.experiments.event_card.findChildren(QLabel)[1].text()
    assert text.startswith("Applies at t = 0.50 s")
    wait_two_frames(editing, qtbot)
    assert window.transport.time_field.text() == "t = 0.50 s"
    window.experiments.event_card.apply_button.click()
    assert [event.at for event in editing.simulation.preset.events] == [0.5]


def test_no_event_is_offered_at_the_end_of_the_run(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    pause_at(editing, qtbot, editing.document.state.preset.run.duration)
    window.experiments.perform("kick")
    assert not window.experiments.event_card.isVisible()
    assert "go to an earlier time" in window.status.message


def test_event_card_moves_the_cursor_to_a_sample(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 2.245)
    readout = editing.window.transport.time_field
    assert readout.text() == "t = 2.245 s"
    press(editing, Qt.Key.Key_K)
    wait_two_frames(editing, qtbot)
    assert readout.text() == "t = 2.24 s"
    assert editing.frame_loop.snapshot.time == 2.24
    editing.window.experiments.event_card.dismiss()


def test_reversed_time_retraces_the_motion(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 5.0)
    wait_two_frames(editing, qtbot)
    press(editing, Qt.Key.Key_R, SHIFT)
    assert editing.simulation.preset.events == (qv.Reverse(at=5.0),)
    wait_computed(editing, qtbot)
    lane = editing.simulation["newton_euler"]
    assert np.allclose(lane.p[1000], lane.p[0], atol=1e-9)
    drift = next(view for view in editing.window.board.panels if view.name == "drift")
    assert isinstance(drift, TimeView)
    assert drift.curves is not None
    shown = [strip.quantity for strip in drift.curves.strips]
    assert "momentum_drift" in shown
    assert "h_space_drift" not in shown


def test_timeline_menu_can_jump_to_and_remove_an_event(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 5.0)
    press(editing, Qt.Key.Key_R, SHIFT)
    wait_two_frames(editing, qtbot)
    scrubber = editing.window.transport.scrubber
    point = QPoint(round(scrubber.x_of(5.0)), 15)

    def offered() -> QMenu:
        QApplication.sendEvent(
            scrubber,
            QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, scrubber.mapToGlobal(point)),
        )
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu

    menu = offered()
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts[:2] == ["Go to t = 5 s", "Remove: time reversed"]
    assert texts[2:-2] == [
        *(
            "Flip the sign of p at t = 5 s",
            "Kick at t = 5 s…",
            "Perturb |p| at t = 5 s…",
            "Add a constraint error p·p′ at t = 5 s…",
            "Reverse time at t = 5 s",
        ),
    ]
    pause_at(editing, qtbot, 9.0)
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: editing.frame_loop.snapshot.time == 5.0)
    menu.actions()[1].trigger()
    assert texts[-1] == "What the markers mean…"
    menu.actions()[-1].trigger()
    assert editing.tool_windows.window("help") is not None
    assert editing.tool_windows.window("help").topic == "reading#marks-on-the-timeline"
    editing.tool_windows.window("help").close()
    menu.close()
    assert editing.simulation.preset.events == ()
    assert editing.document.steps[-1].text == "remove time reversal"


def test_events_are_edited_in_the_setup(editing: WindowController, qtbot: QtBot) -> None:
    pause_at(editing, qtbot, 6.0)
    wait_two_frames(editing, qtbot)
    section = editing.window.side.setup.events
    next(action for action in section.add_menu.actions() if action.text() == "Perturb |p|").trigger()
    assert editing.simulation.preset.events == (qv.Perturb(at=6.0, length=1.001),)
    block = section.cards[0].form.rows["at"]
    field = block.field.entries[0]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "6.003")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "a multiple of sample interval = 0.01 s" in block.message.text()
    assert "at = 6," in block.message.text()
    field.selectAll()
    QTest.keyClicks(field, "8.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert editing.simulation.preset.events == (qv.Perturb(at=8.5, length=1.001),)
    section.cards[0].remove_button.click()
    assert editing.simulation.preset.events == ()


def test_keys_magnify_differences(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    for _ in range(3):
        press(editing, Qt.Key.Key_M)
    assert window.scene.stage.magnification == 3
    assert window.magnifier.currentText() == "Magnify × 10³"
    press(editing, Qt.Key.Key_M, SHIFT)
    assert window.scene.stage.magnification == 2
    wait_two_frames(editing, qtbot)
    assert any("× 10²" in text for text, _ in window.scene.stage.legend_lines.values())
    rows = [lane.history.rows.copy() for lane in editing.simulation]
    assert all(
        np.array_equal(row, lane.history.rows) for row, lane in zip(rows, editing.simulation, strict=True)
    )


def test_timeline_menu_is_deleted_when_it_closes(editing: WindowController, qtbot: QtBot) -> None:
    scrubber = editing.window.transport.scrubber
    before = len(scrubber.findChildren(QMenu))
    for _ in range(3):
        menu = editing.window.experiments.open_menu(QPoint(0, 0), 1.0, None)
        assert len(scrubber.findChildren(QMenu)) > before
        menu.close()
        qtbot.waitUntil(lambda: len(scrubber.findChildren(QMenu)) == before)
