"""Work that a person waits for beside the window: in a thread, with progress, and with an end before its end."""

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from quatviz.analysis.executors.cancellation import Cancelled
from quatviz.export.table import Progress

POLL_INTERVAL_MS = 50


class BackgroundJob(QObject):
    """One piece of work, from now on. `work` calls what it is given with the share that is done; that raises `Cancelled` when it
    is to end. `progressed` tells the share, `finished` what the work returned, or the exception that it raised: then it is gone."""

    progressed = Signal(float)
    finished = Signal(object)

    def __init__(
        self, work: Callable[[Progress], object], parent: QObject, on_finished: Callable[[Any], object]
    ) -> None:
        """`finished` is called when it has."""
        super().__init__(parent)
        self._work = work
        self._progress = 0.0
        self._cancelled = False
        self._outcome: object = None
        self._thread = threading.Thread(target=self._run, name="quatviz-export", daemon=True)
        self._timer = QTimer(self, interval=POLL_INTERVAL_MS)
        self._timer.timeout.connect(self._poll)
        self.finished.connect(on_finished)
        self._thread.start()
        self._timer.start()

    def cancel(self) -> None:
        """End as soon as the work says how far it is."""
        self._cancelled = True

    def cancel_and_wait(self) -> None:
        """Cancel and wait: nobody is told any more."""
        self._timer.stop()
        self.cancel()
        self._thread.join()
        self.deleteLater()

    def _set_progress(self, progress: float) -> None:
        if self._cancelled:
            raise Cancelled
        self._progress = progress

    def _run(self) -> None:
        try:
            self._outcome = self._work(self._set_progress)
        except BaseException as error:
            self._outcome = error

    def _poll(self) -> None:
        if self._thread.is_alive():
            self.progressed.emit(self._progress)
            return
        self._timer.stop()
        self.deleteLater()
        self.finished.emit(self._outcome)
