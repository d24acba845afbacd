"""Shortcuts of the window while the cursor is in the editor of a torque law."""

import pytest
from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.base.vector_program import MAX_PROGRAM_LENGTH
from quatviz.ui.widgets.text_block import MAX_PASTED_LENGTH, TextArea, TextBlockField

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
PLAIN = Qt.KeyboardModifier.NoModifier
KEPT = [
    (Qt.Key.Key_A, PLAIN, "a"),
    (Qt.Key.Key_Question, SHIFT, "?"),
    (Qt.Key.Key_Space, PLAIN, " "),
    (Qt.Key.Key_Left, PLAIN, ""),
    (Qt.Key.Key_PageDown, PLAIN, ""),
    (Qt.Key.Key_Escape, PLAIN, "\x1b"),
    (Qt.Key.Key_Return, CTRL, "\r"),
    (Qt.Key.Key_Z, CTRL, "\x1a"),
    (Qt.Key.Key_C, CTRL, "\x03"),
    (Qt.Key.Key_V, CTRL, "\x16"),
    (Qt.Key.Key_Left, CTRL, ""),
    (Qt.Key.Key_BracketLeft, CTRL | ALT, "["),
]
"""Keys that the editor uses itself."""
PASSED = [
    (Qt.Key.Key_F1, PLAIN, ""),
    (Qt.Key.Key_F4, PLAIN, ""),
    (Qt.Key.Key_F5, CTRL, ""),
    (Qt.Key.Key_S, CTRL, "\x13"),
    (Qt.Key.Key_S, CTRL | SHIFT, "\x13"),
    (Qt.Key.Key_O, CTRL, "\x0f"),
    (Qt.Key.Key_F, ALT, "f"),
]
"""Keys that the editor leaves to the window."""


def test_pasted_text_is_shortened_but_remains_too_long_for_a_law(qtbot: QtBot) -> None:
    """Qt took 11 s for a text of 10 MB."""
    area = TextArea("Law")
    qtbot.addWidget(area)
    area.setPlainText("h ")
    area.moveCursor(QTextCursor.MoveOperation.End)
    data = QMimeData()
    data.setText("omega + " * 10_000)
    area.insertFromMimeData(data)
    assert area.toPlainText().startswith("h omega + omega")
    assert MAX_PROGRAM_LENGTH < len(area.toPlainText()) <= 2 + MAX_PASTED_LENGTH
    area.undo()
    assert area.toPlainText() == "h "


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "is_kept"),
    [*((*case, True) for case in KEPT), *((*case, False) for case in PASSED)],
)
def test_law_editor_accepts_only_its_own_keys(
    qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier, text: str, is_kept: bool
) -> None:
    area = TextArea("Law")
    qtbot.addWidget(area)
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers, text)
    event.ignore()
    QApplication.sendEvent(area, event)
    assert event.isAccepted() == is_kept


def test_function_keys_work_and_letters_are_typed_in_the_law(editing: WindowController, qtbot: QtBot) -> None:
    document, window = editing.document, editing.window
    law = qv.TorqueLaw(law="n = -2*omega")
    assert document.propose("add", lambda state: state.with_preset(loads=(law,))) is None
    (field,) = [field for field in window.findChildren(TextBlockField) if field.value() == law.law]
    assert field.hint.text() == "Ctrl Enter applies the text"
    qtbot.waitUntil(window.isActiveWindow)
    field.area.setFocus()
    QTest.keyClick(field.area, Qt.Key.Key_F)
    assert "f" in field.value()
    assert not editing.start_page.is_shown
    QTest.keyClick(field.area, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: editing.start_page.is_shown)
    editing.start_page.leave()
    field.revert()
