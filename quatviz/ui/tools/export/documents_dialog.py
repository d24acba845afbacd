"""What is computed anew and written into a folder with one click: the documents' figures and tables, a student's sheet."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from quatviz.base.tr import tr
from quatviz.executing.command import run_command
from quatviz.export.table import Progress
from quatviz.ui.kit.widgets import label
from quatviz.ui.tools.export.dialog import ExportDialog
from quatviz.ui.tools.export.exporter import Exporter

_DOCUMENTS = (
    "Figures 2 to 8 and Tables 3 and 5 of Shivarama and Fahrenthold, computed anew, as PDF, SVG and PNG; tables beside "
    "the published values, as CSV and Markdown too. The first time, compiling takes a minute."
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
            self._folder = folder
            super().appear()
            self.export()

    def place(self) -> Path | None:
        return self._folder

    def write(self, path: Path) -> None:
        """Write them all into a folder."""
        if self.job is not None:
            return
        self.begin(
            lambda progress: write_documents(path, progress),
            lambda count: tr("{count} files written to {folder}", count=count, folder=path),
        )


def write_documents(folder: Path, progress: Progress) -> int:
    """Run `quatviz figures`; the number of files that it wrote."""
    said = run_command(["figures", "-o", str(folder)], folder, "figures and tables", progress)
    return int(said[-1].split()[0])
