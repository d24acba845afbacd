"""Commands that write several files into a folder ask before they replace any."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog
from window_steps import editing  # noqa: F401 (a fixture)

from quatviz.app import WindowController
from quatviz.export.documents import EXHIBITS
from quatviz.teaching.lessons.sheet import existing_sheet_files
from quatviz.ui.tools.export import lesson_dialogs, run_dialogs


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the list of questions asked, each answered with no."""
    asked: list[str] = []

    def answer(parent: object, title: str, question: str) -> bool:
        asked.append(question)
        return False

    monkeypatch.setattr("quatviz.ui.widgets.file_dialogs.confirm", answer)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    return asked


def refuse_to_write(*_: Any) -> int:
    raise AssertionError("nothing may be written")


def test_worksheet_export_asks_before_replacing_files(
    editing: WindowController, questions: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lesson_dialogs, "write_sheet_in_subprocess", refuse_to_write)
    editing.window.action_registry["export_sheet"].trigger()
    dialog = editing.exporter.dialogs["sheet"]
    assert isinstance(dialog, lesson_dialogs.SheetDialog)
    name = Path(str(dialog.lesson.value)).stem
    (tmp_path / f"{name}.md").write_text("an edit of mine")
    (tmp_path / "notes.md").write_text("")
    dialog.export()
    assert questions == [f"“{name}.md” already exists. Do you want to replace it?"]
    (tmp_path / f"{name}-answers.pdf").write_text("")
    dialog.export()
    assert questions[-1].startswith("2 files already exist")
    assert f"{name}-answers.pdf" in questions[-1]
    assert (tmp_path / f"{name}.md").read_text() == "an edit of mine"
    dialog.close()


def test_paper_figure_export_asks_before_replacing_files(
    editing: WindowController, questions: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_dialogs, "write_documents", refuse_to_write)
    name = next(iter(EXHIBITS))
    (tmp_path / f"{name}.csv").write_text("mine")
    (tmp_path / "other.csv").write_text("")
    editing.window.action_registry["export_documents"].trigger()
    assert questions == [f"“{name}.csv” already exists. Do you want to replace it?"]
    editing.exporter.dialogs["documents"].close()


def test_only_files_of_the_worksheet_count_as_existing(tmp_path: Path) -> None:
    for name in ("top.md", "top-answers.md", "top-12.png", "top-12b.png", "topple.md", "top.toml"):
        (tmp_path / name).write_text("")
    assert [path.name for path in existing_sheet_files(tmp_path, "top")] == ["top-12.png", "top-answers.md", "top.md"]  # fmt: skip
