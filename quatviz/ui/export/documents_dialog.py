"""The documents' figures and tables with one click: computed in a process of their own, which can be cancelled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from quatviz.core.errors import Refusal, phrase
from quatviz.export.table import Progress
from quatviz.ui.export.dialog import WIDTH, ExportDialog
from quatviz.ui.export.job import Cancelled
from quatviz.ui.tr import tr

_TEXT = (
    "Figures 2 to 8 and Tables 3 and 5 of Shivarama and Fahrenthold, computed anew, as PDF, SVG and PNG; tables beside "
    "the published values, as CSV and Markdown too. The first time, compiling takes a minute."
)


class DocumentsDialog(ExportDialog):
    """A process, because the runs' kernels may have to be compiled: in this one that would hold up the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, tr("The documents' figures and tables"), tr("Write again"))
        self._folder: Path | None = None
        text = QLabel(tr(_TEXT))
        text.setWordWrap(True)
        column = QVBoxLayout()
        column.addWidget(text)
        self.heading.setMinimumWidth(WIDTH)
        self.lay_out(column)

    def export(self) -> None:
        if self._folder is not None:
            self.write(self._folder)

    def write(self, folder: Path) -> None:
        """Write them all into a folder."""
        if self.job is not None:
            return
        self._folder = folder
        self.begin(
            lambda progress: _write(folder, progress),
            lambda count: tr("{count} files written to {folder}", count=count, folder=folder),
        )


def _write(folder: Path, progress: Progress) -> int:
    """Run `quatviz figures`; the number of files that it wrote."""
    command = [sys.executable, "-m", "quatviz", "figures", "-o", str(folder), "--progress"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        said = []
        try:
            for line in process.stdout:
                said.append(line.rstrip())
                done, slash, total = line.strip().partition("/")
                if slash and done.isdigit() and total.isdigit():
                    progress(int(done) / int(total))
        except Cancelled:
            process.send_signal(signal.SIGINT)  # it takes away what it was writing
            process.communicate()
            raise
    if process.returncode != 0:
        raise Refusal(
            phrase("the folder {folder}", folder=folder),
            expected="figures and tables",
            found=" ".join(said[-4:]) or phrase("the status {returncode}", returncode=process.returncode),
            remedy="another folder, or quatviz figures in a terminal, which says more",
            topic="errors#exports",
        )
    return int(said[-1].split()[0])
