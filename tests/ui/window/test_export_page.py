"""Export of the web page from the real window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from window_steps import editing, wait_export, wait_two_frames  # noqa: F401

from quatviz.app import WindowController
from quatviz.ui.tools.export import run_dialogs
from quatviz.ui.tools.export.run_dialogs import PageDialog


def test_export_button_writes_the_visible_lanes(
    editing: WindowController,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "page.html"
    asked: list[str] = []

    def choose(parent: object, title: str, name: str, name_filter: str) -> tuple[str, str]:
        asked.append(Path(name).name)
        return str(path), name_filter

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    opened: list[Path] = []
    monkeypatch.setattr(run_dialogs, "open_path", opened.append)
    wait_two_frames(editing, qtbot)
    editing.window.action_registry["export_page"].trigger()
    dialog = editing.exporter.dialogs["page"]
    assert isinstance(dialog, PageDialog)
    assert not dialog.browser_button.isVisible()
    dialog.lanes.show_value("visible")
    dialog.theme_box.show_value("dark")
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    wait_export(dialog, qtbot)
    assert dialog.problem.text() == ""
    assert asked == ["Torque-free body - web page.html"]
    assert "MB" in dialog.status_label.text()
    text = path.read_text("utf-8")
    assert '"theme": "dark"' in text
    assert '"name": "Hamilton, reduced to h"' in text
    dialog.browser_button.click()
    assert opened == [path]
    path.unlink()
    dialog.write(tmp_path / "nowhere" / "page.html")
    wait_export(dialog, qtbot)
    assert "no such folder" in dialog.problem.text()
    assert not dialog.browser_button.isVisible()
