"""Frame sources for films of the window: the visible window itself, or a copy that is rendered offscreen."""

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
"""Longest time that the user waits until all curves are ready to be drawn [s]."""
_MIN_HEIGHT = 900
"""Minimum height of the window layout [pixels], equal to the height of the window at its first start. Smaller pictures are
scaled down from this layout."""


class WindowFrameSource:
    """Frame source that shows the window at successive times, until `close` is called.

    Pictures are scaled to the size of the film. If the aspect ratios differ, there are bars at two sides.
    """

    def __init__(self, window: MainWindow, dispatcher: FrameDispatcher, plan: FilmPlan) -> None:
        self.window = window
        self._dispatcher, self._builder = dispatcher, dispatcher.builder
        self._size = plan.width, plan.height
        self._was_playing = dispatcher.snapshot.playing
        window.axis.is_offline = True
        dispatcher.send(Pause())
        self._mouse_blocker = QWidget(window)
        """Transparent widget over the window that blocks the mouse while the film is rendered."""
        self._mouse_blocker.setGeometry(window.rect())
        self._mouse_blocker.show()

    def render(self, time: float) -> QImage:
        if self._dispatcher.builder is not self._builder:
            raise InputError(
                "the film", expected="the run that it started with", found="a run that was edited meanwhile",
                remedy="start the film again, and do not edit the run meanwhile",
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
    """Placeholder for the worker in a window whose run is already computed. It ignores commands."""

    error: BaseException | None = None

    def __init__(self, simulation: Simulation, at: Snapshot | None) -> None:
        self.snapshot = replace(at or Snapshot(playing=False), duration=simulation.duration)

    def submit(self, command: RunnerCommand) -> None:
        """Ignore the command."""


class OffscreenWindow(WindowFrameSource):
    """Frame source that renders a computed run in a window offscreen, with a given view state and in the size of the film."""

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
        # The parts get their sizes, which cameras and scrolled columns depend on.
        QApplication.processEvents()
        window.part_widths.restore()
        self._document.begin(view_state)
        while dispatcher.is_behind and time.monotonic() < deadline:
            time.sleep(0.005)
            dispatcher.tick()
        QApplication.processEvents()
        window.scroll_positions.restore(view_state.scrolled)
        QApplication.processEvents()
        window.grab()  # drawing determines the ends of curves,
        dispatcher.tick()  # and the next frame reserves space for the names there

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
    """Return a frame source for films of the window.

    It is the window itself if its size fits the film, otherwise a copy with `view_state` that is rendered offscreen.
    """
    if has_window_size(window, plan):
        return WindowFrameSource(window, dispatcher, plan)
    return OffscreenWindow(dispatcher.builder.simulation, plan, view_state, _INTERACTIVE_TIMEOUT)
