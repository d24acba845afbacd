"""Puts panels where a person wants them: on the board, alone on it, on top of each other, or in windows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtWidgets import QGraphicsItem

from quatviz.ui.arrangement import Arrangement, Place
from quatviz.ui.float_window import FloatWindow
from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.board_view import BoardView
from quatviz.ui.plotting.drop_mark import DropMark
from quatviz.ui.plotting.grid import Grid
from quatviz.ui.plotting.legend_row import LegendRow
from quatviz.ui.plotting.rows import PlainTitle, TitleRow
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_panel import TimePanel
from quatviz.ui.slot import Slot
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr


class Arranger(QObject):
    """Moves the layouts of `slots` between the board's `grid` and windows. It knows where panels stand, not which are
    wanted; `changed` asks for another `arrange`."""

    changed = Signal()
    said = Signal(str)
    menu_wanted = Signal(str, QPoint)
    """A person asks what can be done with a panel, at a place on the screen."""

    def __init__(
        self,
        slots: Sequence[Slot],
        grid: Grid,
        view: BoardView,
        make_window: Callable[[str], FloatWindow],
        theme: Theme,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._slots = {slot.name: slot for slot in slots}
        self._grid, self._view, self._theme = grid, view, theme
        self._make_window = make_window
        self._arrangement = Arrangement(list(self._slots))
        self._places: list[Place] = []
        self._heads: dict[str, TitleRow] = {}
        self._headed: set[str] = set()
        """Panels above which the arranger's own title stands."""
        self._mark = DropMark(theme)
        view.scene().addItem(self._mark)
        self.windows: dict[str, FloatWindow] = {}
        grid.least_width = PlotStyle(theme).least_column
        grid.scroller.resized = self.place
        for slot in slots:
            slot.view = view
            slot.problem.connect(self.dress)

    # What a person can ask for

    @property
    def maximised(self) -> str | None:
        """The panel that has the whole board, if it is there."""
        shown = {name for place in self._places for name in place.names}
        return self._arrangement.maximised if self._arrangement.maximised in shown else None

    def maximise(self, name: str | None) -> None:
        """Give a panel the whole board, or the board back to all."""
        self._arrangement.maximised = name
        self.changed.emit()
        if name is not None:
            title = tr(self._slots[name].kind.title)
            self.said.emit(
                tr("{title} alone: Escape or a double click on its title shows all panels again", title=title)
            )

    def toggle(self, name: str) -> None:
        """What a double click on a title does: as large as possible, or as it was."""
        if name in self.windows:
            self.windows[name].toggle_size()
        else:
            self.maximise(None if self.maximised == name else name)

    def floats(self, name: str) -> bool:
        """Whether a panel has a window of its own."""
        return name in self._arrangement.floating

    def float(self, name: str) -> None:
        """Give a panel a window of its own."""
        self._arrangement.float(name)
        self.changed.emit()

    def dock(self, name: str) -> None:
        """Put a panel back on the board."""
        self._arrangement.dock(name)
        self.changed.emit()

    def together(self, name: str) -> tuple[str, ...]:
        """The panels that share a place with this one, and it."""
        return self._arrangement.together(name)

    def stack(self, name: str, onto: str) -> None:
        """Let a panel share the place of another."""
        self._arrangement.stack(name, onto)
        self.changed.emit()

    def unstack(self, name: str) -> None:
        """Give a panel a place of its own."""
        self._arrangement.unstack(name)
        self.changed.emit()

    def bring_forward(self, name: str) -> None:
        """Show this one of the panels that share its place."""
        self._arrangement.bring_forward(name)
        self.changed.emit()

    def neighbours(self, name: str) -> dict[str, str]:
        """What a panel can change places with: words for the direction, and the panel there."""
        fronts = [place.front for place in self._places]
        if name not in fronts or len(fronts) < 2:
            return {}
        at = fronts.index(name)
        columns = self._grid.columns
        ways = {tr("up"): at - columns, tr("down"): at + columns}
        if columns > 1:
            ways[tr("to the other column")] = at + 1 if at % columns == 0 else at - 1
        return {words: fronts[way] for words, way in ways.items() if 0 <= way < len(fronts)}

    def swap(self, name: str, other: str) -> None:
        """Let two panels change places."""
        self._arrangement.swap(name, other)
        self.changed.emit()

    def reset(self) -> None:
        """The arrangement of a first start."""
        self._arrangement.reset()
        self.changed.emit()

    def text(self) -> str:
        """The arrangement, for remembering."""
        for name, window in self.windows.items():
            self._arrangement.floating[name] = window.box
        return self._arrangement.text()

    def recall(self, text: str) -> None:
        """What `text` said some time ago."""
        self._arrangement.recall(text)
        self.changed.emit()

    # What the board asks for

    @property
    def legends(self) -> list[LegendRow]:
        """The legends of the windows."""
        return [window.legend for window in self.windows.values()]

    @property
    def fronts(self) -> list[str]:
        """The panels that are drawn, in their order: those on the board, then those in windows."""
        return [*(place.front for place in self._places), *self.windows]

    def arrange(self, wanted: Collection[str], info: RunInfo) -> None:
        """Place these panels, in so many windows as it takes."""
        self._places = self._arrangement.places(wanted)
        floating = [name for name in self._arrangement.floating if name in wanted]
        for name in [name for name in self.windows if name not in floating]:
            self._close_window(name)
        self.place()
        for name in floating:
            if name not in self.windows:
                self._open_window(name, info)

    def place(self) -> None:
        """Give the panels on the board their height, which may have changed, and the lowest the times; or all, where
        the lowest may be out of sight."""
        slots = [self._slots[place.front] for place in self._places]
        over_time = [isinstance(slot.panel, TimePanel) for slot in slots]
        crowded = self._grid.crowded([_least(slot) for slot in slots])
        numbered = set(range(len(slots))) if crowded else self._grid.lowest(over_time)
        for number, slot in enumerate(slots):
            if isinstance(slot.panel, TimePanel):
                slot.panel.number_times(number in numbered)
        heads = [self._heads[slot.name] if slot.name in self._headed else None for slot in slots]
        self._grid.place([(slot.layout, slot.weight, head) for slot, head in zip(slots, heads, strict=True)])

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self._mark.restyle(theme)
        style = PlotStyle(theme)
        self._grid.least_width = style.least_column
        for head in self._heads.values():
            head.restyle(style, style.text)
        for window in self.windows.values():
            window.restyle(theme)

    def repaint_soon(self) -> None:
        """Ask for a repaint of every window."""
        for window in self.windows.values():
            window.repaint_soon()

    def shut_down(self) -> None:
        """Close every window."""
        for window in self.windows.values():
            window.discard()
        self.windows = {}

    def _open_window(self, name: str, info: RunInfo) -> None:
        slot = self._slots[name]
        window = self.windows[name] = self._make_window(tr(slot.kind.title))
        # The window is in the middle of closing: it goes when that is over.
        window.closed.connect(lambda: QTimer.singleShot(0, self, partial(self._give_back, name, window)))
        window.legend.start(info)
        slot.view = window.view
        self._move(slot, window.grid)
        window.place_at(self._arrangement.floating[name], slot.weight)
        window.show()

    def _move(self, slot: Slot, grid: Grid) -> None:
        grid.take(slot.layout)
        grid.place([(slot.layout, slot.weight, None)])
        if isinstance(slot.panel, TimePanel):
            slot.panel.number_times(True)
        _forget_view(slot.layout)

    def _give_back(self, name: str, window: FloatWindow) -> None:
        if self.windows.get(name) is window:
            self.dock(name)

    def _close_window(self, name: str) -> None:
        """Take the panel out of its window first: what a scene holds goes with it."""
        window, slot = self.windows.pop(name), self._slots[name]
        if name in self._arrangement.floating:
            self._arrangement.floating[name] = window.box
        window.grid.place([])
        self._grid.take(slot.layout)
        slot.view = self._view
        _forget_view(slot.layout)
        window.discard()

    # Titles

    def dress(self, *_: object) -> None:
        """Give each title its tabs and what it can be asked for."""
        tabs = {place.front: place.names for place in self._places}
        self._headed = set()
        for name, slot in self._slots.items():
            names = tabs.get(name, ())
            row = _title_row(slot)
            if row is None and len(names) > 1:
                row = self._head(slot)
                self._headed.add(name)
            if row is not None:
                shared = names if len(names) > 1 else ()
                row.dress(self, name, tuple((other, tr(self._slots[other].kind.title)) for other in shared))
        self.place()

    def _head(self, slot: Slot) -> TitleRow:
        """A title with tabs for a panel that has no title row of its own."""
        if slot.name not in self._heads:
            self._heads[slot.name] = PlainTitle(PlotStyle(self._theme), tr(slot.kind.title))
        return self._heads[slot.name]

    def drag(self, name: str, at: QPointF) -> None:
        """A person drags a title over a place of the scene."""
        target = self._under(name, at)
        self._mark.show_at(self._slots[target].layout.sceneBoundingRect() if target else None)

    def drop(self, name: str, at: QPointF) -> None:
        """The drag ends there."""
        self._mark.show_at(None)
        target = self._under(name, at)
        if target is not None:
            self.swap(name, target)

    def ask(self, name: str, point: QPoint) -> None:
        """A person clicks a title with the right button."""
        self.menu_wanted.emit(name, point)

    def _under(self, name: str, at: QPointF) -> str | None:
        if name in self.windows:
            return None
        fronts = (place.front for place in self._places if place.front != name)
        return next((one for one in fronts if self._slots[one].layout.sceneBoundingRect().contains(at)), None)


def _least(slot: Slot) -> float:
    """The least height of a panel without the times below it."""
    times = slot.panel.times_height if isinstance(slot.panel, TimePanel) else 0.0
    return float(slot.layout.effectiveSizeHint(Qt.SizeHint.MinimumSize).height()) - times


def _title_row(slot: Slot) -> TitleRow | None:
    return next((item for item in slot.layout.items if isinstance(item, TitleRow)), None)


def _forget_view(item: QGraphicsItem) -> None:
    """Items of pyqtgraph remember the view that they are in."""
    forget = getattr(item, "forgetViewWidget", None)
    if forget is not None:
        forget()
    for child in item.childItems():
        _forget_view(child)
