"""Painting for a film in the window's thread, a frame at each turn, while another thread encodes."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QObject, QTimer

from quatviz.export.film.plan import FilmPlan
from quatviz.export.table import Progress
from quatviz.ui.film.takes import Take, bytes_of

WAITING = 3
"""Pictures that may wait for the encoder: 25 MB of 1920 by 1080."""
_REST_MS = 4
"""Between two frames, for everything else that the window does."""
_LOOK = 0.05
"""Seconds after which the encoder looks whether it is still wanted."""


class Filming(QObject):
    """From `start` on it paints `take` at the times of `plan`, no further ahead than `WAITING` frames. `stop` ends it and
    closes the take; it does so itself after the last frame."""

    def __init__(self, take: Take, plan: FilmPlan, parent: QObject) -> None:
        super().__init__(parent)
        self._take, self._times = take, plan.times
        self._queue: queue.Queue[np.ndarray | Exception] = queue.Queue(WAITING)
        self._painted = 0
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setInterval(_REST_MS)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        """Begin to paint."""
        self._timer.start()

    def stop(self) -> None:
        """Paint no more."""
        self._timer.stop()
        if not self._closed:
            self._closed = True
            self._take.close()

    def pictures(self, progress: Progress) -> Iterator[np.ndarray]:
        """For the thread that encodes: every picture when it is painted. Raises what painting raised, and what `progress`
        does while it waits."""
        for number in range(len(self._times)):
            while True:
                try:
                    item = self._queue.get(timeout=_LOOK)
                    break
                except queue.Empty:
                    progress(number / len(self._times))
            if isinstance(item, Exception):
                raise item
            yield item

    def _turn(self) -> None:
        if self._queue.full():
            return
        try:
            self._queue.put_nowait(bytes_of(self._take.picture(float(self._times[self._painted]))))
        except Exception as fault:
            self._queue.put_nowait(fault)
            self.stop()
            return
        self._painted += 1
        if self._painted == len(self._times):
            self.stop()
