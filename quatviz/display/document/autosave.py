"""Autosave: writes the session of a window, with its mesh, so that it can be restored if the process is killed."""

import logging
import threading
from collections.abc import Callable

from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError
from quatviz.base.translation import tr
from quatviz.display.document.state import State
from quatviz.display.document.user_files import RecoveryFile
from quatviz.display.view_state.session import Session

log = logging.getLogger(__name__)

MIN_WRITE_INTERVAL = 2.0
"""Shortest time between two writes [s]. It limits disk traffic while the user drags a value."""


class Autosave:
    """A thread that writes the session to a recovery file whenever it has changed.

    Parameters
    ----------
    recovery_file
        Recovery file of this window.
    session
        Returns the session that the window shows now.
    is_worth_saving
        Returns True if the window shows something that would be lost.
    report_failure
        Receives a message when writing fails, once for each new reason. Writing is retried later.
    interval
        Shortest time between two writes [s]. The first change is written at once.
    """

    def __init__(
        self,
        recovery_file: RecoveryFile,
        session: Callable[[], Session],
        is_worth_saving: Callable[[], bool],
        report_failure: Callable[[str], object],
        interval: float = MIN_WRITE_INTERVAL,
    ) -> None:
        self._file, self._session, self._is_worth_saving, self._interval = (
            recovery_file,
            session,
            is_worth_saving,
            interval,
        )
        self._report_failure = report_failure
        self._newest: Session | None = None
        self._last_attempt: Session | None = None
        self._saved: Session | None = None
        self._error: BaseException | None = None
        self._last_reason = ""
        self._pending, self._stopped = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def has_pending(self) -> bool:
        """True if the thread has not yet tried to write the newest change."""
        return self._last_attempt is not self._newest

    @property
    def is_settled(self) -> bool:
        """True if nothing remains to be written. A change that could not be written remains."""
        return self._thread is None or not self._is_worth_saving() or self._saved is self._newest

    def start(self) -> None:
        """Lock the recovery file and start the thread. If the file cannot be locked, report why and save nothing."""
        try:
            self._file.lock()
        except OSError as error:
            self._report_reason(error.strerror or str(error))
        else:
            self._thread = threading.Thread(target=self._write, name="quatviz-autosave", daemon=True)
            self._thread.start()

    def save_state(self, state: State) -> None:
        """Request a save after the run has changed. The view state is the one stored in `state`."""
        if self._thread is not None and self._is_worth_saving():
            self._newest = Session(state.preset, state.view_state)
            self._pending.set()

    def save_if_changed(self) -> None:
        """Request a save if the session has changed without an undo step, such as by a camera move; report
        why a write failed."""
        if self._thread is None or not self._is_worth_saving():
            return
        self._report_error(self._error)
        session = self._session()
        if session != self._saved:
            self._newest = session
            self._pending.set()

    def stop(self, keep_files: bool = False) -> None:
        """Stop the thread and release the recovery file. Delete the file unless `keep_files` is True."""
        if self._thread is not None:
            self._stopped.set()
            self._pending.set()
            self._thread.join()
            self._thread = None
        self._file.remove(keep_files)

    def _write(self) -> None:
        """Write the newest session until the thread is stopped. Runs in the thread."""
        while self._pending.wait() and not self._stopped.is_set():
            self._pending.clear()
            session = self._newest
            assert session is not None
            try:
                self._file.write(session)
            except PLUGIN_EXCEPTIONS as error:
                self._saved, self._error = None, error
            else:
                self._saved, self._error = session, None
            self._last_attempt = session
            self._stopped.wait(self._interval)

    def _report_error(self, error: BaseException | None) -> None:
        if isinstance(error, InputError):
            self._report_reason(f"{tr(error.found)}; {tr(error.remedy)}")
        elif isinstance(error, OSError):
            self._report_reason(error.strerror or str(error))
        elif error is not None:
            self._error = None
            raise error
        else:
            self._report_reason("")

    def _report_reason(self, reason: str) -> None:
        """Report a reason, unless it equals the last one reported."""
        if reason and reason != self._last_reason:
            log.warning("autosave failed: %s", reason)
            self._report_failure(tr("Autosave failed: {reason}", reason=reason))
        self._last_reason = reason
