"""What is done in a window, kept now and then in case its process is killed, with its mesh."""

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
"""From one writing to the next [s]."""


class Autosave:
    """Writes `session` to what is `kept` whenever it has changed, in a thread of its own, while `worth` says that there is
    something to lose: a first change at once, and what follows `every` so many seconds at most, however long the window's own
    timers have to wait. `failed` tells, once for each reason, why nothing can be kept; it is tried again all the same."""

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
        """Whether there is something that it has not tried to write yet."""
        return self._last_attempt is not self._newest

    def start(self) -> None:
        """Keep from now on; without a place to write to, there is nothing to do."""
        try:
            self._file.lock()
        except OSError as error:
            self._report_reason(error.strerror or str(error))
        else:
            self._thread = threading.Thread(target=self._write, name="quatviz-autosave", daemon=True)
            self._thread.start()

    def save_state(self, state: State) -> None:
        """A run has changed: it is kept as it was shown last."""
        if self._thread is not None and self._is_worth_saving():
            self._newest = Session(state.preset, state.view_state)
            self._pending.set()

    def save_if_changed(self) -> None:
        """Keep what has changed but for steps, cameras for example, and tell why nothing can be kept."""
        if self._thread is None or not self._is_worth_saving():
            return
        self._report_error(self._error)
        session = self._session()
        if session != self._saved:
            self._newest = session
            self._pending.set()

    def stop(self, keep_files: bool = False) -> None:
        """Stop saving, as the window closes. Unless its files are kept, nothing is recovered at the next start."""
        if self._thread is not None:
            self._stopped.set()
            self._pending.set()
            self._thread.join()
            self._thread = None
        self._file.remove(keep_files)

    def _write(self) -> None:
        """In its thread: what is newest, until it is stopped."""
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
        """Tell of a reason that is new."""
        if reason and reason != self._last_reason:
            log.warning("what is done cannot be kept for recovery: %s", reason)
            self._report_failure(tr("What is done here cannot be kept for recovery: {why}", why=reason))
        self._last_reason = reason
