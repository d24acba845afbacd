"""What is done in a window, kept now and then in case its process is killed, with its mesh."""

import logging
import threading
from collections.abc import Callable

from quatviz.base.errors import InputError
from quatviz.base.translation import told, tr
from quatviz.display.document.state import State
from quatviz.display.document.user_files import Kept
from quatviz.display.view_state.session import Session

log = logging.getLogger(__name__)

EVERY = 2.0
"""From one writing to the next [s]."""


class Autosave:
    """Writes `session` to what is `kept` whenever it has changed, in a thread of its own, while `worth` says that there is
    something to lose: a first change at once, and what follows `every` so many seconds at most, however long the window's own
    timers have to wait. `failed` tells, once for each reason, why nothing can be kept; it is tried again all the same."""

    def __init__(
        self,
        kept: Kept,
        session: Callable[[], Session],
        worth: Callable[[], bool],
        failed: Callable[[str], object],
        every: float = EVERY,
    ) -> None:
        self._file, self._session, self._worth, self._every = kept, session, worth, every
        self._failed = failed
        self._newest: Session | None = None
        self._tried: Session | None = None
        self._kept: Session | None = None
        self._lack: Exception | None = None
        self._told = ""
        self._wanted, self._stopped = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether there is something that it has not tried to write yet."""
        return self._tried is not self._newest

    def start(self) -> None:
        """Keep from now on; without a place to write to, there is nothing to do."""
        try:
            self._file.begin()
        except OSError as error:
            self._tell(error.strerror or str(error))
        else:
            self._thread = threading.Thread(target=self._write, name="quatviz-autosave", daemon=True)
            self._thread.start()

    def take(self, state: State) -> None:
        """A run has changed: it is kept as it was shown last."""
        if self._thread is not None and self._worth():
            self._newest = Session(state.preset, state.look)
            self._wanted.set()

    def keep(self) -> None:
        """Keep what has changed but for steps, cameras for example, and tell why nothing can be kept."""
        if self._thread is None or not self._worth():
            return
        self._tell_of(self._lack)
        session = self._session()
        if session != self._kept:
            self._newest = session
            self._wanted.set()

    def stop(self) -> None:
        """The window closes as a person wants it: nothing is to be recovered."""
        if self._thread is not None:
            self._stopped.set()
            self._wanted.set()
            self._thread.join()
            self._thread = None
        self._file.end()

    def _write(self) -> None:
        """In its thread: what is newest, until it is stopped."""
        while self._wanted.wait() and not self._stopped.is_set():
            self._wanted.clear()
            session = self._newest
            assert session is not None
            try:
                self._file.write(session)
            except Exception as error:
                self._kept, self._lack = None, error
            else:
                self._kept, self._lack = session, None
            self._tried = session
            self._stopped.wait(self._every)

    def _tell_of(self, lack: Exception | None) -> None:
        if isinstance(lack, InputError):
            self._tell(f"{told(lack.found)}; {told(lack.remedy)}")
        elif isinstance(lack, OSError):
            self._tell(lack.strerror or str(lack))
        elif lack is not None:
            self._lack = None
            raise lack
        else:
            self._tell("")

    def _tell(self, lack: str) -> None:
        """Tell of a reason that is new."""
        if lack and lack != self._told:
            log.warning("what is done cannot be kept for recovery: %s", lack)
            self._failed(tr("What is done here cannot be kept for recovery: {why}", why=lack))
        self._told = lack
