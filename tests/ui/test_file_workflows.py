"""Random workflows with files in two windows: only the expected file is written. Each edit marks the run, so that a file
identifies its state. A model of each window records which file a run belongs to. A new, pasted or opened run is a different one,
whatever its title, and undo and redo return to it."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.view_state.session import read_session
from quatviz.ui.window import file_actions as module
from quatviz.ui.window.file_actions import FileActions

WORKFLOWS = int(os.environ.get("QUATVIZ_FILE_WORKFLOWS", "60"))
"""Number of workflows; set the variable for a longer search."""
OPERATIONS = 14
NAMES = ("a.toml", "b.toml", "c.toml")
PLAIN = qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=0.1)


class Picker(QObject):
    """File picker that ignores errors."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.refusals: list[object] = []

    def explain(self, refusal: object) -> None:
        self.refusals.append(refusal)


@dataclass(eq=False)
class Run:
    """Model of one document as the user sees it."""

    path: Path | None = None
    version: int = 0
    """Number of times that its file had been written when it was read or written last."""


@dataclass
class Model:
    """The undo steps of a window, and the current one."""

    steps: list[tuple[Run, str]] = field(default_factory=lambda: [(Run(), PLAIN.source)])
    shown: int = 0

    def do(self, run: Run, mark: str) -> None:
        self.steps[self.shown + 1 :] = [(run, mark)]
        self.shown += 1

    @property
    def run(self) -> Run:
        return self.steps[self.shown][0]

    @property
    def mark(self) -> str:
        return self.steps[self.shown][1]


class Window:
    """The file actions of a window with its document, without its widgets."""

    def __init__(self) -> None:
        self.widget, self.picker, self.model = QWidget(), Picker(), Model()
        self.document = Document(State.default_for(PLAIN))
        picker: Any = self.picker
        self.files = FileActions(self.document, picker, self.widget, lambda: self.document.view.state)

    def close(self) -> None:
        self.widget.deleteLater()
        # Without an event loop, all windows of the tests would stay in memory, 2 GB after 10,000 workflows.
        QCoreApplication.sendPostedEvents(self.widget, QEvent.Type.DeferredDelete)


class Workflow:
    """Random operations, each followed by a check of all files."""

    def __init__(self, seed: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.random, self.folder, self.count = Random(seed), folder, 0
        self.windows = [Window(), Window()]
        self.content: dict[Path, bytes] = {}
        self.versions: dict[Path, int] = {}
        self.log: list[str] = []
        self.answer: Path | None = None
        self.questions = 0
        monkeypatch.setattr(module, "ask_save_path", self._ask)

    def _ask(self, *_: object) -> Path | None:
        self.questions += 1
        return self.answer

    def run(self) -> None:
        operations: list[Callable[[Window], Path | None]] = [
            *(self.edit, self.edit, self.save, self.save, self.save_as, self.new, self.open),
            *(self.paste, self.undo, self.redo, self.open_preset, self.kill),
        ]
        for _ in range(OPERATIONS):
            index = self.random.randrange(2)
            operation = self.random.choice(operations)
            self.log.append(f"{index}: {operation.__name__}")
            written = operation(self.windows[index])
            self.check(self.windows[index], written)
        for window in self.windows:
            window.close()

    def check(self, window: Window, written: Path | None) -> None:
        for path in self.folder.glob("*"):
            data = path.read_bytes()
            if path == written:
                assert read_session(path).preset.source == window.model.mark, self.log
                self.versions[path] = self.versions.get(path, 0) + 1
                window.model.run.version = self.versions[path]
            else:
                assert data == self.content.get(path), (path.name, self.log)
            self.content[path] = data
        assert written is None or written in self.content, self.log
        assert window.document.state.preset.source == window.model.mark, self.log
        assert window.files.file == window.model.run.path, self.log

    def _next_mark(self) -> str:
        self.count += 1
        return f"mark {self.count}"

    def edit(self, window: Window) -> None:
        mark = self._next_mark()
        assert window.document.propose("edit", lambda state: state.with_preset(source=mark)) is None
        window.model.do(window.model.run, mark)

    def save(self, window: Window) -> Path | None:
        run = window.model.run
        is_changed = run.path is not None and self.versions[run.path] != run.version
        self.answer = self.random.choice([None, self.folder / self.random.choice(NAMES)])
        self.questions = 0
        window.files.save()
        if run.path is not None and not is_changed:
            assert self.questions == 0, self.log
            return run.path
        assert self.questions == 1, self.log
        if self.answer is not None:
            run.path = self.answer
        return self.answer

    def save_as(self, window: Window) -> Path:
        path = self.folder / self.random.choice(NAMES)
        window.files.save_as(path)
        window.model.run.path = path
        return path

    def new(self, window: Window) -> None:
        window.files.new()
        self._note_opened(window, Run())

    def open(self, window: Window) -> None:
        path = self.folder / self.random.choice(NAMES)
        if not path.exists():
            return
        assert window.files.open(path)
        self._note_opened(window, Run(path, self.versions[path]))

    def open_preset(self, window: Window) -> None:
        assert window.files.open(self.random.choice(sorted(PRESETS.glob("t[!h]*.toml"))))
        self._note_opened(window, Run())

    def paste(self, window: Window) -> None:
        other = self.random.choice(self.windows)
        other.files.copy_run()
        window.files.paste_run()
        self._note_opened(window, Run())

    def _note_opened(self, window: Window, run: Run) -> None:
        """Opening an equal run adds a step only if undo leads to another file."""
        mark = window.document.state.preset.source
        if len(window.document.steps) == window.model.shown:
            window.model.steps[window.model.shown] = (run, mark)
        else:
            window.model.do(run, mark)

    def undo(self, window: Window) -> None:
        if window.model.shown > 0:
            window.model.shown -= 1
        window.document.undo()

    def redo(self, window: Window) -> None:
        if window.model.shown < len(window.model.steps) - 1:
            window.model.shown += 1
        window.document.redo()

    def kill(self, window: Window) -> None:
        """The process ends without saving, and another window takes its place."""
        window.close()
        window.__init__()  # type: ignore[misc]


PRESETS = Path(qv.__file__).parents[1] / "presets"


@pytest.fixture(autouse=True)
def _settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path_factory.mktemp("settings")))


@pytest.mark.parametrize("first", range(0, WORKFLOWS, 20))
def test_only_the_expected_file_is_written(
    first: int, qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(first, first + 20):
        folder = tmp_path / str(seed)
        folder.mkdir()
        Workflow(seed, folder, monkeypatch).run()


@pytest.mark.parametrize("seed", [2659, 3510])
def test_undo_and_redo_return_to_file_of_reopened_run(
    seed: int, qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An equal run that is opened makes no undo step, but the steps beside it must know its file."""
    Workflow(seed, tmp_path, monkeypatch).run()
