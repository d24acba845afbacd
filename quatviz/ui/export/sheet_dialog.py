"""A student's sheet of a lesson with one click: computed in a process of its own, which can be cancelled."""

from __future__ import annotations

import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QFormLayout, QLabel, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal, phrase
from quatviz.export.table import Progress
from quatviz.lessons import Lesson, lesson_paths, read_heading
from quatviz.ui.export.dialog import WIDTH, ExportDialog
from quatviz.ui.export.job import Cancelled
from quatviz.ui.setup.entry import ChoiceBox
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import tr

log = logging.getLogger(__name__)

_TEXT = (
    "The words of every step, its questions with room for a guess, figures of its runs, and the answers at the end: as "
    "PDF (A4), and as Markdown with the figures beside it. The first time, compiling takes a minute."
)


_LOOK = 0.1
"""How long the process may say nothing before somebody looks whether it is to be cancelled [s]."""


class SheetDialog(ExportDialog):
    """A process, because the runs' kernels may have to be compiled: in this one that would hold up the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("A student's sheet"), tr("Write…"))
        self._titles: dict[str, str] = {}
        self.lesson = ChoiceBox({})
        self.lesson.setAccessibleName(tr("Lesson"))
        text = QLabel(tr(_TEXT))
        text.setWordWrap(True)
        form = QFormLayout()
        form.setHorizontalSpacing(2 * UNIT)
        form.addRow(tr("Lesson"), self.lesson)
        column = QVBoxLayout()
        column.setSpacing(2 * UNIT)
        column.addWidget(text)
        column.addLayout(form)
        self.heading.setMinimumWidth(WIDTH)
        self.lay_out(column)

    def offer(self, presented: Lesson | None) -> None:
        """Offer the lessons that came with the program, and the one that is presented, which is marked."""
        if self.job is not None:
            return
        chosen = str(self.lesson.value) if self._titles else ""
        self._titles = {}
        for name, path in lesson_paths().items():
            try:
                self._titles[name] = read_heading(path).title
            except Refusal as refusal:  # one bad lesson must not hide the others
                log.error("a lesson was left out: %s", refusal)
        if presented is not None and presented.path is not None:
            shipped = lesson_paths().get(presented.name) == presented.path
            chosen = presented.name if shipped else str(presented.path)
            self._titles[chosen] = presented.title
        self.lesson.offer(self._titles)
        if chosen in self._titles:
            self.lesson.show_value(chosen)
        self.problem.hide()
        self.say("")

    def export(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Folder for the sheet"))
        if folder:
            self.write(Path(folder))

    def write(self, folder: Path) -> None:
        """Write the sheet of the lesson that is chosen into a folder."""
        name = str(self.lesson.value)
        self.begin(
            lambda progress: write_sheet(name, folder, progress),
            lambda count: tr("{count} files written to {folder}", count=count, folder=folder),
        )


def write_sheet(lesson: str, folder: Path, progress: Progress) -> int:
    """Run `quatviz lessons --sheet`; the number of files. They come to `folder` when all of them are there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".sheet-", dir=folder) as fresh:
            _run(lesson, Path(fresh), folder, progress)
            made = sorted(Path(fresh).iterdir())
            for path in made:
                path.replace(folder / path.name)
    except OSError as error:
        raise _refusal(folder, error.strerror or str(error)) from None
    return len(made)


def _run(lesson: str, fresh: Path, folder: Path, progress: Progress) -> None:
    command = [sys.executable, "-m", "quatviz", "lessons", "--sheet", lesson, "-o", str(fresh), "--progress"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "QT_QPA_PLATFORM": "offscreen"}
    lines: queue.Queue[str] = queue.Queue()
    said = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        reader = threading.Thread(target=_read, args=(process, lines), name="quatviz-sheet", daemon=True)
        reader.start()
        try:
            share = 0.0
            while line := _next(lines, progress, share):
                done, slash, total = line.strip().partition("/")
                if slash and done.isdigit() and total.isdigit():
                    share = int(done) / int(total)
                elif line.strip():
                    said.append(line.strip())
        except Cancelled:
            process.kill()  # all that it has written goes with its folder
            raise
        finally:
            process.wait()
            reader.join()
    if process.returncode != 0:
        raise _refusal(
            folder, " ".join(said[-4:]) or phrase("the status {returncode}", returncode=process.returncode)
        )


def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """What a process says, line by line, and an empty line at its end."""
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def _next(lines: queue.Queue[str], progress: Progress, share: float) -> str:
    """The next line; `progress` hears again and again of the share that is done, and may end the waiting."""
    while True:
        progress(share)
        with suppress(queue.Empty):
            return lines.get(timeout=_LOOK)


def _refusal(folder: Path, found: str) -> Refusal:
    return Refusal(
        phrase("the folder {folder}", folder=folder),
        expected="a student's sheet",
        found=found,
        remedy="another folder, or quatviz lessons --sheet in a terminal, which says more",
        topic="errors#exports",
    )
