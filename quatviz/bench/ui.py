"""The real window under load: frames that reach the screen, flushes per frame, and how long it stalls.

A frame counts where the view has painted, which Qt then flushes to the screen, and its picture has changed since the
last count, while the cursor plays and the worker computes a run that is too long to finish. A flush is one answer of
the window to Qt's request for an update, whatever has changed in it. The kernels are compiled while the window
runs, in a fresh cache, so that the gaps include it.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer

import quatviz
from quatviz.app import Session, make_application, warm_up
from quatviz.bench.figures import Figure
from quatviz.core.preset import Lane, Preset

SECONDS = 12.0
SETTLE = 2.0
FOUR_LANES = ("newton_euler", "hamilton", "lagrange_simplified/split", "euler_angles/321")
_DURATION = 4000.0
_PROBE_MS = 5
_STRIDE = 997
"""Bytes between the pixels that are compared."""


class _Watch(QObject):
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

    def restart(self) -> None:
        """Count from here; gaps are kept, for the stall of compiling is among them."""
        self.flushes = self.changed = 0

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


def measure() -> list[Figure]:
    """Figures of the `torque_free` window at 1920x1080, dark theme, with its two lanes and with four."""
    make_application()
    warm_up()
    preset = quatviz.load_preset("torque_free")
    preset = replace(preset, run=replace(preset.run, duration=_DURATION))
    four = replace(preset, lanes=tuple(Lane(formulation) for formulation in FOUR_LANES))
    return _figures(preset, "two lanes") + _figures(four, "four lanes")


def _figures(preset: Preset, case: str) -> list[Figure]:
    session = Session(preset)
    session.window.resize(1920, 1080)
    session.window.setWindowState(Qt.WindowState.WindowFullScreen)
    session.open()
    watch = _Watch(session)
    _run(SETTLE)
    while session.worker.snapshot.preparing:
        _run(0.1)
    _run(SETTLE)
    start_gap = max(watch.gaps)
    watch.restart()
    used = time.thread_time()
    started = time.perf_counter()
    _run(SECONDS)
    elapsed, used = time.perf_counter() - started, time.thread_time() - used
    watch.stop()
    gaps = watch.gaps
    panels = len(session.window.board.panels)
    session.window.close()
    session.window.deleteLater()
    figures = (
        Figure("frames with a changed picture", watch.changed / elapsed, "1/s"),
        Figure("flushes per frame shown", watch.flushes / max(watch.changed, 1), ""),
        Figure("time of the window's thread per flush", used / max(watch.flushes, 1) * 1e3, "ms"),
        Figure("largest gap of the event loop", max(gaps) * 1e3, "ms"),
        Figure("largest gap while starting", start_gap * 1e3, "ms"),
        Figure("99th percentile of the gaps", statistics.quantiles(gaps, n=100)[-1] * 1e3, "ms"),
    )
    return [replace(figure, name=f"{case}, {panels} panels: {figure.name}") for figure in figures]


def _run(seconds: float) -> None:
    loop = QEventLoop()  # the application's own quit would close the window
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()
