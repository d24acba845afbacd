"""Windows whose startup is timed. Each runs in a separate process, imports only what it needs, prints its times and ends.

    python -m quatviz.commands.benchmarks._start BEGAN bare
    python -m quatviz.commands.benchmarks._start BEGAN window PRESET

`BEGAN` is the time at which the start was requested, by `time.monotonic`. All processes share this clock.
"""

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quatviz.commands.benchmarks._memory import resident_memory

if TYPE_CHECKING:
    from quatviz.app import WindowController

FIRST_PICTURE, MOVING_BODY, ALL_LANES_MOVING = "first picture", "moving body", "all lanes moving"
MEMORY = "memory"
"""Name of the reported memory [MB] of the process. It is measured when all lanes move, or when the bare window is
painted."""
PROCESSOR_SUFFIX = " (processor)"
"""Suffix that marks processor times. An event's name with this suffix stands for the processor time used until the
event."""


class StartupClock:
    """Clock of a startup: the time [s] from the request of a window until each event first happens."""

    def __init__(self, start_time: float) -> None:
        self._start_time = start_time
        self.times: dict[str, float] = {}

    def record(self, event: str) -> None:
        """Record that an event happens now."""
        if event not in self.times:
            self.times[event] = time.monotonic() - self._start_time
            self.times[event + PROCESSOR_SUFFIX] = time.process_time()


def show_bare(clock: StartupClock) -> None:
    """Show a minimal window for comparison: numba is imported, and a main window shows one OpenGL widget that is only
    cleared."""
    import numba  # noqa: F401
    from PySide6.QtCore import QTimer
    from PySide6.QtOpenGLWidgets import QOpenGLWidget
    from PySide6.QtWidgets import QApplication, QMainWindow

    class Cleared(QOpenGLWidget):
        def paintGL(self) -> None:
            functions = self.context().functions()
            functions.glClearColor(0.2, 0.2, 0.3, 1.0)
            functions.glClear(0x4000)  # the color buffer
            clock.record(FIRST_PICTURE)
            clock.times[MEMORY] = resident_memory()
            QTimer.singleShot(0, app.quit)

    app = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(Cleared())
    window.resize(1600, 900)
    window.show()
    app.exec()


def show_window(clock: StartupClock, preset: str) -> None:
    """Open the window as `quatviz PRESET` does, and wait until all lanes move."""
    from quatviz.commands import window

    def watch(session: "WindowController") -> None:
        from PySide6.QtCore import QTimer

        view = session.window.scene

        def painted() -> None:
            frame = session.frame_loop.frame
            if frame is None or view.image is None:
                return
            clock.record(FIRST_PICTURE)
            if frame.time > 0.0:
                clock.record(MOVING_BODY)
                if not session.frame_loop.snapshot.preparing and ALL_LANES_MOVING not in clock.times:
                    clock.record(ALL_LANES_MOVING)
                    clock.times[MEMORY] = resident_memory()
                    QTimer.singleShot(0, session.window.close)

        view.painted.connect(painted)

    window.main(["--no-tour", preset], watch)


def main(words: Sequence[str]) -> None:
    """Show one of the windows, and print the times of its events as JSON."""
    start_time, window_type, *arguments = words
    clock = StartupClock(float(start_time))
    if window_type == "bare":
        show_bare(clock)
    else:
        show_window(clock, *arguments)
    print(json.dumps(clock.times))


if __name__ == "__main__":
    main(sys.argv[1:])
