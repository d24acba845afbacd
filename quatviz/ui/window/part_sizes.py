"""How wide the parts of the window are, and how far down they are scrolled."""

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
    """Gives the side column, the 3D views and the plots their widths, and stores those that a person draws.

    While a lesson has the window, the widths are the lesson's: nothing is restored or stored then. In a window of another width
    the side column keeps its own, and views and plots share the remaining width.
    """

    def __init__(self, splitter: QSplitter, side: SideColumn, views: QWidget, store: ViewStore) -> None:
        super().__init__(splitter)
        self._splitter, self._side, self._views, self._store = splitter, side, views, store
        self._side_width = SIDE_WIDTH
        """Width of the side column as it was chosen; it has more where its words need more."""
        splitter.splitterMoved.connect(self._store_widths)
        side.layout_changed.connect(self._shrink_side)

    def restore(self) -> None:
        """Give the parts the widths that the run wants, or the user's, or those of a first start."""
        if not self._store.is_recording:
            return
        state = self._store.state
        self._side_width, *others = (
            _wanted_division(state) or state.splitter or (SIDE_WIDTH, VIEWS_WIDTH, PLOTS_WIDTH)
        )
        self._resize(others)

    def follow(self, old: ViewState, new: ViewState) -> None:
        """Show the widths of a view state that has changed."""
        requested = _wanted_division(new)
        if requested != _wanted_division(old) or (new.splitter != old.splitter and not requested):
            self.restore()

    def _resize(self, others: list[int]) -> None:
        side, splitter = self._side_width, self._splitter
        if splitter.isVisible():
            remaining = max(sum(splitter.sizes()) - side, 1)
            others = [round(remaining * width / max(sum(others), 1)) for width in others]
        else:  # behind the start page it has no room yet, and would make three of a kind of what it has
            splitter.resize(side + sum(others), splitter.height())
        splitter.setSizes([side, *others])

    def _shrink_side(self) -> None:
        """Give the side column no more than was chosen, once its words need no more: larger type may have widened it."""
        side, *others = self._splitter.sizes()[-3:]
        if self._store.is_recording and side > max(self._side_width, self._side.minimumSizeHint().width()):
            self._resize(others)

    def _store_widths(self, _: int, handle: int) -> None:
        """A splitter handle was dragged. Widths that the run or the overview wants are not the user's."""
        if not self._store.is_recording:
            return
        widths = self._splitter.sizes()
        if handle == self._splitter.indexOf(self._views):
            self._side_width = widths[0]
        if not _wanted_division(self._store.state):
            self._store.update(splitter=(self._side_width, *widths[1:]))


def _wanted_division(state: ViewState) -> tuple[int, ...]:
    """Return the widths that the overview, or the run, wants in the place of the user's; () if they want none."""
    return OVERVIEW_DIVISION if state.overview else state.division


class ScrollPositions(QObject):
    """Stores how far down the parts of a window are scrolled, and scrolls them where that changes."""

    def __init__(
        self, get_bars: Callable[[], Sequence[QScrollBar]], store: ViewStore, parent: QObject
    ) -> None:
        """`get_bars` returns the scroll bars as they are now: Qt does not keep those that were asked for earlier."""
        super().__init__(parent)
        self._get_bars, self._store = get_bars, store
        for bar in get_bars():
            for signal in (bar.valueChanged, bar.rangeChanged):
                signal.connect(lambda *_: store.update(scrolled=self._shares()))

    def restore(self, shares: Sequence[float]) -> None:
        """Scroll the parts down to these fractions of their heights."""
        for bar, share in zip(self._get_bars(), shares, strict=False):
            bar.setValue(round(share * bar.maximum()))

    def follow(self, old: ViewState, new: ViewState) -> None:
        """Show the positions of a view state that has changed."""
        requested = self._store.state.scrolled
        if new.scrolled != old.scrolled and requested != self._shares():
            self.restore(requested)

    def _shares(self) -> tuple[float, ...]:
        return tuple(min(bar.value() / max(bar.maximum(), 1), 1.0) for bar in self._get_bars())
