"""After Enter or Escape in a field the window has the focus, so that the next key is a shortcut."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMainWindow, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from quatviz.base.errors import InputError
from quatviz.ui.transport.transport_bar import TimeField
from quatviz.ui.widgets.entries import CollapsibleEntry, LineEntry, ParsedEntry


def parse_positive(text: str) -> float:
    if float(text) <= 0.0:
        raise InputError("mass", expected="a number above 0", found=text, remedy="write 1")
    return float(text)


def show_in_window(entry: QWidget, qtbot: QtBot, window: QWidget | None = None) -> QWidget:
    if window is None:
        window = QMainWindow()
        window.setCentralWidget(entry)
    else:
        QVBoxLayout(window).addWidget(entry)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def type_text(entry: LineEntry, text: str, *keys: Qt.Key) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    for key in keys:
        QTest.keyClick(entry, key)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape])
def test_key_after_enter_or_escape_is_a_shortcut(qtbot: QtBot, key: Qt.Key) -> None:
    entry = LineEntry("Torque")
    window = show_in_window(entry, qtbot)
    pressed: list[str] = []
    QShortcut(QKeySequence("K"), window, lambda: pressed.append("K"))
    type_text(entry, "0.5*sin(2*t)", key)
    assert window.focusWidget() is window
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_K)
    qtbot.waitUntil(lambda: pressed == ["K"])
    assert "k" not in entry.text()


def test_enter_without_change_returns_focus(qtbot: QtBot) -> None:
    entry = LineEntry("Mass")
    window = show_in_window(entry, qtbot)
    type_text(entry, "", Qt.Key.Key_Return)
    assert window.focusWidget() is window


def test_rejected_text_keeps_focus(qtbot: QtBot) -> None:
    entry = ParsedEntry(parse_positive, "Mass")
    window = show_in_window(entry, qtbot)
    type_text(entry, "-1", Qt.Key.Key_Return)
    assert window.focusWidget() is entry
    assert not entry.message.space.isVisible()  # it is in no layout, and would be a window of its own
    type_text(entry, "2", Qt.Key.Key_Return)
    assert window.focusWidget() is window


def test_enter_handler_may_move_focus_itself(qtbot: QtBot) -> None:
    page, first, second = QWidget(), LineEntry("A"), LineEntry("B")
    QVBoxLayout(page).addWidget(first)
    page.layout().addWidget(second)  # type: ignore[union-attr]
    window = show_in_window(page, qtbot)
    first.returnPressed.connect(second.setFocus)
    type_text(first, "1", Qt.Key.Key_Return)
    assert window.focusWidget() is second


def test_dialog_fields_keep_focus(qtbot: QtBot) -> None:
    entry = LineEntry("Offset")
    dialog = show_in_window(entry, qtbot, QDialog())
    type_text(entry, "1", Qt.Key.Key_Return)
    assert dialog.focusWidget() is entry
    type_text(entry, "2", Qt.Key.Key_Escape)
    assert dialog.focusWidget() is entry
    assert dialog.isVisible()


def test_all_field_types_return_focus(qtbot: QtBot) -> None:
    collapsible = CollapsibleEntry("Compute on a cluster…", "tcp://host:8786")
    for widget, entry in ((TimeField(), None), (collapsible, collapsible.entry)):
        window = show_in_window(widget, qtbot)
        if entry is not None:
            collapsible.button.click()
        field = entry or widget
        assert isinstance(field, LineEntry)
        type_text(field, "1", Qt.Key.Key_Return)
        assert window.focusWidget() is window
