"""What is computed anew and written into a folder with one click: the documents' figures and tables, a student's sheet."""

import tempfile
from pathlib import Path

from PySide6.QtWidgets import QWidget

from quatviz.base.errors import InputError, phrase
from quatviz.base.tr import tr
from quatviz.export.table import Progress
from quatviz.lessons import Lesson
from quatviz.lessons.own import is_own, known
from quatviz.ui.kit.widgets import ChoiceBox, form_of, label
from quatviz.ui.tools.export.dialog import ExportDialog, run_command
from quatviz.ui.tools.export.exporter import Exporter

_DOCUMENTS = (
    "Figures 2 to 8 and Tables 3 and 5 of Shivarama and Fahrenthold, computed anew, as PDF, SVG and PNG; tables beside "
    "the published values, as CSV and Markdown too. The first time, compiling takes a minute."
)
_SHEET = (
    "The words of every step, its questions with room for answers, the body and its curves; a copy for teachers has the answers: "
    "as PDF (A4) and as Markdown. The first time, compiling takes a minute."
)


class DocumentsDialog(ExportDialog):
    """Asks for a folder before it appears; its button writes into the same one again."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        title = tr("The documents' figures and tables")
        super().__init__(exporter, parent, title, tr("Write again"))
        self._folder: Path | None = None
        self.lay_out(label("", tr(_DOCUMENTS)))

    def appear(self) -> None:
        folder = self.ask_folder(tr("Folder for the documents' figures and tables"))
        if folder is not None:
            super().appear()
            self.write(folder)

    def export(self) -> None:
        if self._folder is not None:
            self.write(self._folder)

    def write(self, folder: Path) -> None:
        """Write them all into a folder."""
        if self.job is not None:
            return
        self._folder = folder
        self.begin(
            lambda progress: write_documents(folder, progress),
            lambda count: tr("{count} files written to {folder}", count=count, folder=folder),
        )


class SheetDialog(ExportDialog):
    """Of which lesson: one of those that came with the program, or the one that is presented."""

    def __init__(self, exporter: Exporter, parent: QWidget) -> None:
        super().__init__(exporter, parent, tr("A student's sheet"), tr("Write…"))
        self._titles: dict[str, str] = {}
        self.lesson = ChoiceBox({})
        self.lay_out(label("", tr(_SHEET)), form_of({tr("Lesson"): self.lesson}))

    def offer(self, panel: str) -> None:
        if self.job is not None:
            return
        super().offer(panel)
        chosen = str(self.lesson.value) if self._titles else ""
        self._titles = {_named(lesson): lesson.title for lesson in known()}
        presented = self.exporter.lesson()
        if presented is not None and presented.path is not None:
            chosen = _named(presented)
            self._titles[chosen] = presented.title
        self.lesson.offer(self._titles)
        if chosen in self._titles:
            self.lesson.show_value(chosen)

    def export(self) -> None:
        folder = self.ask_folder(tr("Folder for the sheet"))
        if folder is not None:
            self.write(folder)

    def write(self, folder: Path) -> None:
        """Write the sheet of the lesson that is chosen into a folder."""
        name = str(self.lesson.value)
        self.begin(
            lambda progress: write_sheet(name, folder, progress),
            lambda count: tr("{count} files written to {folder}", count=count, folder=folder),
        )


def _named(lesson: Lesson) -> str:
    """As a command takes it."""
    return str(lesson.path) if is_own(lesson) else lesson.name


def write_documents(folder: Path, progress: Progress) -> int:
    """Run `quatviz figures`; the number of files that it wrote."""
    said = run_command(["figures", "-o", str(folder)], folder, "figures and tables", progress)
    return int(said[-1].split()[0])


def write_sheet(lesson: str, folder: Path, progress: Progress) -> int:
    """Run `quatviz lessons --sheet`; the number of files. They come to `folder` when all of them are there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".sheet-", dir=folder) as fresh:
            command = ["lessons", "--sheet", lesson, "-o", fresh]
            run_command(command, folder, "a student's sheet", progress)
            made = sorted(Path(fresh).iterdir())
            for path in made:
                path.replace(folder / path.name)
    except OSError as error:
        raise InputError(
            phrase("the folder {folder}", folder=folder),
            expected="a student's sheet",
            found=error.strerror or str(error),
            remedy="another folder",
            topic="errors#exports",
        ) from None
    return len(made)
