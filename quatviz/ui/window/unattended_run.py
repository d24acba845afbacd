"""Unattended run: the preset is played in the real window, then a picture and a table are saved and the window is closed."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.document import Document
from quatviz.export.table_files import write_table
from quatviz.files.files import make_folder, replace_atomically
from quatviz.simulation.commands import Pause, Play, SetLoop
from quatviz.simulation.runner import Snapshot
from quatviz.ui.window.frame_loop import FrameLoop
from quatviz.ui.window.main_window import MainWindow

PLAYED_SECONDS = 8.0
"""Seconds of motion played before the picture is taken."""
LAYOUT_FRAMES = 3
"""Number of frames between the end of the playback and the picture. In these, all parts get their final sizes and curves."""
_TIMEOUT_MS = 180_000


class UnattendedRun(QObject):
    """Unattended playback of a run in its window. It starts at the initial cursor, even if the session or view state is paused.

    When the run has played for `PLAYED_SECONDS` or to its end, and every lane is computed and drawn, picture and table are
    saved and the window is closed.

    Parameters
    ----------
    document
        Document shown by the window.
    window
        The window.
    frame_loop
        Loop that shows the frames of the run.
    settled_snapshot
        Returns the state of the run after all commands that were sent.
    folder
        Folder for picture and table. It is created at once.
    report_error
        Receives a message if nothing can be saved.

    Raises
    ------
    InputError
        If the folder cannot be created.
    """

    def __init__(
        self,
        document: Document,
        window: MainWindow,
        frame_loop: FrameLoop,
        settled_snapshot: Callable[[], Snapshot],
        folder: Path,
        report_error: Callable[[str], None],
    ) -> None:
        super().__init__()
        make_folder(folder)
        self._document, self._window, self._frame_loop = document, window, frame_loop
        self._settled_snapshot = settled_snapshot
        self._folder = folder
        self._report_error = report_error
        self.has_ended = False
        """True after picture and table have been saved, or after the failure to save them has been reported."""
        self._waited_ms = 0
        self._end_time = 0.0
        """Time of the cursor at which the playback ends [s]."""
        self._picture_tick: int | None = None
        """Number of the first frame that may be saved as a picture, or None while the run plays."""
        self._timer = QTimer(self)
        self._timer.setInterval(100)
        self._timer.timeout.connect(self._check)

    def start(self) -> None:
        """Start the playback, and watch the run until its picture can be saved. Call this when the window is open."""
        self._end_time = self._settled_snapshot().target_time + PLAYED_SECONDS
        self._window.send(SetLoop(False), Play(backward=False))
        self._timer.start()

    def _check(self) -> None:
        self._waited_ms += self._timer.interval()
        if self._is_ready():
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
        self.has_ended = True
        self._window.close()

    def _is_ready(self) -> bool:
        """Return True if the last frame is drawn completely. Pause the run when it has played long enough."""
        if self._picture_tick is not None:
            return self._frame_loop.tick_count >= self._picture_tick and not self._frame_loop.is_behind
        simulation, snapshot = self._document.simulation, self._settled_snapshot()
        is_computed = all(simulation.missing(lane) == 0 for lane in simulation)
        if is_computed and (snapshot.time >= self._end_time or not snapshot.playing):
            self._window.send(Pause())
            self._settled_snapshot()
            self._picture_tick = self._frame_loop.tick_count + LAYOUT_FRAMES
        return False

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
