"""One window for all tests of a file that edit in it: opened once, and put back after each as it was at first.

It is put back as a person would: everything is undone, what was refused is taken back, the look, the scale of everything, the
size and the cursor are as at first. Then it is compared with how it
was. Where a test has left more than that, or has closed it, the next one opens another. What could be done again stays: no window
forgets that.
"""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quatviz.app import Session
from quatviz.document.memory import Memory
from quatviz.look.look import Look, chosen_of
from quatviz.simulation.runner import Snapshot
from quatviz.ui.kit.style import apply_scale
from quatviz.ui.kit.widgets import Entry
from quatviz.ui.window.settings import Settings

_FRAMES = 75
"""Frames that a window may draw until it is as it was at first; one that is not by then is closed. An idle machine draws them in
three seconds. A busy one takes longer, as it does for all that the window waits for."""
_PATIENCE_MS = 60_000
"""How long it may take to draw them."""
_LOOK_MS = 10
"""How often it is looked at meanwhile: to ask for events all the time takes a processor."""


THREADS = ("quatviz-autosave", "quatviz-worker")
"""Those of a window: one keeps edits, one computes its run."""


class Standing:
    """The window that stands between two tests, if one does."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self.timers: list[QTimer] = []
        """What runs in it as long as it stands."""
        self._first: dict[str, Any] = {}
        self._look: Look
        self._begins: Snapshot
        self._closing = ExitStack()

    def lend(self, file: pytest.Module, opens: Callable[[ExitStack], Session]) -> Session:
        """The window, until the tests of this file are over; the one that `opens` opens, where none stands."""
        if self.session is None:
            with ExitStack() as closing:
                session = opens(closing)
                self._closing = closing.pop_all()
            file.addfinalizer(self.close)
            self._take(session)
        assert self.session is not None
        return self.session

    def _take(self, session: Session) -> None:
        session.window.looks.take()
        self.session = session
        self.timers = [*session.bridge.findChildren(QTimer), *_running(session)]
        self._look = session.window.look
        self._begins = replace(session.bridge.snapshot, time=0.0, goal=None)
        self._first = {
            **_seen(session),
            "threads": list(THREADS),
        }  # another may come to its end just now

    def put_back(self) -> None:
        """Have it as it was at first, or close it."""
        session = self.session
        try:
            if session is None or not session.window.isVisible() or not self._is_put_back(session):
                self.close()
        except BaseException:
            self.close()
            raise

    def _is_put_back(self, session: Session) -> bool:
        window = session.window
        for other in QApplication.topLevelWidgets():
            if other is not window and other.isVisible():
                other.close()
        session.exporter.shut_down()
        _shut_beside(session)
        if _keeps_more(session):
            return False
        session.front.leave()
        window.laboratory.card.dismiss()
        window.looks.take()
        session.document.undo(len(session.document.steps))
        window.laboratory.old.dismiss()
        for row in window.side.lane_list.rows:
            if not row.details.isHidden():
                row.heading.click()
        session.document.branching.set_on(False)
        session.settings.write(Memory())
        Settings().path.unlink(missing_ok=True)
        size, state = self._first["size"]
        window.setWindowState(state)
        window.resize(size)
        apply_scale(round(100 * self._first["scale"]))
        window.dress(self._look)
        for entry in window.findChildren(Entry):
            if entry.pending:  # as what was refused is
                QTest.keyClick(entry, Qt.Key.Key_Escape)
        for command in self._begins.commands():
            session.bridge.send(command)
        window.status.clear()
        window.activateWindow()
        window.setFocus()
        window.looks.take()
        shown, limit = session.bridge.ticks, QDeadlineTimer(_PATIENCE_MS)
        # Two frames: it goes on.
        while (
            not (same := session.bridge.ticks >= shown + 2 and self._is_as_it_was(session))
            and session.bridge.ticks < shown + _FRAMES
            and not limit.hasExpired()
        ):
            QTest.qWait(_LOOK_MS)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return same

    def close(self) -> None:
        """Let none stand."""
        self.session, self.timers = None, []
        self._closing.close()

    def _is_as_it_was(self, session: Session) -> bool:
        return _seen(session) == self._first and all(timer in self.timers for timer in _running(session))


def _seen(session: Session) -> dict[str, Any]:
    """What a test may leave in a window, and the next one would find."""
    window, at = session.window, session.bridge.snapshot
    return {
        "run": session.document.state,
        "steps": session.document.steps,
        "look": chosen_of(window.look),
        "cursor": (at.goal, at.playing, at.speed, at.loop, at.selected),
        "old future": window.board.choices.old,
        "branching": session.document.branching.on,
        "unfolded": [row.name for row in window.side.lane_list.rows if not row.details.isHidden()],
        "typed": [entry.text() for entry in window.side.setup.findChildren(Entry) if entry.isVisible()],
        "theme": window.theme.name,
        "scale": window.theme.size,
        "threads": sorted(one.name for one in threading.enumerate() if one.name.startswith("quatviz")),
        "size": (window.size(), window.windowState()),
        "sentence": window.status.sentence,
        "beside": [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not window],
        "focus": window.focusWidget() is window,
        "active": window.isActiveWindow(),
        "fault": session.worker.fault,
        "computed": all(session.simulation.missing(lane) == 0 for lane in session.simulation),
    }


def _keeps_more(session: Session) -> bool:
    """Whether something was opened beside it that keeps what was done there."""
    return any(one is not None for one in (session.tour, session.chooser, session.window.cards.card))


def _shut_beside(session: Session) -> None:
    """Let the windows beside it go for good, as closing it does, and a lesson: the next that opens one has it new."""
    if session.presenter is not None:
        session.presenter.leave()
        session.presenter.panel.deleteLater()
        session.presenter.deleteLater()
        session.presenter = None
    if session.help is not None:
        session.help.shut_down()
        session.help = None
    if session.study is not None:
        session.study.shut_down()
        session.study = None


def _running(session: Session) -> list[QTimer]:
    """Of the window and of what lives beside it."""
    owners = session.window, session.bridge
    return [timer for owner in owners for timer in owner.findChildren(QTimer) if timer.isActive()]


STANDING = Standing()
