"""What the process of the window does with exceptions that nobody catches or that a guard catches, with Ctrl-C, and where the
display cannot be reached or ends."""

import ctypes
import gc
import linecache
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
    """An exception in a slot is logged and told; the window stays."""

    def hook(
        exception_type: type[BaseException], exception: BaseException, traceback: TracebackType | None
    ) -> None:
        log.error("an exception reached the event loop", exc_info=(exception_type, exception, traceback))
        show_message(_fault_message(exception))

    sys.excepthook = hook


class FaultLogHandler(logging.Handler):
    """Tells what guarded overrides log, from `attach` to `detach`. Not at once: many of them paint, and the row in which it is
    said would be painted meanwhile."""

    def __init__(self, window: QWidget, show_message: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._window, self._show_message = window, show_message

    def attach(self) -> None:
        """Tell from now on."""
        guard.log.addHandler(self)

    def detach(self) -> None:
        """Tell no more."""
        guard.log.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else record.getMessage()
        sentence = _fault_message(fault)
        QTimer.singleShot(0, self._window, lambda: self._show_message(sentence))


def _fault_message(fault: object) -> str:
    return tr("A fault in the program: {fault}", fault=fault)


_COLLECT_INTERVAL_MS = 500


class GarbageTimer(QTimer):
    """Searches for garbage in this thread alone, from `begin` to `end`, and forgets sources that were read. Python would
    search in whichever thread has made the last object, one that computes or the client of a cluster: widgets that it found
    there would be deleted there, of which Qt dies."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, interval=_COLLECT_INTERVAL_MS)
        self.timeout.connect(collect_garbage)

    def begin(self) -> None:
        """Search here from now on."""
        gc.disable()
        self.start()

    def end(self) -> None:
        """Let Python search as it does."""
        self.stop()
        gc.enable()


def close_on_interrupt(app: QApplication) -> QTimer:
    """Let Ctrl-C in the terminal close the window: Python sees signals only when its code runs."""
    signal.signal(signal.SIGINT, lambda *_: app.quit())
    heartbeat = QTimer()
    heartbeat.timeout.connect(lambda: None)
    heartbeat.start(250)
    return heartbeat


DISPLAY_CLOSED_MESSAGE = (
    "The display is gone, and the window with it. The next start offers what was kept of the work."
)
_USAGE_EXIT_STATUS = 2
"""The status of what cannot be used, a display as anything else."""


def install_display_error_handler() -> object:
    """Where Xlib finds first that the X server has ended, say so and end, in place of its own words and a core dump: nothing may
    go on behind that. What autosave has kept stays. What is returned has to live as long as the display."""

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    def on_io_error(display: int) -> int:
        _exit_process(tr(DISPLAY_CLOSED_MESSAGE), 1)

    with suppress(OSError, AttributeError):
        ctypes.CDLL("libX11.so.6").XSetIOErrorHandler(on_io_error)
    return on_io_error


@contextmanager
def report_qt_startup_failure() -> Iterator[None]:
    """While the application is made: where its display cannot be reached, or goes before all is asked, Qt would end the process
    by a core dump and advice to install it again. Say what is wrong, with Qt's first word, and end as anything that is refused."""
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
    """Of the display that the environment names, with what Qt said of it."""
    name = next((os.environ[key] for key in ("WAYLAND_DISPLAY", "DISPLAY") if os.environ.get(key)), "")
    return InputError(
        "this machine's display",
        expected=phrase("a display that answers at {name!r}", name=name),
        found=escape_control_characters(messages[0].splitlines()[0]),
        remedy="start it, or say with DISPLAY or WAYLAND_DISPLAY which one is there; `quatviz doctor` looks at it",
        topic="errors#display",
    )


def _exit_process(message: str, status: int) -> NoReturn:
    """Nothing of this process may go on, Qt's own end least of all."""
    try:
        print(message, file=sys.stderr, flush=True)
    finally:
        os._exit(status)


_OLD_GENERATION_THRESHOLD = 60
"""Collections of what is younger before all is searched: every few minutes, for it takes as long as a frame."""


def collect_garbage() -> None:
    """Search for garbage as old as is due, in this thread, in place of Python's own search, and forget sources that were read."""
    young, middle, _ = gc.get_threshold()
    limits = (young, middle, _OLD_GENERATION_THRESHOLD)
    due = [age for age, count in enumerate(gc.get_count()) if count > limits[age]]
    if due:
        gc.collect(max(due))
    _clear_source_cache()


def _clear_source_cache() -> None:
    """PySide reads the source of whatever is imported, to see whether it uses PySide, and Python keeps all lines read: 22 MB at the
    start, 45 once every window has been open. Those of files are read again where a traceback asks; a notebook's stay."""
    for path, entry in list(linecache.cache.items()):
        if len(entry) > 1 and entry[1] is not None:
            linecache.cache.pop(path, None)
