"""Switching of the window's theme."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from quatviz.display.view_state.theme import THEMES, Theme
from quatviz.display.view_state.view_state import ViewState
from quatviz.display.view_state.view_store import ViewStore
from quatviz.ui.widgets.style import apply_theme, set_own_theme, theme_of


class ThemeSwitch(QObject):
    """Switch for the theme of a window. The theme follows the view state and can change while the run plays."""

    def __init__(self, window: QWidget, store: ViewStore, has_own_theme: bool) -> None:
        """Create the switch. It sets the theme of this window if `has_own_theme` is True, otherwise that of the whole
        application."""
        super().__init__(window)
        self._window, self._store, self._has_own_theme = window, store, has_own_theme

    @property
    def theme(self) -> Theme:
        """The current theme."""
        return theme_of(self._window)

    def show(self, theme: Theme) -> None:
        """Draw the window in this theme."""
        self._store.update(theme=theme.name)
        if theme != self.theme:
            self._apply(theme)

    def show_next(self) -> None:
        """Draw the window in the next theme of the list."""
        names = list(THEMES)
        self.show(THEMES[names[(names.index(self.theme.name) + 1) % len(names)]])

    def follow(self, old: ViewState, new: ViewState) -> None:
        """Draw the window in the theme of the new view state, if the theme has changed."""
        if new.theme != self.theme.name:
            self._apply(THEMES[new.theme])

    def _apply(self, theme: Theme) -> None:
        app = QApplication.instance()
        if self._has_own_theme:
            set_own_theme(self._window, theme)
        elif isinstance(app, QApplication):
            apply_theme(app, theme)
