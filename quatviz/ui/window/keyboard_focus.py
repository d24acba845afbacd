"""Movement of the keyboard focus between the panes of the window."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QMainWindow, QSplitter, QWidget
from shiboken6 import isValid

from quatviz.ui.widgets.focus import next_tab_stop, scroll_into_view


class KeyboardFocus(QObject):
    """Commands that move the keyboard focus between the panes of a window.

    If the window itself has the focus, the focus moves to a neighbor of the widget that had it before.
    """

    def __init__(self, window: QMainWindow, splitters: Sequence[QSplitter], last_part: QWidget) -> None:
        """Create the object. The panes are the widgets of the splitters, except nested splitters, followed by `last_part`."""
        super().__init__(window)
        self._window, self._splitters, self._last_part = window, splitters, last_part
        self._last_focus: QWidget | None = None
        """The widget that had the focus before the window itself got it."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._remember_focus)

    def press_or(self, otherwise: Callable[[], object]) -> None:
        """Press the focused button or open the focused choice box. If neither has the focus, call `otherwise`."""
        focused = self._window.focusWidget()
        if isinstance(focused, QAbstractButton):
            focused.click()
        elif isinstance(focused, QComboBox):
            focused.showPopup()
        else:
            otherwise()

    def focus_menu_bar(self) -> None:
        """Focus the menu bar. In full screen, where it is hidden, toggle its visibility."""
        bar = self._window.menuBar()
        bar.setVisible(not self._window.isFullScreen() or not bar.isVisible())
        if not bar.isVisible():
            return
        bar.setFocus()
        bar.setActiveAction(bar.actions()[0])

    def focus_part(self, by: int) -> None:
        """Focus the first tab stop of the next (+1) or previous (-1) pane."""
        parts, focus = [part for part in self._parts() if part.isVisible()], self._window.focusWidget()
        at = next(
            (number for number, part in enumerate(parts) if part.isAncestorOf(focus or self._window)), None
        )
        start = at + by if at is not None else min(by, 0)
        for step in range(len(parts)):
            part = parts[(start + by * step) % len(parts)]
            first = next_tab_stop(part, container=part)
            if first is not None:
                first.setFocus(Qt.FocusReason.TabFocusReason)
                scroll_into_view(first)
                return

    def focus_from_window(self, on: bool) -> bool:
        """Move the focus from the window to the next (`on` True) or previous neighbor of the widget that had it before.
        Return False if there is none."""
        if self._window.focusWidget() not in (None, self._window):
            return False
        origin = self._last_focus
        neighbor = next_tab_stop(origin, on) if origin is not None and isValid(origin) else None
        if neighbor is None:
            return False
        neighbor.setFocus(Qt.FocusReason.TabFocusReason if on else Qt.FocusReason.BacktabFocusReason)
        return True

    def _parts(self) -> Iterator[QWidget]:
        for splitter in self._splitters:
            for number in range(splitter.count()):
                part = splitter.widget(number)
                if part is not None and part not in self._splitters:
                    yield part
        yield self._last_part

    def _remember_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is self._window and old is not None and self._window.isAncestorOf(old):
            self._last_focus = old
