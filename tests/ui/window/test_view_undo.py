"""Undo of changes of the view state."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401 (a fixture)

from quatviz.app import WindowController
from quatviz.display.view_state.view_state import undoable_part

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_hidden_panel_returns_with_undo(editing: WindowController, qtbot: QtBot) -> None:
    window, document = editing.window, editing.document
    window.board.show_panel("omega", False)
    qtbot.waitUntil(lambda: bool(document.steps))
    assert window.action_registry.menu_text("undo") == "Undo hide “Angular velocity”"
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert window.board.is_shown("omega")
    assert window.action_registry.menu_text("redo") == "Redo hide “Angular velocity”"
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL | SHIFT)
    assert not window.board.is_shown("omega")
    assert not document.redo_steps


def test_view_changes_are_undone_and_redone_without_recomputing(editing: WindowController) -> None:
    window, document = editing.window, editing.document
    run, looks = document.simulation, [undoable_part(window.view_state)]
    for name in ("views_2", "each", "link", "difference", "magnify", "magnify", "lane_numbers", "views_4"):
        window.action_registry[name].trigger()
        if undoable_part(window.view_state) != looks[-1]:
            looks.append(undoable_part(window.view_state))
    window.board.arranger.arrangement.detach("energy") if "energy" in window.board.titles else None
    looks.append(undoable_part(window.view_state))
    assert len(document.steps) >= 6
    for _ in range(len(document.steps)):
        window.action_registry["undo"].trigger()
        assert undoable_part(window.view_state) in looks
    assert undoable_part(window.view_state) == looks[0]
    while document.redo_steps:
        window.action_registry["redo"].trigger()
    assert undoable_part(window.view_state).views == looks[-1].views
    assert document.simulation is run, "nothing is computed again"


def test_view_change_and_following_edit_are_undone_in_order(
    editing: WindowController,
) -> None:
    window, document = editing.window, editing.document
    window.board.show_panel("omega", True)
    before = len(document.steps)
    window.board.show_panel("omega", False)
    assert document.propose("edit", lambda state: state.with_preset(title="Edited")) is None
    assert [step.text for step in document.steps[before:]] == ["hide “Angular velocity”", "edit"]
    document.undo()
    assert not window.board.is_shown("omega")
    document.undo()
    assert window.board.is_shown("omega")
    window.board.show_panel("omega", False)
    document.undo()
    assert window.board.is_shown("omega"), "a change by mouse is undone before the next frame"


def test_cameras_themes_and_time_ranges_are_no_undo_steps(editing: WindowController) -> None:
    window = editing.window
    for name in ("top", "zoom_in", "earlier", "theme_light", "theme_dark"):
        if name in window.action_registry.definitions:
            window.action_registry[name].trigger()
    assert not editing.document.steps


def test_menu_bar_is_hidden_in_full_screen(editing: WindowController, qtbot: QtBot) -> None:
    window = editing.window
    bar = window.menuBar()
    window.action_registry["full_screen"].trigger()
    qtbot.waitUntil(lambda: not bar.isVisible())
    window.keyboard_focus.focus_menu_bar()
    assert bar.isVisible()
    window.keyboard_focus.focus_menu_bar()
    assert not bar.isVisible()
    window.action_registry["full_screen"].trigger()
    qtbot.waitUntil(bar.isVisible)
