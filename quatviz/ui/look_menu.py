"""The part of the View menu that says how the window looks: theme, size of everything, and back to the beginning."""

from __future__ import annotations

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from quatviz.ui.main_window import MainWindow
from quatviz.ui.settings import SCALES, Settings
from quatviz.ui.theme import THEMES
from quatviz.ui.tr import tr


class LookMenu:
    """Adds itself to `menu`. A theme is put on at once; a size needs a start, which the status row says."""

    def __init__(self, window: MainWindow, settings: Settings, menu: QMenu) -> None:
        self._window, self._settings = window, settings
        menu.addSeparator()
        self.themes = _Choice(menu.addMenu(tr("Theme")))
        for name, theme in THEMES.items():
            action = self.themes.add(tr(name.capitalize()), name)
            action.triggered.connect(lambda _=False, theme=theme: window.restyle(theme))
        self.sizes = _Choice(menu.addMenu(tr("Size of everything")))
        for scale in SCALES:
            action = self.sizes.add(f"{scale} %", str(scale))
            action.triggered.connect(lambda _=False, scale=scale: self._resize(scale))
        self.reset = menu.addAction(tr("Reset layout and look"))
        self.reset.triggered.connect(self._reset)
        menu.aboutToShow.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Check what is chosen now."""
        self.themes.check(self._window.theme.name)
        self.sizes.check(str(self._settings.scale()))

    def _resize(self, scale: int) -> None:
        self._settings.set_scale(scale)
        self._window.say(tr("At the next start everything is shown at {scale} %", scale=scale))

    def _reset(self) -> None:
        self._settings.reset(self._window)
        self.follow()


class _Choice:
    """A menu in which one thing is checked."""

    def __init__(self, menu: QMenu) -> None:
        self._menu = menu
        self._group = QActionGroup(menu)
        self.actions: dict[str, QAction] = {}

    def add(self, text: str, key: str) -> QAction:
        action = self._group.addAction(self._menu.addAction(text))
        action.setCheckable(True)
        self.actions[key] = action
        return action

    def check(self, key: str) -> None:
        if key in self.actions:
            self.actions[key].setChecked(True)
