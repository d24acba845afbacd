"""What the process of the window does with exceptions that nobody catches, and with Ctrl-C."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from quatviz.ui.tr import tr

log = logging.getLogger(__name__)


def report_exceptions(say: Callable[[str], None]) -> None:
    """An exception in a slot is logged and told; the window stays."""

    def hook(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        log.error("an exception reached the event loop", exc_info=(kind, fault, trace))
        say(tr("A fault in the program: {fault}", fault=fault))

    sys.excepthook = hook


def stop_on_interrupt(app: QApplication) -> QTimer:
    """Let Ctrl-C in the terminal close the window: Python sees signals only when its code runs."""
    signal.signal(signal.SIGINT, lambda *_: app.quit())
    heartbeat = QTimer()
    heartbeat.timeout.connect(lambda: None)
    heartbeat.start(250)
    return heartbeat
