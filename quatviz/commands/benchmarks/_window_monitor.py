"""What benches of the window share: counting its frames, the gaps of its event loop, and letting it run."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QApplication, QLabel

from quatviz.app import Session, let_run
from quatviz.commands.benchmarks._results import Figure
from quatviz.files.preset import Preset

_PROBE_MS = 5
_STRIDE = 997
"""Bytes between the pixels that are compared."""
FLUSH = "time of the window's thread per flush"
SHOWN = "frames with a changed picture"
SMOOTH = "99th percentile of the gaps"
_PLAIN_FRAMES = 200


class Watch(QObject):
    """Counts flushes of a window, changed pictures of its view, and gaps of a fine timer beside the window's own."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._view = session.window.scene
        self._picture = b""
        self.flushes = 0
        self.changed = 0
        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._view.painted.connect(self._painted)
        self._window = session.window
        self._window.installEventFilter(self)
        self._probe = QTimer(self)
        self._probe.setTimerType(Qt.TimerType.PreciseTimer)
        self._probe.timeout.connect(self._beat)
        self._probe.start(_PROBE_MS)

    def playing(self, seconds: float) -> list[Figure]:
        """Figures of the window while it is let run for so long."""
        self.flushes = self.changed = 0
        self.gaps.clear()
        used, started = time.thread_time(), time.perf_counter()
        let_run(seconds)
        elapsed, used = time.perf_counter() - started, time.thread_time() - used
        return [
            Figure(SHOWN, self.changed / elapsed, "1/s"),
            Figure("flushes per frame shown", self.flushes / max(self.changed, 1), ""),
            Figure(FLUSH, used / max(self.flushes, 1) * 1e3, "ms"),
            *self.stalls(),
        ]

    def stalls(self, when: str = "") -> list[Figure]:
        """How long the event loop was kept waiting since its gaps were cleared."""
        gaps = self.gaps or [0.0]
        return [
            Figure(f"largest gap of the event loop{when}", max(gaps) * 1e3, "ms"),
            Figure(f"{SMOOTH}{when}", float(np.percentile(gaps, 99)) * 1e3, "ms"),
        ]

    def stop(self) -> None:
        self._probe.stop()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append(now - self._last)
        self._last = now

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.flushes += event.type() == QEvent.Type.UpdateRequest
        return False

    def _painted(self) -> None:
        # Some thousand pixels of what went to the screen: comparing all would be a load of its own.
        image = self._view.image
        if image is not None:
            picture = memoryview(image.constBits())[::_STRIDE].tobytes()
            self.changed += picture != self._picture
            self._picture = picture


@contextmanager
def watched(preset: Preset) -> Iterator[tuple[Session, Watch]]:
    """A window of 1920x1080 with the preset, and who watches it."""
    session = Session(preset)
    session.window.resize(1920, 1080)
    session.window.setWindowState(Qt.WindowState.WindowFullScreen)
    session.open()
    watch = Watch(session)
    try:
        yield session, watch
    finally:
        watch.stop()
        session.window.close()
        session.window.deleteLater()
        let_run(0.1)


def plain_flush() -> Figure:
    """The time of the thread for one frame of a window of 1920x1080 that paints nothing but one picture of the size of the 3D
    view: less no window takes."""
    widget, image = QLabel(), QPixmap(790, 960)
    widget.resize(1920, 1080)
    widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
    widget.setPixmap(image)
    widget.show()
    let_run(0.5)
    used = 0.0
    for frame in range(_PLAIN_FRAMES):
        image.fill(QColor.fromHsv(frame % 360, 255, 255))
        started = time.thread_time()
        widget.setPixmap(image)
        QApplication.processEvents()
        used += time.thread_time() - started
        let_run(0.005)
    widget.close()
    widget.deleteLater()
    return Figure("a plain picture", used / _PLAIN_FRAMES * 1e3, "ms")
