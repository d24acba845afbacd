"""Choices about how the run is shown are undone as edits are."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401 (a fixture)

from quatviz.app import Session
from quatviz.display.view_state.view_state import chosen_of

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_a_panel_that_was_hidden_comes_back(editing: Session, qtbot: QtBot) -> None:
    window, document = editing.window, editing.document
    window.looks.take()
    window.board.show_panel("omega", False)
    qtbot.waitUntil(lambda: bool(document.steps))
    assert window.acts.words("undo") == "Undo hide “Angular velocity”"
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert window.board.shows("omega")
    assert window.acts.words("redo") == "Redo hide “Angular velocity”"
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL | SHIFT)
    assert not window.board.shows("omega")
    assert not document.undone


def test_every_choice_goes_back_and_forth_and_the_run_goes_on(editing: Session) -> None:
    window, document = editing.window, editing.document
    window.looks.take()
    run, looks = document.simulation, [chosen_of(window.look)]
    for name in ("views_2", "each", "link", "difference", "magnify", "magnify", "lane_numbers", "views_4"):
        window.acts[name].trigger()
        if chosen_of(window.look) != looks[-1]:
            looks.append(chosen_of(window.look))
    window.board.arranger.arrangement.float("energy") if "energy" in window.board.titles else None
    window.looks.take()
    looks.append(chosen_of(window.look))
    assert len(document.steps) >= 6
    for _ in range(len(document.steps)):
        window.acts["undo"].trigger()
        assert chosen_of(window.look) in looks
    assert chosen_of(window.look) == looks[0]
    while document.undone:
        window.acts["redo"].trigger()
    assert chosen_of(window.look).views == looks[-1].views
    assert document.simulation is run, "nothing is computed anew"


def test_a_choice_by_mouse_and_an_edit_right_after_it_are_undone_in_their_order(editing: Session) -> None:
    window, document = editing.window, editing.document
    window.board.show_panel("omega", True)
    window.looks.take()
    before = len(document.steps)
    window.board.show_panel("omega", False)
    assert document.propose("edit", lambda state: state.with_preset(title="Edited")) is None
    assert [step.text for step in document.steps[before:]] == ["hide “Angular velocity”", "edit"]
    document.undo()
    assert not window.board.shows("omega")
    document.undo()
    assert window.board.shows("omega")
    window.board.show_panel("omega", False)
    document.undo()
    assert window.board.shows("omega"), (
        "what was chosen by mouse is undone, though nobody has looked at it yet"
    )


def test_cameras_themes_and_times_in_sight_are_no_steps(editing: Session) -> None:
    window = editing.window
    window.looks.take()
    for name in ("top", "zoom_in", "earlier", "theme_light", "theme_dark"):
        if name in window.acts.all:
            window.acts[name].trigger()
    window.looks.take()
    assert not editing.document.steps


def test_the_menu_bar_is_hidden_on_a_full_screen(editing: Session, qtbot: QtBot) -> None:
    window = editing.window
    bar = window.menuBar()
    window.acts["full_screen"].trigger()
    qtbot.waitUntil(lambda: not bar.isVisible())
    window.reach_menus()
    assert bar.isVisible()
    window.reach_menus()
    assert not bar.isVisible()
    window.acts["full_screen"].trigger()
    qtbot.waitUntil(bar.isVisible)
