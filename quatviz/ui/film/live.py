"""What can be filmed of the window that a person has before them."""

from __future__ import annotations

from quatviz.export.film.plan import FilmPlan
from quatviz.ui.bridge import Bridge
from quatviz.ui.film.stage import StagedWindow
from quatviz.ui.film.takes import Take, ViewTake, WindowTake
from quatviz.ui.main_window import MainWindow
from quatviz.ui.theme import Theme


class Takes:
    """Of a window and the run that it shows."""

    def __init__(self, window: MainWindow, bridge: Bridge) -> None:
        self._window, self._bridge = window, bridge

    @property
    def window_size(self) -> tuple[int, int]:
        """Of the window [device pixels]."""
        size = self._window.size() * self._window.devicePixelRatioF()
        return size.width(), size.height()

    def is_own_size(self, plan: FilmPlan) -> bool:
        """Whether a film has the window's own size, but for a pixel that makes it even."""
        own = self.window_size
        return abs(plan.width - own[0]) <= 1 and abs(plan.height - own[1]) <= 1

    def take(self, window: bool, plan: FilmPlan, theme: Theme) -> Take:
        """The window as it stands, or laid out anew in the size of the film; or its views, which are seen in this theme."""
        if not window:
            return ViewTake(self._bridge.framer, theme, plan, self._window.views)
        if self.is_own_size(plan):
            return WindowTake(self._window, self._bridge, plan)
        framer = self._bridge.framer
        return StagedWindow(framer.simulation, self._window.theme, plan, (self._window, self._bridge))
