"""Measurement of a window for benchmarks: its frames, the delays of its event loop, and its playback."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QApplication, QLabel

from quatviz.app import WindowController, process_events_for
from quatviz.base import resources
from quatviz.commands.benchmarks._results import BenchmarkResult
from quatviz.files.preset import Preset

_PROBE_MS = 5
"""Interval of the timer with which delays of the event loop are detected [ms]."""
_STRIDE = 997
"""Stride [bytes] of the bytes of a picture that are compared with the previous picture."""
FLUSH_TIME = "time of the window's thread per flush"
CHANGED_FRAMES = "frames with a changed picture"
LARGEST_GAP = "largest gap of the event loop"
GAP_PERCENTILE = "99th percentile of the gaps"
TIMEOUT = 60.0
"""Longest wait for an event [s]."""
_PLAIN_FRAMES = 200
"""Number of frames over which the time per frame of the reference window is averaged. This window paints only one
picture."""


class WindowMonitor(QObject):
    """Monitor of a window. It counts flushes and changed pictures of the 3D view, and measures delays of the event
    loop."""

    def __init__(self, session: WindowController) -> None:
        super().__init__()
        self._view = session.window.scene
        self._picture = b""
        self.flushes = 0
        self.changed_frames = 0
        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._view.painted.connect(self._count_changed)
        self._window = session.window
        self._window.installEventFilter(self)
        self._probe = QTimer(self)
        self._probe.setTimerType(Qt.TimerType.PreciseTimer)
        self._probe.timeout.connect(self._record_gap)
        self._probe.start(_PROBE_MS)

    def measure_playback(self, seconds: float) -> list[BenchmarkResult]:
        """Let the window play for `seconds` [s], and return frame rate, flushes and delays."""
        self.flushes = self.changed_frames = 0
        self.gaps.clear()
        used, started = time.thread_time(), time.perf_counter()
        process_events_for(seconds)
        elapsed, used = time.perf_counter() - started, time.thread_time() - used
        return [
            BenchmarkResult(CHANGED_FRAMES, self.changed_frames / elapsed, "1/s"),
            BenchmarkResult("flushes per displayed frame", self.flushes / max(self.changed_frames, 1), ""),
            BenchmarkResult(FLUSH_TIME, used / max(self.flushes, 1) * 1e3, "ms"),
            *self.stalls(),
        ]

    def stalls(self, when: str = "") -> list[BenchmarkResult]:
        """Return two results: the largest delay of the event loop, and the 99th percentile of all delays.

        Delays are recorded since `gaps` was last cleared. `when` is appended to the names of the results.
        """
        gaps = self.gaps or [0.0]
        return [
            BenchmarkResult(f"{LARGEST_GAP}{when}", max(gaps) * 1e3, "ms"),
            BenchmarkResult(f"{GAP_PERCENTILE}{when}", float(np.percentile(gaps, 99)) * 1e3, "ms"),
        ]

    def stop(self) -> None:
        self._probe.stop()

    def _record_gap(self) -> None:
        now = time.perf_counter()
        self.gaps.append(now - self._last)
        self._last = now

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.flushes += event.type() == QEvent.Type.UpdateRequest
        return False

    def _count_changed(self) -> None:
        # A few thousand pixels of the displayed picture are compared; comparing all would be a load of its
        # own.
        image = self._view.image
        if image is not None:
            picture = memoryview(image.constBits())[::_STRIDE].tobytes()
            self.changed_frames += picture != self._picture
            self._picture = picture


@contextmanager
def monitored_window(preset: Preset) -> Iterator[tuple[WindowController, WindowMonitor]]:
    """Provide a window of 1920x1080 that shows the preset, and a monitor that measures it. The window has no settings of an
    earlier one, such as four views."""
    earlier_folder = str(resources.settings_folder())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        session = WindowController(preset)
        session.window.resize(1920, 1080)
        session.window.setWindowState(Qt.WindowState.WindowFullScreen)
        session.open()
        monitor = WindowMonitor(session)
        try:
            yield session, monitor
        finally:
            monitor.stop()
            session.window.close()
            session.window.deleteLater()
            process_events_for(0.1)
            os.environ["QUATVIZ_SETTINGS_DIR"] = earlier_folder


def time_plain_flush() -> BenchmarkResult:
    """Return the time per frame of a window of 1920x1080 that paints only one picture of the size of the 3D view.

    It is a lower bound for every window with a 3D view of this size.
    """
    widget, image = QLabel(), QPixmap(790, 960)
    widget.resize(1920, 1080)
    widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
    widget.setPixmap(image)
    widget.show()
    process_events_for(0.5)
    used = 0.0
    for frame in range(_PLAIN_FRAMES):
        image.fill(QColor.fromHsv(frame % 360, 255, 255))
        started = time.thread_time()
        widget.setPixmap(image)
        QApplication.processEvents()
        used += time.thread_time() - started
        process_events_for(0.005)
    widget.close()
    widget.deleteLater()
    return BenchmarkResult("a plain picture", used / _PLAIN_FRAMES * 1e3, "ms")


def wait_until(is_done: Callable[[], bool], timeout: float = TIMEOUT, interval_ms: int = 20) -> None:
    """Process events until `is_done` returns True, for at most `timeout` [s].

    The condition is tested every `interval_ms`. The thread sleeps between events, unlike `processEvents` with
    a time limit.
    """
    loop, until = QEventLoop(), time.perf_counter() + timeout
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: loop.quit() if is_done() or time.perf_counter() > until else None)
    timer.start(interval_ms)
    if not is_done():
        loop.exec()
