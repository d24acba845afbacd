"""An unattended run: play the preset in the real window, then save a picture and a table and quit."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.export.table_files import write_table
from quatviz.files.files import make_folder, replace_atomically
from quatviz.ui.window.main_window import MainWindow

PLAYED_SECONDS = 8.0
"""Seconds of motion played before the picture is taken."""
_TIMEOUT_MS = 180_000


class UnattendedRun(QObject):
    """Watches a run in its window.

    When the cursor has reached `PLAYED_SECONDS` and every lane is computed, it saves picture and table and closes the window.
    """

    def __init__(
        self,
        document: Document,
        window: MainWindow,
        folder: Path,
        report_error: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._document, self._window = document, window
        self._folder = folder
        self._report_error = report_error
        self._waited_ms = 0
        self._timer = QTimer(self)
        self._timer.setInterval(100)
        self._timer.timeout.connect(self._check)

    def start(self) -> None:
        """Create the folder and start watching."""
        make_folder(self._folder)
        self._timer.start()

    def _check(self) -> None:
        self._waited_ms += self._timer.interval()
        simulation, frame = self._document.simulation, self._window.shown_run.frame
        computed = all(simulation.missing(lane) == 0 for lane in simulation)
        if (
            computed
            and frame is not None
            and (frame.time >= min(PLAYED_SECONDS, simulation.duration) or not frame.playing)
        ):
            self._save()
        elif self._waited_ms > _TIMEOUT_MS:
            self._report_error(
                tr(
                    "after {seconds} s the run was not complete; nothing was saved",
                    seconds=self._waited_ms // 1000,
                )
            )
        else:
            return
        self._timer.stop()
        self._window.close()

    def _save(self) -> None:
        preset = self._document.state.preset
        picture = self._window.screen().grabWindow(self._window.winId())
        try:
            with replace_atomically(self._folder / "window.png") as fresh:
                if not picture.save(str(fresh)):
                    raise OSError("the picture could not be saved")
            write_table(self._document.simulation, self._folder / f"{preset.name or 'run'}.csv")
        except InputError as refusal:
            self._report_error(str(refusal))
