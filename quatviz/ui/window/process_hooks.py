"""What the process of the window does with exceptions that nobody catches or that a guard catches, and with Ctrl-C."""

import gc
import logging
import signal
import sys
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from quatviz.base.tr import tr
from quatviz.ui.kit import guard

log = logging.getLogger(__name__)


def report_exceptions(say: Callable[[str], None]) -> None:
    """An exception in a slot is logged and told; the window stays."""

    def hook(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        log.error("an exception reached the event loop", exc_info=(kind, fault, trace))
        say(_sentence(fault))

    sys.excepthook = hook


class GuardedFaults(logging.Handler):
    """Tells what guarded overrides log, from `begin` to `end`. Not at once: many of them paint, and the row in which it is
    said would be painted meanwhile."""

    def __init__(self, window: QWidget, say: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._window, self._say = window, say

    def begin(self) -> None:
        """Tell from now on."""
        guard.log.addHandler(self)

    def end(self) -> None:
        """Tell no more."""
        guard.log.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else record.getMessage()
        sentence = _sentence(fault)
        QTimer.singleShot(0, self._window, lambda: self._say(sentence))


def _sentence(fault: object) -> str:
    return tr("A fault in the program: {fault}", fault=fault)


_COLLECT_MS = 500
_OLD = 60
"""Collections of what is younger before all is searched: every few minutes, for it takes as long as a frame."""


class GarbageTimer(QTimer):
    """Searches for garbage in this thread alone, from `begin` to `end`. Python would search in whichever thread has made the last
    object, one that computes or the client of a cluster: widgets that it found there would be deleted there, of which Qt dies."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=_COLLECT_MS)
        self.timeout.connect(_collect)

    def begin(self) -> None:
        """Search here from now on."""
        gc.disable()
        self.start()

    def end(self) -> None:
        """Let Python search as it does."""
        self.stop()
        gc.enable()


def _collect() -> None:
    young, middle, _ = gc.get_threshold()
    limits = (young, middle, _OLD)
    due = [age for age, count in enumerate(gc.get_count()) if count > limits[age]]
    if due:
        gc.collect(max(due))


def stop_on_interrupt(app: QApplication) -> QTimer:
    """Let Ctrl-C in the terminal close the window: Python sees signals only when its code runs."""
    signal.signal(signal.SIGINT, lambda *_: app.quit())
    heartbeat = QTimer()
    heartbeat.timeout.connect(lambda: None)
    heartbeat.start(250)
    return heartbeat
