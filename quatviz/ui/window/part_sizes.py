"""Widths and scroll positions of the window's parts."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QScrollBar, QSplitter, QWidget

from quatviz.display.view_state.view_state import (
    OVERVIEW_DIVISION,
    PLOTS_WIDTH,
    SIDE_WIDTH,
    VIEWS_WIDTH,
    ViewState,
)
from quatviz.display.view_state.view_store import ViewStore
from quatviz.ui.sidebar.column import SideColumn


class PartWidths(QObject):
    """Widths of side column, 3D views and plots. Widths that the user has dragged are stored in the view state.

    During a lesson the lesson sets the widths, and nothing is restored or stored. When the window is resized, the side column
    keeps its width and the other parts share the change.
    """

    def __init__(self, splitter: QSplitter, side: SideColumn, views: QWidget, store: ViewStore) -> None:
        super().__init__(splitter)
        self._splitter, self._side, self._views, self._store = splitter, side, views, store
        self._side_width = SIDE_WIDTH
        """Width of the side column that the user has chosen [pixels]. The actual width is larger if the text in the column
        requires it."""
        splitter.splitterMoved.connect(self._store_widths)
        side.layout_changed.connect(self._shrink_side)

    def restore(self) -> None:
        """Apply the widths requested by the overview or the preset, else the user's widths, else the defaults."""
        if not self._store.is_recording:
            return
        state = self._store.state
        self._side_width, *others = (
            _wanted_division(state) or state.splitter or (SIDE_WIDTH, VIEWS_WIDTH, PLOTS_WIDTH)
        )
        self._resize(others)

    def follow(self, old: ViewState, new: ViewState) -> None:
        """Apply the widths of the new view state if they have changed."""
        requested = _wanted_division(new)
        if requested != _wanted_division(old) or (new.splitter != old.splitter and not requested):
            self.restore()

    def _resize(self, others: list[int]) -> None:
        side, splitter = self._side_width, self._splitter
        if splitter.isVisible():
            remaining = max(sum(splitter.sizes()) - side, 1)
            others = [round(remaining * width / max(sum(others), 1)) for width in others]
        else:  # behind the start page the splitter has no size and would split it equally
            splitter.resize(side + sum(others), splitter.height())
        splitter.setSizes([side, *others])

    def _shrink_side(self) -> None:
        """Reduce the side column to its chosen width when its text no longer requires more."""
        side, *others = self._splitter.sizes()[-3:]
        if self._store.is_recording and side > max(self._side_width, self._side.minimumSizeHint().width()):
            self._resize(others)

    def _store_widths(self, _: int, handle: int) -> None:
        """Store the widths that the user has dragged. Nothing is stored while the overview or the preset determines the
        widths."""
        if not self._store.is_recording:
            return
        widths = self._splitter.sizes()
        if handle == self._splitter.indexOf(self._views):
            self._side_width = widths[0]
        if not _wanted_division(self._store.state):
            self._store.update(splitter=(self._side_width, *widths[1:]))


def _wanted_division(state: ViewState) -> tuple[int, ...]:
    """Return the widths of side column, 3D views and plots that the overview or the preset requests, or () if neither does."""
    return OVERVIEW_DIVISION if state.overview else state.division


class ScrollPositions(QObject):
    """Scroll positions of the window's parts. They are stored in the view state and restored from it."""

    def __init__(
        self, get_bars: Callable[[], Sequence[QScrollBar]], store: ViewStore, parent: QObject
    ) -> None:
        """Create the object. `get_bars` returns the current scroll bars, because Qt may replace them."""
        super().__init__(parent)
        self._get_bars, self._store = get_bars, store
        for bar in get_bars():
            for signal in (bar.valueChanged, bar.rangeChanged):
                signal.connect(lambda *_: store.update(scrolled=self._shares()))

    def restore(self, shares: Sequence[float]) -> None:
        """Set each scroll bar to its fraction in `shares`, from 0 (start) to 1 (end)."""
        for bar, share in zip(self._get_bars(), shares, strict=False):
            bar.setValue(round(share * bar.maximum()))

    def follow(self, old: ViewState, new: ViewState) -> None:
        """Apply the scroll positions of the new view state if they have changed."""
        requested = self._store.state.scrolled
        if new.scrolled != old.scrolled and requested != self._shares():
            self.restore(requested)

    def _shares(self) -> tuple[float, ...]:
        return tuple(min(bar.value() / max(bar.maximum(), 1), 1.0) for bar in self._get_bars())
