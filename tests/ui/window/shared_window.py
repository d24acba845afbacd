"""One window shared by all tests of a file that edit in it. It is opened once and reset after each test. The reset works as a
user would: everything is undone, rejected input is restored, and view state, scale, size and cursor are set back. Then the state
is compared with the initial one. If a test has changed more or has closed the window, the next test opens another. The redo
history stays, because no window can clear it."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quatviz.app import WindowController
from quatviz.display.document.window_memory import WindowMemory
from quatviz.display.view_state.view_state import ViewState, undoable_part
from quatviz.simulation.runner import Snapshot
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.style import apply_scale
from quatviz.ui.window.settings import Settings

_MAX_FRAMES = 75
"""Frames that a window may draw during a reset; a window that needs more is closed. An idle machine draws them in three seconds,
a busy one takes longer."""
_TIMEOUT_MS = 60_000
"""Maximum duration of these frames."""
_POLL_MS = 10
"""Interval between two checks: continuous polling would use a whole processor."""


THREADS = ("quatviz-autosave", "quatviz-worker")
"""Names of the running timers of a window: one saves the session, one computes its run."""


class SharedWindow:
    """The window that is open between two tests, if any."""

    def __init__(self) -> None:
        self.session: WindowController | None = None
        self.timers: list[QTimer] = []
        """Timers that run while the window is open."""
        self._initial: dict[str, Any] = {}
        self._initial_state: ViewState
        self._initial_snapshot: Snapshot
        self._closing = ExitStack()

    def acquire(
        self, file: pytest.Module, open_session: Callable[[ExitStack], WindowController]
    ) -> WindowController:
        """Return the shared window of this test file, opened with `open_session` if there is none."""
        if self.session is None:
            with ExitStack() as closing:
                session = open_session(closing)
                self._closing = closing.pop_all()
            file.addfinalizer(self.close)
            self._adopt(session)
        assert self.session is not None
        return self.session

    def _adopt(self, session: WindowController) -> None:
        self.session = session
        self.timers = [
            *session.frame_loop.findChildren(QTimer),
            session.save_timer,
            *_running_timers(session),
        ]
        self._initial_state = session.window.view_state
        self._initial_snapshot = replace(session.frame_loop.snapshot, time=0.0, goal=None)
        self._initial = {
            **_observable_state(session),
            "threads": list(THREADS),
        }  # another timer may be about to end

    def reset(self) -> None:
        """Reset the window to its initial state, or close it."""
        session = self.session
        try:
            if session is None or not session.window.isVisible() or not self._try_reset(session):
                self.close()
        except BaseException:
            self.close()
            raise

    def _try_reset(self, session: WindowController) -> bool:
        window = session.window
        for other in QApplication.topLevelWidgets():
            if other is not window and other.isVisible():
                other.close()
        session.exporter.shutdown()
        _close_tools(session)
        if _has_stateful_tools(session):
            return False
        session.start_page.leave()
        window.experiments.event_card.dismiss()
        session.document.undo(len(session.document.steps))
        session.document.file.path = None
        session.document.mark_saved()
        window.experiments.previous_run.dismiss()
        for row in window.side.lane_list.rows:
            if not row.details.isHidden():
                row.heading.click()
        session.document.branching.set_enabled(False)
        session.settings.write(WindowMemory())
        Settings().path.unlink(missing_ok=True)
        size, state = self._initial["size"]
        window.setWindowState(state)
        window.resize(size)
        apply_scale(round(100 * self._initial["scale"]))
        window.store.assign(self._initial_state)
        for entry in window.findChildren(LineEntry):
            if entry.is_pending:  # as rejected input is
                QTest.keyClick(entry, Qt.Key.Key_Escape)
        for command in self._initial_snapshot.restore_commands():
            session.frame_loop.send(command)
        window.status.clear()
        window.activateWindow()
        window.setFocus()
        first_tick, limit = session.frame_loop.tick_count, QDeadlineTimer(_TIMEOUT_MS)
        # Two frames: the window continues to draw.
        while (
            not (is_reset := session.frame_loop.tick_count >= first_tick + 2 and self._is_initial(session))
            and session.frame_loop.tick_count < first_tick + _MAX_FRAMES
            and not limit.hasExpired()
        ):
            QTest.qWait(_POLL_MS)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return is_reset

    def close(self) -> None:
        """Close the window."""
        self.session, self.timers = None, []
        self._closing.close()

    def _is_initial(self, session: WindowController) -> bool:
        return _observable_state(session) == self._initial and all(
            timer in self.timers for timer in _running_timers(session)
        )


def _observable_state(session: WindowController) -> dict[str, Any]:
    """Return the state that a test may leave in a window and the next one would find."""
    window, snapshot = session.window, session.frame_loop.snapshot
    return {
        "run": session.document.state,
        "steps": session.document.steps,
        "look": undoable_part(window.view_state),
        "cursor": (snapshot.goal, snapshot.playing, snapshot.speed, snapshot.loop, snapshot.selected),
        "old future": window.board.choices.previous_run,
        "branching": session.document.branching.is_enabled,
        "unfolded": [row.name_field for row in window.side.lane_list.rows if not row.details.isHidden()],
        "typed": [entry.text() for entry in window.side.setup.findChildren(LineEntry) if entry.isVisible()],
        "theme": window.theme.name,
        "scale": window.theme.size,
        "threads": sorted(item.name for item in threading.enumerate() if item.name.startswith("quatviz")),
        "size": (window.size(), window.windowState()),
        "sentence": window.status.message,
        "beside": [
            item for item in QApplication.topLevelWidgets() if item.isVisible() and item is not window
        ],
        "focus": window.focusWidget() is window,
        "active": window.isActiveWindow(),
        "fault": session.worker.error,
        "computed": all(session.simulation.missing(lane) == 0 for lane in session.simulation),
    }


def _has_stateful_tools(session: WindowController) -> bool:
    """Return True if a tool that keeps its own state was opened."""
    return any(
        tool is not None
        for tool in (session.tour, session.lesson_chooser, session.window.equation_window.card)
    )


def _close_tools(session: WindowController) -> None:
    """Close and delete the tool windows and a lesson, as closing the main window does, so that the next test opens new ones."""
    if session.presenter is not None:
        session.presenter.leave()
        session.presenter.panel.deleteLater()
        session.presenter.deleteLater()
        session.presenter = None
    session.tool_windows.shutdown("help", "study")


def _running_timers(session: WindowController) -> list[QTimer]:
    """Return the running timers of the window and its frame loop."""
    owners = session.window, session.frame_loop
    return [timer for owner in owners for timer in owner.findChildren(QTimer) if timer.isActive()]


SHARED_WINDOW = SharedWindow()
