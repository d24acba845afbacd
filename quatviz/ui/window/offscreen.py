"""The window as it is filmed: the one that a person has before them, or one that is laid out anew, never on a screen."""

import time
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from quatviz.base.errors import InputError
from quatviz.display.data.frame_builder import FrameDispatcher
from quatviz.display.document.document import Document
from quatviz.display.document.state import initial_snapshot, state_of
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import THEMES
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.commands import Pause, Play, RunnerCommand
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.tools.export.frame_sources import REDUCTION_TIMEOUT, has_window_size, letterbox
from quatviz.ui.window.actions import ACTIONS
from quatviz.ui.window.main_window import MainWindow

_INTERACTIVE_TIMEOUT = 5.0
"""Seconds for curves to be reduced while somebody waits at the window."""
_MIN_HEIGHT = 900
"""Height of the lowest window that is laid out, as at a first start; for a smaller picture it is scaled down."""


class WindowFrameSource:
    """The whole window, which shows one time after the other until `close`; scaled into the size of the film where it has
    another, with bars where its proportions differ."""

    def __init__(self, window: MainWindow, dispatcher: FrameDispatcher, plan: FilmPlan) -> None:
        self.window = window
        self._dispatcher, self._builder = dispatcher, dispatcher.builder
        self._size = plan.width, plan.height
        self._was_playing = dispatcher.snapshot.playing
        window.axis.is_offline = True
        dispatcher.send(Pause())
        self._mouse_blocker = QWidget(window)
        """Over all of it, so that nothing answers to the mouse meanwhile. It paints nothing."""
        self._mouse_blocker.setGeometry(window.rect())
        self._mouse_blocker.show()

    def render(self, time: float) -> QImage:
        if self._dispatcher.builder is not self._builder:
            raise InputError(
                "the film", expected="the run with which it began", found="another one: it was edited",
                remedy="film it again, and leave the window alone meanwhile",
                topic="errors#exports",
            )  # fmt: skip
        self._dispatcher.hold_time(time)
        self._dispatcher.tick()
        return letterbox(self.window.grab().toImage(), *self._size, self.window.theme.window)

    def close(self) -> None:
        self._mouse_blocker.hide()
        self._mouse_blocker.deleteLater()
        self.window.axis.is_offline = False
        if self._dispatcher.builder is self._builder:
            self._dispatcher.hold_time(None)
            if self._was_playing:
                self._dispatcher.send(Play())


class _PausedWorker:
    """In the place of a worker, for a run that is computed."""

    error: BaseException | None = None

    def __init__(self, simulation: Simulation, at: Snapshot | None) -> None:
        self.snapshot = replace(at or Snapshot(playing=False), duration=simulation.duration)

    def submit(self, command: RunnerCommand) -> None:
        """Nothing moves."""


class OffscreenWindow(WindowFrameSource):
    """The window of a computed run, never on a screen, as `view_state` has it in that size."""

    def __init__(
        self, run: Simulation, plan: FilmPlan, view_state: ViewState, timeout: float = REDUCTION_TIMEOUT
    ) -> None:
        session = Session(run.preset, view_state)
        self._document = Document(replace(state_of(session), view_state=None), view=ViewStore(view_state))
        window = MainWindow(self._document, ACTIONS, theme=THEMES[view_state.theme])
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        scale = max(_MIN_HEIGHT / plan.height, 1.0) / window.devicePixelRatioF()
        window.resize(round(plan.width * scale), round(plan.height * scale))
        window.show()
        worker = _PausedWorker(run, initial_snapshot(session))
        self._own_dispatcher = dispatcher = FrameDispatcher(
            run, worker, self._document.state.lane_styles, window.listeners
        )
        super().__init__(window, dispatcher, plan)
        dispatcher.start_run()
        deadline = time.monotonic() + timeout
        QApplication.processEvents()  # the parts get their sizes, which cameras and scrolled columns depend on
        window.part_widths.restore()
        self._document.begin(view_state)
        while dispatcher.is_behind and time.monotonic() < deadline:
            time.sleep(0.005)
            dispatcher.tick()
        QApplication.processEvents()
        window.scroll_positions.restore(view_state.scrolled)
        QApplication.processEvents()
        window.grab()  # plots know where their curves end when these are drawn,
        dispatcher.tick()  # and from the next frame on keep room for names there

    def close(self) -> None:
        self._own_dispatcher.close()
        self._document.close()
        self.window.shutdown()
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def window_frame_source(
    window: MainWindow, dispatcher: FrameDispatcher, plan: FilmPlan, view_state: ViewState
) -> WindowFrameSource:
    """The window as it stands, or laid out anew in the size of the film, seen as `view_state` says."""
    if has_window_size(window, plan):
        return WindowFrameSource(window, dispatcher, plan)
    return OffscreenWindow(dispatcher.builder.simulation, plan, view_state, _INTERACTIVE_TIMEOUT)
