"""The window as it is filmed: the one that a person has before them, or one that is laid out anew, never on a screen."""

import time
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from quatviz.base.errors import InputError
from quatviz.display.data.frame_builder import Showing
from quatviz.display.document.document import Document
from quatviz.display.document.state import snapshot_of, state_of
from quatviz.display.view_state.session import Session
from quatviz.display.view_state.theme import THEMES
from quatviz.display.view_state.view_state import Look
from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.commands import Command, Pause, Play
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.tools.export.frame_sources import PATIENCE, fitted, in_own_size
from quatviz.ui.window.actions import ACTS
from quatviz.ui.window.main_window import MainWindow

_PATIENCE_LIVE = 5.0
"""Seconds for curves to be reduced while somebody waits at the window."""
_SHORTEST = 900
"""Height of the lowest window that is laid out, as at a first start; for a smaller picture it is scaled down."""


class WindowTake:
    """The whole window, which shows one time after the other until `close`; scaled into the size of the film where it has
    another, with bars where its proportions differ."""

    def __init__(self, window: MainWindow, bridge: Showing, plan: FilmPlan) -> None:
        self.window = window
        self._bridge, self._framer = bridge, bridge.framer
        self._size = plan.width, plan.height
        self._played = bridge.snapshot.playing
        window.board.axis.patient = True
        bridge.send(Pause())
        self._pane = QWidget(window)
        """Over all of it, so that nothing answers to the mouse meanwhile. It paints nothing."""
        self._pane.setGeometry(window.rect())
        self._pane.show()

    def picture(self, time: float) -> QImage:
        if self._bridge.framer is not self._framer:
            raise InputError(
                "the film", expected="the run with which it began", found="another one: it was edited",
                remedy="film it again, and leave the window alone meanwhile",
                topic="errors#exports",
            )  # fmt: skip
        self._bridge.hold(time)
        self._bridge.tick()
        return fitted(self.window.grab().toImage(), *self._size, self.window.theme.window)

    def close(self) -> None:
        self._pane.hide()
        self._pane.deleteLater()
        self.window.board.axis.patient = False
        if self._bridge.framer is self._framer:
            self._bridge.hold(None)
            if self._played:
                self._bridge.send(Play())


class _RestingWorker:
    """In the place of a worker, for a run that is computed."""

    fault: BaseException | None = None

    def __init__(self, simulation: Simulation, at: Snapshot | None) -> None:
        self.snapshot = replace(at or Snapshot(playing=False), duration=simulation.duration)

    def submit(self, command: Command) -> None:
        """Nothing moves."""


class StagedWindow(WindowTake):
    """The window of a computed run, never on a screen, as `look` has it in that size."""

    def __init__(self, run: Simulation, plan: FilmPlan, look: Look, patience: float = PATIENCE) -> None:
        saved = Session(run.preset, look)
        self._document = Document(state_of(saved))
        window = MainWindow(self._document, ACTS, theme=THEMES[look.theme])
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        scale = max(_SHORTEST / plan.height, 1.0) / window.devicePixelRatioF()
        window.resize(round(plan.width * scale), round(plan.height * scale))
        window.show()
        resting = _RestingWorker(run, snapshot_of(saved))
        self._of_run = bridge = Showing(run, resting, self._document.state.display, window.listeners)
        super().__init__(window, bridge, plan)
        bridge.introduce()
        window.dress(look)
        give_up = time.monotonic() + patience
        QApplication.processEvents()
        window.dress(look)  # in the size that its parts have now
        window.show_theme(window.theme)  # all parts are there
        while bridge.behind and time.monotonic() < give_up:
            time.sleep(0.005)
            bridge.tick()
        QApplication.processEvents()
        window.scroll_to(look.scrolled)
        QApplication.processEvents()
        window.grab()  # plots know where their curves end when these are drawn,
        bridge.tick()  # and from the next frame on keep room for names there

    def close(self) -> None:
        self._of_run.close()
        self._document.close()
        self.window.shut_down()
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def take_of_window(window: MainWindow, bridge: Showing, plan: FilmPlan, look: Look) -> WindowTake:
    """The window as it stands, or laid out anew in the size of the film, seen as `look` says."""
    if in_own_size(window, plan):
        return WindowTake(window, bridge, plan)
    return StagedWindow(bridge.framer.simulation, plan, look, _PATIENCE_LIVE)
