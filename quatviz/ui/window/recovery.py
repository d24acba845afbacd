"""What was done in a window that was killed: kept now and then, with its mesh, offered at the next start."""

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDateTime, QObject, Signal
from PySide6.QtWidgets import QFrame

from quatviz.base.errors import InputError
from quatviz.base.tr import told, tr
from quatviz.document.store import Kept, forget, read_kept
from quatviz.look.session import Session
from quatviz.look.theme import UNIT
from quatviz.ui.kit.job import Job
from quatviz.ui.kit.widgets import Button, label, row

log = logging.getLogger(__name__)


class Autosave(QObject):
    """Writes `session` to what is `kept` whenever it has changed, beside the window's thread, while `worth` says that there
    is something to lose. `failed` tells, once for each reason, why nothing can be kept; it is tried again all the same."""

    failed = Signal(str)

    def __init__(self, kept: Kept, session: Callable[[], Session], worth: Callable[[], bool]) -> None:
        super().__init__()
        self._file, self._session, self._worth = kept, session, worth
        self._kept: Session | None = None
        self._told = ""
        self._job: Job | None = None
        self._begun = False

    @property
    def busy(self) -> bool:
        """Whether it writes now."""
        return self._job is not None

    def start(self) -> None:
        """Keep from now on; without a place to write to, there is nothing to do."""
        try:
            self._file.begin()
        except OSError as error:
            self._tell(error.strerror or str(error))
        else:
            self._begun = True

    def keep(self) -> None:
        """Write what has changed, unless the last is still being written."""
        session = self._session() if self._begun and self._job is None and self._worth() else None
        if session is None or session == self._kept:
            return
        self._kept = session
        self._job = Job(lambda _: self._file.write(session), self, self._end)

    def stop(self) -> None:
        """The window closes as a person wants it: nothing is to be recovered."""
        self._begun = False
        if self._job is not None:
            self._job.shut_down()
        self._file.end()

    def _end(self, outcome: object) -> None:
        self._job = None
        if outcome is not None:
            self._kept = None
        if isinstance(outcome, InputError):
            self._tell(f"{told(outcome.found)}; {told(outcome.remedy)}")
        elif isinstance(outcome, OSError):
            self._tell(outcome.strerror or str(outcome))
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            self._tell("")

    def _tell(self, lack: str) -> None:
        """Tell of a reason that is new."""
        if lack and lack != self._told:
            log.warning("what is done cannot be kept for recovery: %s", lack)
            self.failed.emit(tr("What is done here cannot be kept for recovery: {why}", why=lack))
        self._told = lack


class RecoveryBar(QFrame):
    """Over the window's parts: what could be restored, and two buttons."""

    restore_wanted = Signal(object)
    """The `Path` of a session, which who restores it deletes: where that fails, it is there at the next start."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("popup")
        self.setAccessibleName(tr("Recovery"))
        self._paths: list[Path] = []
        self.text = label()
        self.restore = Button(tr("Restore"), lambda: self._answer(restore=True))
        self.discard = Button(tr("Discard"), lambda: self._answer(restore=False))
        self.setLayout(row((self.text, 1), self.restore, self.discard, margins=(2 * UNIT, UNIT) * 2))
        self.hide()

    def offer(self, paths: list[Path]) -> None:
        """Offer the first of these, then the others, but for those that another window has taken meanwhile."""
        self._paths = paths
        self.setVisible(bool(paths))
        if not paths:
            return
        try:
            session, seconds = read_kept(paths[0]), int(paths[0].stat().st_mtime)
        except (OSError, InputError):
            self.offer(paths[1:])
            return
        when = QDateTime.fromSecsSinceEpoch(seconds).toString("d MMM, HH:mm:ss")
        self.text.setText(
            tr(
                "A window was closed before its work was saved. Restore “{title}” as it was on {when}?",
                title=session.preset.title,
                when=when,
            )
        )

    def _answer(self, restore: bool) -> None:
        path, *others = self._paths
        if restore:
            self.restore_wanted.emit(path)
        else:
            forget(path)
        self.offer(others)
