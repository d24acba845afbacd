"""The windows whose start is timed: they tell of themselves when they did what, and end. Each runs in a process of its own, and
imports what it shows, no more.

    python -m quatviz.commands.benchmarks._start BEGAN bare
    python -m quatviz.commands.benchmarks._start BEGAN window PRESET

`BEGAN` is the moment when it was asked for, by `time.monotonic`, which is one clock for all processes.
"""

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quatviz.app import Session

PICTURE, MOVING, WHOLE = "first picture", "moving body", "all lanes moving"
PROCESSOR = " (processor)"
"""Behind the name of a moment: the processor time until then."""


class Clock:
    """When something happened first [s]."""

    def __init__(self, began: float) -> None:
        self._began = began
        self.times: dict[str, float] = {}

    def note(self, what: str) -> None:
        """It happens now."""
        if what not in self.times:
            self.times[what] = time.monotonic() - self._began
            self.times[what + PROCESSOR] = time.process_time()


def show_bare(clock: Clock) -> None:
    """The least that a window of this kind can be: numba imported, and Qt's main window with one widget of OpenGL, cleared."""
    import numba  # noqa: F401
    from PySide6.QtCore import QTimer
    from PySide6.QtOpenGLWidgets import QOpenGLWidget
    from PySide6.QtWidgets import QApplication, QMainWindow

    class Cleared(QOpenGLWidget):
        def paintGL(self) -> None:
            functions = self.context().functions()
            functions.glClearColor(0.2, 0.2, 0.3, 1.0)
            functions.glClear(0x4000)  # the colours
            clock.note(PICTURE)
            QTimer.singleShot(0, app.quit)

    app = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(Cleared())
    window.resize(1600, 900)
    window.show()
    app.exec()


def show_window(clock: Clock, preset: str) -> None:
    """What the command `quatviz PRESET` opens, until all its lanes move."""
    from quatviz.commands import window

    def watch(session: "Session") -> None:
        from PySide6.QtCore import QTimer

        view = session.window.scene

        def painted() -> None:
            frame = session.bridge.frame
            if frame is None or view.image is None:
                return
            clock.note(PICTURE)
            if frame.time > 0.0:
                clock.note(MOVING)
                if not session.bridge.snapshot.preparing and WHOLE not in clock.times:
                    clock.note(WHOLE)
                    QTimer.singleShot(0, session.window.close)

        view.painted.connect(painted)

    window.main(["--no-tour", preset], watch)


def main(words: Sequence[str]) -> None:
    """Show one of them, and print when it did what, as JSON."""
    began, kind, *rest = words
    clock = Clock(float(began))
    if kind == "bare":
        show_bare(clock)
    else:
        show_window(clock, *rest)
    print(json.dumps(clock.times))


if __name__ == "__main__":
    main(sys.argv[1:])
