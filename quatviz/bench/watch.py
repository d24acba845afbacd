"""What benches of the window share: counting its frames, the gaps of its event loop, and letting it run."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer

from quatviz.app import Session

_PROBE_MS = 5
_STRIDE = 997
"""Bytes between the pixels that are compared."""


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


def run(seconds: float) -> None:
    """Let the application run."""
    loop = QEventLoop()  # the application's own quit would close the window
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def full_screen(session: Session) -> None:
    """Open the window at 1920x1080."""
    session.window.resize(1920, 1080)
    session.window.setWindowState(Qt.WindowState.WindowFullScreen)
    session.open()
