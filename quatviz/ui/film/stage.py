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
from quatviz.ui.film.area import look_from
from quatviz.ui.film.takes import ViewTake, WindowTake
from quatviz.ui.framer import Framer
from quatviz.ui.main_window import MainWindow
from quatviz.ui.session_view import dress, view_of
from quatviz.ui.theme import Theme

_PATIENCE = 60.0
"""Seconds for the curves of a run to be reduced, which takes one for a million samples."""
_PATIENCE_LIVE = 5.0
"""The same, while somebody waits at the window."""
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


def _look_like(window: MainWindow, seen: MainWindow, bridge: Bridge) -> None:
    """Show panels, views, times and choices as another window does; the side column keeps its width."""
    window.board.choices.choose_as(seen.board.choices)
    dress(window, view_of(seen, bridge.snapshot, bridge.framer.display))
    window.side.lane_list.show_numbers(seen.side.lane_list.numbered)
    window.board.axis.show_as(seen.board.axis)
    side, *others = seen.splitter.sizes()
    rest = max(window.width() - side, 1)
    window.splitter.setSizes([side, *(round(rest * size / max(sum(others), 1)) for size in others)])
    QApplication.processEvents()
    look_from(window.views, seen.views)


class StagedWindow(WindowTake):
    """The window of a computed run, never on a screen: laid out as at a first start, or like the one that is `seen`, whose
    run it shows."""

    def __init__(
        self,
        simulation: Simulation,
        theme: Theme,
        plan: FilmPlan,
        seen: tuple[MainWindow, Bridge] | None = None,
    ) -> None:
        editor = Editor(State.of(simulation.preset), lambda state: None)
        self.window = window = MainWindow(theme, editor)
        self._editor = editor
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        scale = max(_SHORTEST / plan.height, 1.0) / window.devicePixelRatioF()
        window.resize(round(plan.width * scale), round(plan.height * scale))
        window.show()
        self._of_run = Bridge(simulation, RestingWorker(simulation), window.listeners)
        if seen is not None:
            self._of_run.take(simulation, RestingWorker(simulation), seen[1].framer.display)
        super().__init__(window, self._of_run, plan)
        self._of_run.introduce()
        if seen is not None:
            _look_like(window, *seen)
        give_up = time.monotonic() + (_PATIENCE if seen is None else _PATIENCE_LIVE)
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
