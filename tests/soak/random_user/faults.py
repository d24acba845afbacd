"""Recorder of exceptions, warnings and logged errors."""

import logging
import sys
import threading
import traceback
import warnings
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

MAX_LENGTH = 4000
"""Largest stored length of a fault [characters]. The end of a longer text is stored."""


class FaultRecorder(logging.Handler):
    """Context manager that records faults in `faults`.

    Faults are uncaught exceptions of any thread, warnings of Python and Qt, and log records of level WARNING or higher.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.faults: list[str] = []
        self._warnings = warnings.catch_warnings()
        self._hooks: tuple[Any, ...] = ()

    def __enter__(self) -> "FaultRecorder":
        self._warnings.__enter__()
        warnings.simplefilter("always")
        # The filter of `quatviz.files.formula_cache`, which the line above overrides.
        warnings.filterwarnings("ignore", "path is deprecated", DeprecationWarning, r"ziamath\.")
        self._hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        sys.excepthook = self._exception
        threading.excepthook = lambda details: self._exception(
            details.exc_type, details.exc_value, details.exc_traceback
        )
        sys.unraisablehook = lambda details: self._exception(
            details.exc_type, details.exc_value, details.exc_traceback
        )
        warnings.showwarning = lambda *details: self.add(
            f"warning of Python: {''.join(traceback.format_stack())}{warnings.formatwarning(*details[:4])}"
        )
        self._qt = qInstallMessageHandler(self._message)
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)
        qInstallMessageHandler(self._qt)
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._hooks
        self._warnings.__exit__(None, None, None)

    def add(self, text: str) -> None:
        """Append a fault."""
        self.faults.append(text.strip()[-MAX_LENGTH:])

    def emit(self, record: logging.LogRecord) -> None:
        self.add(f"logged by {record.name}: {self.format(record)}")

    def _exception(
        self, exception_type: type[BaseException], fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.add("uncaught exception: " + "".join(traceback.format_exception(exception_type, fault, trace)))

    def _message(self, message_type: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if message_type == QtMsgType.QtFatalMsg:  # the process ends before the report
            print(f"Qt ends the process: {text}", file=sys.__stderr__, flush=True)
        if message_type not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            self.add(f"message of Qt: {text}")
