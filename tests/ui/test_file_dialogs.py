"""File dialogs: the confirmed name is written, and the last folder is offered again."""

import ast
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

import quatviz
from quatviz.ui.widgets import file_dialogs
from quatviz.ui.widgets.file_dialogs import ask_folder, ask_open_path, ask_open_paths, ask_save_path

SESSIONS = "Sessions (*.toml)"


class Answers:
    """Prepared answers of the user in file dialogs, and the folder in which each dialog opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        self.starts: list[Path] = []
        self.replaces: list[bool] = []
        self.questions: list[str] = []
        monkeypatch.setattr(QFileDialog, "getSaveFileName", self._answer)
        monkeypatch.setattr(QFileDialog, "getOpenFileName", self._answer)
        monkeypatch.setattr(QMessageBox, "question", self._ask)

    def _answer(self, parent: object, title: str, start: str, name_filter: str) -> tuple[str, str]:
        self.starts.append(Path(start))
        return self.names.pop(0), name_filter

    def _ask(self, parent: object, title: str, question: str) -> QMessageBox.StandardButton:
        self.questions.append(question)
        return QMessageBox.StandardButton.Yes if self.replaces.pop(0) else QMessageBox.StandardButton.No


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, qtbot: QtBot) -> Answers:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path / "settings"))
    return Answers(monkeypatch)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("spin", "spin.toml"),
        ("spin v1.2", "spin v1.2.toml"),
        ("a.csv", "a.csv.toml"),
        ("spin.", "spin.toml"),
        ("spin.toml", "spin.toml"),
        ("spin.TOML", "spin.TOML"),
        (".hidden", ".hidden.toml"),
        ("spin.toml ", "spin.toml"),
        (" spin . ", "spin.toml"),
        ("...", "untitled.toml"),
        (" .", "untitled.toml"),
        ("🪐.toml", "🪐.toml"),
    ],
)
def test_saved_name_gets_a_readable_suffix(
    answers: Answers, tmp_path: Path, typed: str, written: str
) -> None:
    answers.names = [str(tmp_path / typed)]
    assert ask_save_path(None, "Save", "session", "run.toml", SESSIONS, ".toml") == tmp_path / written
    assert answers.questions == []


def test_replacing_a_file_needs_confirmation(answers: Answers, tmp_path: Path) -> None:
    (tmp_path / "spin.toml").touch()
    answers.names, answers.replaces = [str(tmp_path / "spin"), str(tmp_path / "other")], [False]
    assert ask_save_path(None, "Save", "session", "run.toml", SESSIONS, ".toml") == tmp_path / "other.toml"
    assert answers.questions == ["“spin.toml” already exists. Do you want to replace it?"]
    assert answers.starts[1] == tmp_path / "spin.toml"
    answers.names, answers.replaces = [str(tmp_path / "spin")], [True]
    assert ask_save_path(None, "Save", "session", "run.toml", SESSIONS, ".toml") == tmp_path / "spin.toml"
    answers.names = [str(tmp_path / "spin.toml")]
    assert ask_save_path(None, "Save", "session", "run.toml", SESSIONS, ".toml") == tmp_path / "spin.toml"
    assert len(answers.questions) == 2, "the dialog itself has asked"


def test_filter_accepts_each_of_its_suffixes(answers: Answers, tmp_path: Path) -> None:
    for typed, written in (("a.nc", "a.nc"), ("a.csv", "a.csv"), ("a.svg", "a.svg.csv"), ("a", "a.csv")):
        answers.names = [str(tmp_path / typed)]
        path = ask_save_path(None, "Export", "export", "map.csv", "Table (*.csv *.nc)", ".csv")
        assert path == tmp_path / written


def test_dialogs_start_in_last_folder_or_documents(
    answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    monkeypatch.setattr(
        file_dialogs.QStandardPaths, "writableLocation", staticmethod(lambda location: str(documents))
    )
    monkeypatch.setattr(
        QFileDialog,
        "getOpenFileNames",
        lambda parent, title, start, name_filter: ([start + "/r.csv"], name_filter),
    )
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda parent, title, start: start)
    answers.names = ["", str(tmp_path / "s" / "a.toml"), "", str(tmp_path / "s" / "b.toml"), ""]
    (tmp_path / "s").mkdir()
    assert ask_open_path(None, "Open", "session", SESSIONS) is None
    assert ask_open_path(None, "Open", "session", SESSIONS) == tmp_path / "s" / "a.toml"
    assert ask_save_path(None, "Save", "session", "run.toml", SESSIONS, ".toml") is None
    ask_save_path(None, "Save", "session", tmp_path / "s" / "a.toml", SESSIONS, ".toml")
    assert ask_open_path(None, "Open", "session", SESSIONS) is None
    s = tmp_path / "s"
    assert answers.starts == [documents, documents, s / "run.toml", s / "a.toml", s]
    assert ask_open_paths(None, "Import", "recording", "") == [s / "r.csv"]
    assert ask_folder(None, "Folder", "export") == s


def test_no_other_module_opens_a_file_dialog() -> None:
    """A dialog opened elsewhere starts in the program's folder and does not remember the last one."""
    package = Path(quatviz.__file__).parent
    users = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Name) and node.id == "QFileDialog"
    }
    assert users == {"ui/widgets/file_dialogs.py"}
