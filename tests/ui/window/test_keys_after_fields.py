"""Fields of the real window: Enter accepts the text and returns the keys to the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from window_steps import editing  # noqa: F401

import quatviz as qv
from quatviz.app import WindowController
from quatviz.ui.widgets.entries import LineEntry


def test_enter_returns_focus_from_every_field(
    editing: WindowController,
    qtbot: QtBot,
) -> None:
    window = editing.window
    qtbot.waitUntil(window.isActiveWindow)
    entries = [entry for entry in window.findChildren(LineEntry) if entry.isVisible()]
    assert len(entries) > 10
    for entry in entries:
        entry.setFocus()
        QTest.keyClick(entry, Qt.Key.Key_Return)
        assert window.focusWidget() is window, entry.accessibleName()


def test_saving_includes_uncommitted_field_text(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl+S leaves the focus in the field, so what was typed was not in the file."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "typed.toml"), ""))
    entry = editing.window.side.setup.body.rows["inertia"].field.entries[0]
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, "390")
    assert editing.document.state.preset.body.inertia[0, 0] == 400.0
    QTest.keyClick(entry, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert qv.load_preset(tmp_path / "typed.toml").body.inertia[0, 0] == 390.0
    assert editing.document.unsaved_path is None


def test_rejected_time_can_be_corrected(editing: WindowController, qtbot: QtBot) -> None:
    window, field = editing.window, editing.window.transport.time_field
    qtbot.waitUntil(window.isActiveWindow)
    window.action_registry["go_to"].trigger()
    QTest.keyClicks(field, "1e9")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.focusWidget() is field
    assert field.selectedText() == field.text()
    QTest.keyClicks(field, "2")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert window.focusWidget() is window
    assert not field.is_refused


def test_session_with_a_dot_in_its_name_can_be_reopened(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "spin v1.2"), ""))
    editing.window.action_registry["save_as"].trigger()
    path = tmp_path / "spin v1.2.toml"
    assert editing.window.file_actions.file == path
    assert editing.window.file_actions.open(path), editing.window.side.picker.problem.text()
    assert [entry.name for entry in tmp_path.glob("spin*")] == [path.name]


def test_saving_a_session_asks_before_replacing_a_file(
    editing: WindowController, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, kept = [str(tmp_path / "spin"), ""], tmp_path / "spin.toml"
    kept.write_text("another session", "utf-8")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (names.pop(0), ""))
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.No)
    editing.window.action_registry["save_as"].trigger()
    assert kept.read_text("utf-8") == "another session"
    assert names == []
