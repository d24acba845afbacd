"""The search popup: its keys."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from quatviz.teaching.help.entry_search import SearchEntry
from quatviz.ui.widgets.buttons import Button, QuietButton
from quatviz.ui.widgets.search_popup import SearchPopup
from quatviz.ui.widgets.style import apply_scale

NAMES = ("Gimbal lock", "Half a turn", "Heavy top")


@pytest.fixture
def done() -> list[str]:
    """List of the performed actions."""
    return []


@pytest.fixture
def finder(qtbot: QtBot, done: list[str]) -> Iterator[SearchPopup]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 400)
    window.show()
    made = SearchPopup(
        window, "Lessons", "Search", 3, 2, QuietButton("Open a file…", partial(done.append, "file"))
    )
    made.open([SearchEntry(name, "", partial(done.append, name)) for name in NAMES], QPoint(100, 100), 400)
    qtbot.waitUntil(lambda: made.field.hasFocus())
    yield made
    window.close()


def press(*keys: Qt.Key) -> None:
    for key in keys:
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)


def test_enter_after_tab_runs_selected_entry(finder: SearchPopup, done: list[str]) -> None:
    press(Qt.Key.Key_Down, Qt.Key.Key_Tab)
    assert finder.result_list.hasFocus()
    press(Qt.Key.Key_Return)
    assert done == ["Half a turn"]
    assert not finder.isVisible()


def test_arrows_and_letters_work_in_the_list(finder: SearchPopup, done: list[str]) -> None:
    press(Qt.Key.Key_Tab, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert finder.result_list.currentRow() == 2
    QTest.keyClicks(finder.result_list, "h")
    assert finder.field.hasFocus()
    QTest.keyClicks(finder.field, "alf")
    assert finder.listed_entries[0].title == "Half a turn"
    press(Qt.Key.Key_Return)
    assert done == ["Half a turn"]


def test_second_tab_reaches_entry_below_the_list(finder: SearchPopup, done: list[str]) -> None:
    press(Qt.Key.Key_Tab, Qt.Key.Key_Tab)
    press(Qt.Key.Key_Return)
    assert done == ["file"]
    press(Qt.Key.Key_Tab)
    assert finder.field.hasFocus()
    press(Qt.Key.Key_Tab, Qt.Key.Key_Escape)
    assert not finder.isVisible()


def test_enter_presses_focused_button_outside_dialogs(qtbot: QtBot, done: list[str]) -> None:
    button = Button("Presets", partial(done.append, "pressed"))
    qtbot.addWidget(button)
    button.show()
    button.setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
        QTest.keyClick(button, key)
    assert done == ["pressed"] * 3


def test_popup_is_as_wide_as_the_scale_requires(finder: SearchPopup, qtbot: QtBot) -> None:
    """At 150 % its texts were elided beside free space."""
    width = finder.width()
    apply_scale(150)
    try:
        finder.open([SearchEntry(name, "", bool) for name in NAMES], QPoint(100, 100), 400)
        assert finder.width() == 1.5 * width
    finally:
        apply_scale(100)
