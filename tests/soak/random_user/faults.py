"""Everything that must not happen while the window is used, from wherever it comes."""

import logging
import sys
import threading
import traceback
import warnings
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

LONGEST = 4000
"""Letters of a fault that are kept."""


class Faults(logging.Handler):
    """A list of faults while it is entered: uncaught exceptions of any thread, warnings of Python and of Qt, and what the
    program itself logs as a warning or worse, as its guarded overrides do."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []
        self._warnings = warnings.catch_warnings()
        self._hooks: tuple[Any, ...] = ()

    def __enter__(self) -> "Faults":
        self._warnings.__enter__()
        warnings.simplefilter("always")
        self._hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._exception
        threading.excepthook = lambda told: self._exception(told.exc_type, told.exc_value, told.exc_traceback)
        sys.unraisablehook = lambda told: self._exception(told.exc_type, told.exc_value, told.exc_traceback)
        warnings.showwarning = lambda *told: self.add(
            f"a warning of Python: {''.join(traceback.format_stack())}{warnings.formatwarning(*told[:4])}"
        )
        self._qt = qInstallMessageHandler(self._message)
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)
        qInstallMessageHandler(self._qt)
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._hooks
        self._warnings.__exit__(None, None, None)

    def add(self, words: str) -> None:
        """One more."""
        self.found.append(words.strip()[-LONGEST:])

    def emit(self, record: logging.LogRecord) -> None:
        self.add(f"logged by {record.name}: {self.format(record)}")

    def _exception(
        self, kind: type[BaseException], fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.add("an uncaught exception: " + "".join(traceback.format_exception(kind, fault, trace)))

    def _message(self, kind: QtMsgType, context: QMessageLogContext, words: str) -> None:
        if kind == QtMsgType.QtFatalMsg:  # nobody will be left to tell it
            print(f"Qt ends the process: {words}", file=sys.__stderr__, flush=True)
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            self.add(f"a message of Qt: {words}")
