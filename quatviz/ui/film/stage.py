"""A run with no window on the screen: what `quatviz render` paints."""

from __future__ import annotations

import time

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication

from quatviz.export.film.plan import FilmPlan
from quatviz.simulation.commands import Command
from quatviz.simulation.runner import Snapshot
from quatviz.simulation.simulation import Simulation
from quatviz.ui.bridge import Bridge, run_info
from quatviz.ui.display import Display
from quatviz.ui.editing import Editor, State
from quatviz.ui.film.takes import ViewTake, WindowTake
from quatviz.ui.framer import Framer
from quatviz.ui.main_window import MainWindow
from quatviz.ui.theme import Theme

_PATIENCE = 60.0
"""Seconds for the curves of a run to be reduced, which takes one for a million samples."""
_SHORTEST = 900
"""Height of the lowest window that is laid out, as at a first start; for a smaller picture it is scaled down."""


class RestingWorker:
    """In the place of a worker, for a run that is computed."""

    fault: BaseException | None = None

    def __init__(self, simulation: Simulation) -> None:
        self.snapshot = Snapshot(duration=simulation.duration, playing=False)

    def submit(self, command: Command) -> None:
        """Nothing moves."""


class StagedView(ViewTake):
    """The 3D view of a computed run, as at a first start."""

    def __init__(self, simulation: Simulation, theme: Theme, plan: FilmPlan) -> None:
        display = Display.of(len(simulation.lanes))
        framer = Framer(simulation, run_info(simulation, display), display)
        give_up = time.monotonic() + _PATIENCE
        framer.columns.refresh()
        while framer.columns.behind and time.monotonic() < give_up:
            time.sleep(0.005)
            framer.columns.refresh()
        framer.columns.close()
        super().__init__(framer, theme, plan)


class StagedWindow(WindowTake):
    """The window of a computed run, laid out as at a first start and never on a screen."""

    def __init__(self, simulation: Simulation, theme: Theme, plan: FilmPlan) -> None:
        editor = Editor(State.of(simulation.preset), lambda state: None)
        self.window = window = MainWindow(theme, editor)
        self._editor = editor
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        scale = max(_SHORTEST / plan.height, 1.0) / window.devicePixelRatioF()
        window.resize(round(plan.width * scale), round(plan.height * scale))
        window.show()
        self._of_run = Bridge(simulation, RestingWorker(simulation), window.listeners)
        super().__init__(window, self._of_run, plan)
        self._of_run.introduce()
        give_up = time.monotonic() + _PATIENCE
        QApplication.processEvents()
        while self._of_run.behind and time.monotonic() < give_up:
            time.sleep(0.005)
            self._of_run.tick()
        QApplication.processEvents()

    def close(self) -> None:
        self._of_run.stop()
        self._editor.close()
        self.window.shut_down()
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
