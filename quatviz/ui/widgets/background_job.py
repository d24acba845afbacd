"""Work that a person waits for beside the window: in a thread, with progress, and with an end before its end."""

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from quatviz.analysis.executors.cancellation import Stopped
from quatviz.export.table import Progress

POLL_MS = 50


class Job(QObject):
    """One piece of work, from now on. `work` calls what it is given with the share that is done; that raises `Stopped` when it
    is to end. `progressed` tells the share, `ended` what the work returned, or the exception that it raised: then it is gone."""

    progressed = Signal(float)
    ended = Signal(object)

    def __init__(
        self, work: Callable[[Progress], object], parent: QObject, ended: Callable[[Any], object]
    ) -> None:
        """`ended` is called when it has."""
        super().__init__(parent)
        self._work = work
        self._share = 0.0
        self._cancelled = False
        self._outcome: object = None
        self._thread = threading.Thread(target=self._run, name="quatviz-export", daemon=True)
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._look)
        self.ended.connect(ended)
        self._thread.start()
        self._timer.start()

    def cancel(self) -> None:
        """End as soon as the work says how far it is."""
        self._cancelled = True

    def shut_down(self) -> None:
        """Cancel and wait: nobody is told any more."""
        self._timer.stop()
        self.cancel()
        self._thread.join()
        self.deleteLater()

    def _told(self, share: float) -> None:
        if self._cancelled:
            raise Stopped
        self._share = share

    def _run(self) -> None:
        try:
            self._outcome = self._work(self._told)
        except BaseException as error:
            self._outcome = error

    def _look(self) -> None:
        if self._thread.is_alive():
            self.progressed.emit(self._share)
            return
        self._timer.stop()
        self.deleteLater()
        self.ended.emit(self._outcome)
