"""What a person needs is where it was: on the full screen, below a popup, beside what is refused."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot
from window_steps import editing, moment, two_frames  # noqa: F401

from quatviz.app import Session
from quatviz.help.finding import Entry
from quatviz.look.look import OTHERS
from quatviz.look.theme import THEMES
from quatviz.ui.kit.widgets import Entry as TextEntry
from quatviz.ui.plots.time_view import TimeView


def controls(session: Session) -> list[QWidget]:
    """Of the plots: those that are seen."""
    board = session.window.board
    kinds = (QAbstractButton, QComboBox)
    return [one for kind in kinds for one in board.findChildren(kind) if one.isVisibleTo(board)]


def cut(session: Session, one: QWidget) -> bool:
    """Whether part of it is beyond the window's sides."""
    window = session.window
    left = one.mapTo(window, QPoint()).x()
    return left < 0 or left + one.width() > window.width()


@pytest.mark.parametrize("theme", THEMES)
def test_the_full_screen_keeps_the_controls_of_the_plots(theme: str, editing: Session, qtbot: QtBot) -> None:
    window = editing.window
    window.resize(1280, 692)
    window.show_theme(THEMES[theme])
    two_frames(editing, qtbot)
    before = len(controls(editing))
    assert before > 5
    QTest.keyClick(window, Qt.Key.Key_F11)
    for size in ((1280, 720), (1920, 1080)):  # as a desktop makes it
        window.resize(*size)
        two_frames(editing, qtbot)
        assert window.size().toTuple() == size
        assert len(controls(editing)) >= before
        assert [one for one in controls(editing) if cut(editing, one)] == []
    QTest.keyClick(window, Qt.Key.Key_F11)
    window.resize(1280, 692)
    two_frames(editing, qtbot)
    assert [one for one in controls(editing) if cut(editing, one)] == []


@pytest.mark.parametrize("theme", THEMES)
def test_curves_keep_a_form_on_a_small_screen(theme: str, editing: Session, qtbot: QtBot) -> None:
    window = editing.window
    window.resize(1366, 768)
    window.show_theme(THEMES[theme])
    window.board.show_panels({OTHERS: False, "h": True, "drift": True})  # as the preset does
    two_frames(editing, qtbot)
    plots = [plot for panel in window.board.panels if isinstance(panel, TimeView) for plot in panel.plots]
    assert len(plots) == 8
    line = plots[0].style_.small_metrics.height()
    qtbot.waitUntil(lambda: min(plot.area.height() for plot in plots) > 2.4 * line)


def test_a_popup_has_fewer_rows_rather_than_stand_over_the_menus(editing: Session) -> None:
    finder = editing.window.palette_
    entries = [Entry(f"entry {number}", "", lambda: None) for number in range(40)]
    bottom = finder.screen().availableGeometry().bottom()
    heights = []
    for above in (900, 300, 150):
        corner = QPoint(40, bottom - above)
        finder.open(entries, corner, 400)
        assert finder.pos() == corner
        assert finder.geometry().bottom() <= bottom
        heights.append(finder.height())
        finder.hide()
    assert heights[0] > heights[1] > heights[2]
    finder.open(entries, QPoint(40, 100), 400)
    assert finder.height() == heights[0], "all rows again where there is room"
    finder.hide()


@pytest.mark.parametrize("way", ["key", "button", "tab"])
def test_a_preset_that_was_chosen_is_played_by_space(way: str, editing: Session, qtbot: QtBot) -> None:
    window, gallery = editing.window, editing.window.side.picker.gallery
    button = window.side.picker.button
    if way == "key":
        QTest.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    elif way == "button":
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    else:
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert gallery.isVisible()
    QTest.keyClick(gallery.field, Qt.Key.Key_Return)
    assert not gallery.isVisible()
    two_frames(editing, qtbot)
    playing = editing.bridge.snapshot.playing
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Space)
    assert not gallery.isVisible()
    qtbot.waitUntil(lambda: editing.bridge.snapshot.playing != playing)


def test_what_is_typed_behind_a_refusal_goes_to_the_field(editing: Session) -> None:
    entry, state = moment(editing), editing.document.state
    entry.setFocus()
    entry.selectAll()
    place = entry.mapTo(editing.window, QPoint())
    QTest.keyClicks(entry, "-5")
    QTest.keyClick(entry, Qt.Key.Key_Return)
    assert editing.window.side.setup.body.blocks["inertia"].refused
    QApplication.processEvents()
    assert entry.mapTo(editing.window, QPoint()) == place
    assert entry.hasFocus()
    for letter in "kd":  # a kick, and differences, anywhere else
        QTest.keyClicks(QApplication.focusWidget() or editing.window, letter)
    assert entry.text() == "-5kd"
    assert editing.document.state == state
    assert not editing.window.board.choices.difference
    QTest.keyClick(entry, Qt.Key.Key_Escape)


def test_a_refusal_that_comes_or_goes_moves_no_field_under_the_hand(editing: Session, qtbot: QtBot) -> None:
    entry, state = moment(editing), editing.document.state
    below = next(one for one in editing.window.side.setup.initial.findChildren(TextEntry) if one.isVisible())
    editing.window.side.reveal(editing.window.side.sections["Initial state"])

    def place() -> int:
        return below.mapTo(editing.window, QPoint()).y()

    def settled() -> int:
        """Where it is once it stays there: a busy machine lays out late."""
        seen = [place()]
        while len(seen) < 4 or len(set(seen[-4:])) > 1:
            qtbot.wait(30)
            seen.append(place())
        return seen[-1]

    before = settled()
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, "-5")
    below.setFocus(Qt.FocusReason.MouseFocusReason)  # as a click does, before what was typed is judged
    assert editing.window.side.setup.body.blocks["inertia"].refused
    assert settled() == before
    entry.take_back()
    entry.taken_back.emit()
    qtbot.wait(20)
    assert not editing.window.side.setup.body.blocks["inertia"].refused
    assert settled() == before
    assert below.hasFocus()
    assert editing.document.state == state


def test_names_of_many_lanes_that_are_prepared_do_not_widen_the_window(editing: Session) -> None:
    status = editing.window.status
    before = editing.window.minimumSizeHint().width()
    status.show_notice("Preparing " + ", ".join(["Lagrange in Euler angles: 3-2-1"] * 12))
    QApplication.processEvents()
    assert editing.window.minimumSizeHint().width() == before
    status.show_notice("")
