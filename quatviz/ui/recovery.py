"""What was done in a window that was killed: kept every two seconds, with its mesh, offered at the next start."""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QDateTime, QLockFile, QObject, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from quatviz import resources
from quatviz.core.errors import Refusal
from quatviz.core.session import Session
from quatviz.core.session_text import format_session, read_session
from quatviz.export.files import write_text
from quatviz.export.mesh_beside import bring_mesh
from quatviz.ui.theme import UNIT
from quatviz.ui.tr import told, tr

log = logging.getLogger(__name__)

EVERY_MS = 2000


class Autosave(QObject):
    """Writes `session` to a file of its own whenever it has changed, beside the window's thread, while `worth` says that
    there is something to lose. A lock beside the file says that this window lives. `failed` tells, once for each reason,
    why nothing can be kept; it is tried again all the same."""

    failed = Signal(str)

    def __init__(self, session: Callable[[], Session], worth: Callable[[], bool]) -> None:
        super().__init__()
        self._session, self._worth = session, worth
        folder = resources.settings_folder() / "recovery"
        self._file = folder / f"{os.getpid()}-{id(self):x}.toml"
        self.folder = folder_of(self._file)
        """Where a mesh is kept, which goes when the window is closed."""
        self._lock: QLockFile | None = None
        self._kept: Session | None = None
        self._lack = self._told = ""
        self._writing: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.keep)

    def start(self) -> None:
        """Begin to watch; without a place to write to, there is nothing to do."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._lack = error.strerror or str(error)
            self._tell()
            return
        self._lock = _lock_of(self._file)
        self._lock.tryLock(0)
        self._timer.start(EVERY_MS)

    def keep(self) -> None:
        """Write what has changed, unless the last is still being written."""
        if self._writing is not None and self._writing.is_alive():
            return
        self._tell()
        session = self._session() if self._worth() else None
        if session is None or session == self._kept:
            return
        self._kept = session
        self._writing = threading.Thread(
            target=self._write, args=(session,), name="quatviz-autosave", daemon=True
        )
        self._writing.start()

    def stop(self) -> None:
        """The window closes as a person wants it: nothing is to be recovered."""
        self._timer.stop()
        if self._writing is not None:
            self._writing.join()
        if self._lock is not None:
            forget(self._file)
            self._lock.unlock()
            self._lock = None

    def _write(self, session: Session) -> None:
        try:
            bring_mesh(session.preset.body, self.folder, over=True)
            write_text(self._file, format_session(session))
            self._lack = ""
        except Refusal as refusal:
            self._lack, self._kept = f"{told(refusal.found)}; {told(refusal.remedy)}", None
        except OSError as error:
            self._lack, self._kept = error.strerror or str(error), None

    def _tell(self) -> None:
        """Tell of a reason that is new."""
        if self._lack and self._lack != self._told:
            log.warning("what is done cannot be kept for recovery: %s", self._lack)
            self.failed.emit(tr("What is done here cannot be kept for recovery: {why}", why=self._lack))
        self._told = self._lack


def folder_of(path: Path) -> Path:
    """Where the mesh of what is kept at `path` is."""
    return path.with_suffix("")


def read_kept(path: Path) -> Session:
    """What was kept for recovery; its body's mesh is in the folder beside. `Refusal` where it cannot be read."""
    session = read_session(path)
    body = session.preset.body.beside(folder_of(path))
    return replace(session, preset=replace(session.preset, body=body, name="", path=None))


def adopted(session: Session, folder: Path) -> Session:
    """A session whose mesh is in `folder` from now on: what is recovered is deleted."""
    bring_mesh(session.preset.body, folder, over=True)
    body = session.preset.body.beside(folder)
    return replace(session, preset=replace(session.preset, body=body))


def lost_sessions() -> list[Path]:
    """Files of windows that do not live any more, the newest first; those that cannot be read are deleted."""
    return sorted(_lost(), key=lambda path: path.stat().st_mtime, reverse=True)


def forget(path: Path) -> None:
    """Delete what was kept for recovery."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
    shutil.rmtree(folder_of(path), ignore_errors=True)


def _lost() -> Iterator[Path]:
    for path in sorted((resources.settings_folder() / "recovery").glob("*.toml")):
        if path.name.startswith("."):
            continue  # half written when its window was killed
        lock = _lock_of(path)
        if not lock.tryLock(0):
            continue
        lock.unlock()
        try:
            read_kept(path)
        except Refusal as refusal:
            log.warning("a session cannot be recovered: %s", refusal)
            forget(path)
        else:
            yield path


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # it is stale only when its process is gone
    return lock


class RecoveryBar(QFrame):
    """Over the window's parts: what could be restored, and two buttons."""

    restore_wanted = Signal(object)
    """The `Path` of a session."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("popup")
        self.setAccessibleName(tr("Recovery"))
        self._paths: list[Path] = []
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.restore, self.discard = QPushButton(tr("Restore")), QPushButton(tr("Discard"))
        self.restore.clicked.connect(lambda: self._answer(restore=True))
        self.discard.clicked.connect(lambda: self._answer(restore=False))
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * UNIT, UNIT, 2 * UNIT, UNIT)
        row.addWidget(self.text, 1)
        row.addWidget(self.restore)
        row.addWidget(self.discard)
        self.hide()

    def offer(self, paths: list[Path]) -> None:
        """Offer the first of these, then the others."""
        self._paths = paths
        self.setVisible(bool(paths))
        if not paths:
            return
        session = read_kept(paths[0])
        when = QDateTime.fromSecsSinceEpoch(int(paths[0].stat().st_mtime)).toString("d MMM, HH:mm:ss")
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
        forget(path)
        self.offer(others)
