"""Process-wide hooks: uncaught exceptions, garbage collection, Ctrl-C, and failures of the display."""

import ctypes
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import NoReturn

from PySide6.QtCore import QMessageLogContext, QObject, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QWidget

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import escape_control_characters
from quatviz.base.translation import tr
from quatviz.ui.widgets import guard

log = logging.getLogger(__name__)


def install_exception_hook(show_message: Callable[[str], None]) -> None:
    """Install a hook that logs exceptions raised in slots and shows them in the window, which stays open."""

    def hook(
        exception_type: type[BaseException], exception: BaseException, traceback: TracebackType | None
    ) -> None:
        log.error("an exception reached the event loop", exc_info=(exception_type, exception, traceback))
        show_message(_fault_message(exception))

    sys.excepthook = hook


class FaultLogHandler(logging.Handler):
    """A log handler that shows exceptions caught by guarded methods in the window, from `attach` to `detach`.

    The message is shown later, because many guarded methods paint, and the status row must not be repainted meanwhile.
    """

    def __init__(self, window: QWidget, show_message: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._window, self._show_message = window, show_message

    def attach(self) -> None:
        """Start handling records."""
        guard.log.addHandler(self)

    def detach(self) -> None:
        """Stop handling records."""
        guard.log.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else record.getMessage()
        sentence = _fault_message(fault)
        QTimer.singleShot(0, self._window, lambda: self._show_message(sentence))


def _fault_message(fault: object) -> str:
    return tr("Internal error: {error}", error=fault)


_COLLECT_INTERVAL_MS = 500


class GarbageTimer(QTimer):
    """Timer that collects garbage in the GUI thread, from `begin` to `end`.

    Python's automatic collection may run in any thread, but widgets that are deleted outside the GUI thread crash Qt.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=_COLLECT_INTERVAL_MS)
        self.timeout.connect(collect_garbage)

    def begin(self) -> None:
        """Disable the automatic garbage collection and start the timer."""
        gc.disable()
        self.start()

    def end(self) -> None:
        """Stop the timer and enable the automatic garbage collection."""
        self.stop()
        gc.enable()


def close_on_interrupt(app: QApplication) -> QTimer:
    """Close the window on Ctrl-C. A timer is needed, because Python handles signals only while Python code runs."""
    signal.signal(signal.SIGINT, lambda *_: app.quit())
    heartbeat = QTimer()
    heartbeat.timeout.connect(lambda: None)
    heartbeat.start(250)
    return heartbeat


DISPLAY_CLOSED_MESSAGE = (
    "The display has closed, and the window with it. The next start offers to restore your work."
)
_USAGE_EXIT_STATUS = 2
"""Exit status of a process that ends because of unusable input or an unusable display."""


def install_display_error_handler() -> object:
    """Make the program exit with a message if the X server ends, instead of Xlib's message and a core dump.

    Autosaved work is kept. The returned object must live as long as the display.
    """

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    def on_io_error(display: int) -> int:
        _exit_process(tr(DISPLAY_CLOSED_MESSAGE), 1)

    with suppress(OSError, AttributeError):
        ctypes.CDLL("libX11.so.6").XSetIOErrorHandler(on_io_error)
    return on_io_error


@contextmanager
def report_qt_startup_failure() -> Iterator[None]:
    """Exit with a clear message if Qt cannot reach the display during the start. The message quotes Qt's first line.

    Qt itself would abort with a core dump and advise to reinstall.
    """
    messages: list[str] = []
    platform_messages: list[str] = []

    def handle_message(message_type: QtMsgType, context: QMessageLogContext, words: str) -> None:
        if (context.category or "").startswith("qt.qpa"):
            platform_messages.append(words)
        if message_type == QtMsgType.QtFatalMsg:
            refusal = _display_unreachable_error([*platform_messages, words])
            _exit_process(f"quatviz: {refusal}\n  help      quatviz help {refusal.topic}", _USAGE_EXIT_STATUS)
        messages.append(words)

    previous_handler = qInstallMessageHandler(handle_message)
    try:
        yield
    finally:
        qInstallMessageHandler(previous_handler)
    for words in messages:
        print(escape_control_characters(words), file=sys.stderr)


def _display_unreachable_error(messages: list[str]) -> InputError:
    """Return the error for a display that cannot be reached. It names the display in the environment and quotes Qt's first
    message."""
    name = next((os.environ[key] for key in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(key)), "")
    return InputError(
        "this machine's display",
        expected=phrase("a display that answers at {name!r}", name=name),
        found=escape_control_characters(messages[0].splitlines()[0]),
        remedy="start it, or set DISPLAY or WAYLAND_DISPLAY to one that runs; `quatviz doctor` checks it",
        topic="errors#display",
    )


def _exit_process(message: str, status: int) -> NoReturn:
    """Print a message and exit at once, before Qt can abort the process."""
    try:
        print(message, file=sys.stderr, flush=True)
    finally:
        os._exit(status)


_OLD_GENERATION_THRESHOLD = 60
"""Number of partial garbage collections between two full ones. A full collection takes as long as a frame; with this value it
happens only every few minutes."""


def collect_garbage() -> None:
    """Collect the garbage generations that are due."""
    young, middle, _ = gc.get_threshold()
    limits = (young, middle, _OLD_GENERATION_THRESHOLD)
    due = [age for age, count in enumerate(gc.get_count()) if count > limits[age]]
    if due:
        gc.collect(max(due))
