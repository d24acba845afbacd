"""All plots of the window, their menus, and which of them are shown when."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMenu, QScrollBar, QWidget

from quatviz.base.formatting import range_text
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, RunInfo, Source
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import Panel, Pointed, readings_text
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.choices import Choices
from quatviz.display.view_state.theme import UNIT
from quatviz.display.view_state.view_state import OTHERS, wants
from quatviz.physics.formulations import lane_title
from quatviz.ui.plots.panel_layout import Arranger, FloatWindow, Grid, Ground, Slot
from quatviz.ui.plots.panel_view import Given, Painted, PanelView
from quatviz.ui.plots.rows import LegendRow, add_options
from quatviz.ui.widgets.actions import Acts, add_toggle, pop_up
from quatviz.ui.widgets.controls import IconButton, column


def add_places(menu: QMenu, board: "PlotBoard", name: str) -> None:
    """Offer what can be done with the place of the panel `name`."""
    arranger, arrangement, titles = board.arranger, board.arranger.arrangement, board.titles
    if name in arrangement.floating:
        menu.addAction(tr("Put back on the board"), partial(arrangement.dock, name))
    else:
        if arranger.maximised == name:
            said = board.acts.caption("escape", tr("Show all panels"))
            menu.addAction(said, partial(arrangement.maximise, None))
        else:
            said = f"{tr('Enlarge this panel')}\t{tr('Double click')}"
            menu.addAction(said, partial(arranger.maximise, name))
        menu.addAction(tr("In a window of its own"), partial(arrangement.float, name))
        _add_stacking(menu, board, name)
        ways = {} if arranger.maximised else arranger.neighbours(name)
        for words, other in ways.items():
            menu.addAction(tr("Move {words}", words=words), partial(arrangement.swap, name, other))
    menu.addAction(tr("Hide {title}", title=titles[name]), partial(board.show_panel, name, False))


def _add_stacking(menu: QMenu, board: "PlotBoard", name: str) -> None:
    arrangement, titles = board.arranger.arrangement, board.titles
    together = arrangement.together(name)
    others = [
        other for other in titles if other not in (*together, *arrangement.floating) and board.shows(other)
    ]
    if others:
        stack = menu.addMenu(tr("Stack onto"))
        for other in others:
            stack.addAction(titles[other], partial(arrangement.stack, name, other))
    if len(together) > 1:
        menu.addAction(tr("Unstack"), partial(arrangement.unstack, name))


def add_range(menu: QMenu, board: "PlotBoard") -> None:
    """Offer what can be done with the selected times, if there are any."""
    axis = board.axis
    if axis.selected is None:
        menu.addAction(tr("Select times: drag with Shift")).setEnabled(False)
        return
    menu.addSection(range_text(*axis.selected, axis.drag.sample))
    board.acts.add(menu, "zoom_range", "loop_range", "clear_range")


def board_menu(board: "PlotBoard") -> QMenu:
    """The menu of the button in the corner: panels first."""
    menu, acts = QMenu(board), board.acts
    add_panels(menu, board)
    menu.addSeparator()
    _add_comparison(menu, board)
    menu.addSeparator()
    acts.add(menu, *_OF_AXIS)
    add_range(menu, board)
    menu.addSeparator()
    acts.add(menu, "copy")
    menu.addSeparator()
    acts.add(menu, *_EXPORTS, "arrange")
    return menu


def panel_menu(board: "PlotBoard", panel: PanelView) -> QMenu:
    """The menu of one panel, at a right click."""
    menu, acts = QMenu(board), board.acts
    menu.addAction(tr("Copy values at cursor"), partial(board.copy_values, panel))
    menu.addAction(acts.caption("copy", tr("Copy values of all panels")), acts["copy"].trigger)
    acts.add_of(menu, "copy_picture", panel.name)
    menu.addSeparator()
    acts.add_of(menu, _EXPORTS[0], panel.name)
    acts.add(menu, *_EXPORTS[1:])
    menu.addSeparator()
    for choice in panel.panel.offered(board.info) if board.info is not None else ():
        add_options(menu.addMenu(tr(choice.title)), choice, board.choices)
    _add_comparison(menu, board)
    menu.addSeparator()
    acts.add(menu.addMenu(tr("Time axis")), *_OF_AXIS)
    add_range(menu, board)
    menu.addSeparator()
    add_places(menu, board, panel.name)
    add_panels(menu.addMenu(tr("Panels")), board)
    return menu


def place_menu(board: "PlotBoard", name: str) -> QMenu:
    """The menu of a panel that does not work."""
    menu = QMenu(board)
    add_places(menu, board, name)
    add_panels(menu.addMenu(tr("Panels")), board)
    return menu


_OF_AXIS = ("fit_time", "zoom_in", "zoom_out", "follow")
_EXPORTS = ("export_figure", "export_data", "export_page", "export_film")


def add_panels(menu: QMenu, board: "PlotBoard") -> None:
    """The toggles of all panels."""
    for name, title in board.titles.items():
        add_toggle(menu, title, board.shows(name), partial(board.show_panel, name))


def add_references(menu: QMenu, board: "PlotBoard") -> None:
    """The lanes that others can be compared with."""
    for lane in board.lanes:
        chosen = lane == board.choices.reference
        add_toggle(menu, lane_title(lane), chosen, lambda _, lane=lane: board.choices.set_reference(lane))


def _add_comparison(menu: QMenu, board: "PlotBoard") -> None:
    board.acts.add(menu, "difference")
    add_references(menu.addMenu(tr("Reference lane")), board)


class PlotBoard(Ground):
    """All panels of `kinds` (by default those of the registry), in their `order`.

    A panel is seen if it concerns the run, unless a person has said otherwise (`show_panel`).
    """

    seek_requested = Signal(float)
    problem = Signal(str)
    said = Signal(str)

    def __init__(
        self, acts: Acts[Any], parent: QWidget | None = None, kinds: Iterable[type[Panel]] | None = None
    ) -> None:
        super().__init__(parent)
        self.axis = TimeAxis()
        self.choices = Choices()
        self.acts = acts
        self._source: Source | None = None
        self._frame: Frame | None = None
        self._last: object = None
        self._steady: object = None
        """What stays the same from frame to frame while only the cursor and the curves move."""
        self._weights: list[float] = []
        self._wanted: dict[str, bool] = {}
        self.legend = LegendRow(self, self.choices)
        self._grid = Grid()
        self.setLayout(column(self.legend, (self._grid, 1), margins=UNIT))
        self.setAccessibleName(tr("Plots"))
        self.setMinimumSize(35 * UNIT, 240)
        ordered = sorted(
            PANELS.values() if kinds is None else kinds, key=lambda kind: (kind.order, kind.name)
        )
        slots = [Slot(kind, self._given, self._grid.content) for kind in ordered]
        self._slots = {slot.name: slot for slot in slots}
        self.arranger = Arranger(slots, self._grid, self._make_window, self)
        for slot in slots:
            slot.problem.connect(self.problem)
            slot.menu_wanted.connect(lambda point, name=slot.name: self._offer_place(name, point))
            slot.adopt()
        self.arranger.arrangement.changed.connect(self._show_wanted)
        self.arranger.said.connect(self.said)
        self.axis.changed.connect(self._draw)
        self.axis.pointed_changed.connect(self.repaint_soon)
        self.axis.selected_changed.connect(self.repaint_soon)
        self.choices.changed.connect(self._renew)
        said = tr("Panels, comparison and copying")
        self._button = IconButton("panels", said, self._offer_all, parent=self)

    @property
    def bar(self) -> QScrollBar:
        """Which part of the columns is seen, where they are higher than the board."""
        return self._grid.verticalScrollBar()

    @property
    def panels(self) -> list[PanelView]:
        """The views of the panels that work and are drawn, in the order of their places."""
        slots = (self._slots[name] for name in self.arranger.fronts)
        return [slot.view for slot in slots if slot.view is not None and slot.seen]

    @property
    def titles(self) -> dict[str, str]:
        """Every panel's title by name, in their order."""
        return {slot.kind.name: tr(slot.kind.title) for slot in self._slots.values()}

    @property
    def info(self) -> RunInfo | None:
        """Of the run that is shown."""
        return self._source.info if self._source is not None else None

    @property
    def lanes(self) -> tuple[str, ...]:
        return self._source.info.lanes if self._source is not None else ()

    def start(self, source: Source) -> None:
        """A run begins. A panel that had failed gets another chance."""
        before, info = self._source, source.info
        self._source, self._frame = source, None
        keep = before is not None and before.info.title == info.title
        self.axis.start(info.duration, info.sample_interval, info.events, keep)
        self.choices.start(info)
        for legend in self._legends:
            legend.start(info)
        for slot in self._slots.values():
            slot.late = info.passing and (slot.begun or slot.late)
            slot.seen = slot.begun = False
        self._show_wanted()
        for slot in self._slots.values():
            if not (slot.seen or slot.late):
                slot.shown = None
                slot.call("forget")

    def show_frame(self, frame: Frame) -> None:
        """Show `frame` in every panel where it is read; new rows come by turns while the run plays."""
        self._frame, self.axis.budget = frame, frame.budget
        self.axis.take_range(frame.selected)
        if self._source is None:
            return
        for slot in [slot for slot in self._slots.values() if slot.seen and slot.late]:
            view = slot.view
            if view is not None and view.waits(self._source.info):
                continue
            if view is None or frame.budget.starts.grants(slot.name, view.moving):
                self._begin(slot)
                self._last = None
        lanes = tuple((lane.name, lane.visible, lane.status) for lane in frame.lanes)
        steady = (frame.generation, frame.duration, frame.playing, lanes)
        grown = tuple(lane.computed_to for lane in frame.lanes)
        key = (steady, frame.time, frame.taken, grown, frame.reads)
        if key != self._last or any(
            slot.view is not None and slot.view.owes for slot in self._slots.values()
        ):
            at_once, self._last, self._steady = steady != self._steady or frame.reads, key, steady
            self.axis.extend(frame.duration)
            self.axis.follow(frame.time, frame.heading)
            for legend in self._legends:
                legend.show_lanes(frame.lanes, frame.reads)
            seen = [slot for slot in self._slots.values() if slot.seen and slot.begun]
            slots = [slot for slot in seen if at_once or self._has_turn(slot, frame)]
            if frame.reads:
                frame.budget.plots = sum(slot.view.moving for slot in seen if slot.view is not None)
            for slot in slots:
                slot.shown = frame
                slot.call("show_frame", frame)
            if slots:
                self._weigh()
        self._draw()

    def _has_turn(self, slot: Slot, frame: Frame) -> bool:
        """Whether a panel is shown a frame that is not read: its first one, or to take in the rows that it owes since the last
        one that was."""
        if slot.view is None or slot.shown is None:
            return slot.view is not None
        return slot.view.owes and frame.budget.takes.grants(slot.name, slot.view.moving)

    def _draw(self) -> None:
        """Let the panels draw anew what is due, as far as the frame has time for it: none where it is read and plays."""
        self._keep_asides()
        budget = self.axis.budget
        for slot in () if budget.playing and budget.reads and not budget.coarse else self._slots.values():
            if slot.seen and slot.begun:
                slot.call("draw", budget)

    def _keep_asides(self) -> None:
        """Let all plots of a column keep as much free beside them as one of them wants."""
        wanted: dict[object, float] = {}
        for slot in (seen := [slot for slot in self._slots.values() if slot.seen and slot.begun]):
            place, wide = (slot.window(), slot.x()), slot.view.wanted_aside if slot.view is not None else 0.0
            wanted[place] = max(wide, wanted.get(place, 0.0))
        for slot in seen:
            slot.call("keep_aside", wanted[slot.window(), slot.x()])

    def _weigh(self) -> None:
        """Place the panels anew where they want another height."""
        weights = [slot.weight for slot in self._slots.values() if slot.seen]
        if weights != self._weights:
            self._weights = weights
            self.arranger.place()

    def follow_theme(self) -> None:
        QTimer.singleShot(0, self, self.arranger.place)  # when its parts have followed too

    def recolour(self) -> None:
        """The lanes of the run have other colours."""
        if self._source is not None:
            for legend in self._legends:
                legend.start(self._source.info)
            for slot in self._slots.values():
                slot.follow_theme()

    def shutdown(self) -> None:
        """Close every panel; the board draws nothing afterwards."""
        for slot in self._slots.values():
            slot.end()
        self.arranger.shut_down()
        self._source = None

    # What a person can ask for

    def shows(self, name: str) -> bool:
        """Whether a panel is to be seen in this run."""
        concerned = self._source is None or self._slots[name].kind.concerns(self._source.info)
        return wants(self._wanted, name, concerned)

    def show_panel(self, name: str, on: bool) -> None:
        """Show or hide a panel from now on, whatever the run."""
        self._wanted[name] = on
        self._show_wanted()

    @property
    def wanted(self) -> dict[str, bool]:
        """Which panels a person wants to see, or not, whatever the run."""
        return dict(self._wanted)

    def show_panels(self, wanted: Mapping[str, bool]) -> None:
        """Show and hide panels as a person wants them; the others where they concern the run."""
        self._wanted = {name: on for name, on in wanted.items() if name in (*self.titles, OTHERS)}
        self._show_wanted()

    def values_text(self, panel: PanelView | None = None) -> str:
        """The numbers at the cursor of one panel, or of all that are seen, as text with tabs."""
        panels = self.panels if panel is None else [panel]
        time = self._frame.time if self._frame is not None else 0.0
        return readings_text((reading for one in panels for reading in one.readings()), time)

    def copy_values(self, panel: PanelView | None = None) -> None:
        """Put `values_text` on the clipboard."""
        QGuiApplication.clipboard().setText(self.values_text(panel))

    def set_highlight(self, pointed: Pointed | None) -> None:
        """Let the curves of this stand out, and the panels without any fade; none where it is None, or nobody shows it."""
        told = {slot: bool(slot.call("point_at", pointed)) for slot in self._slots.values() if slot.seen}
        for slot, own in told.items():
            slot.fade(not own and any(told.values()))
        self._draw()

    def repaint_soon(self) -> None:
        """Ask for one repaint of every plot; Qt merges requests that come before it."""
        for plot in (
            plot for slot in self._slots.values() if slot.seen for plot in slot.findChildren(Painted)
        ):
            plot.update()  # a slot that is covered by what it holds is not painted at all

    def escape(self) -> None:
        """Give the board back to all panels, or else forget what is selected."""
        if self.arranger.maximised is not None:
            self.arranger.arrangement.maximise(None)
        elif self.axis.selected is not None:
            self.axis.range_wanted.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.legend.fit()
        self._button.resize(self._button.sizeHint())
        self._button.move(self.width() - self._button.width() - UNIT, UNIT)

    def _offer_all(self) -> None:
        pop_up(board_menu(self), self._button)

    def _offer_place(self, name: str, point: QPoint) -> None:
        panel = self._slots[name].view
        pop_up(place_menu(self, name) if panel is None else panel_menu(self, panel), point)

    def _show_wanted(self) -> None:
        """Begin or end to show panels, as the run and the person want."""
        if self._source is None:
            return
        wanted = {slot.name for slot in self._slots.values() if self.shows(slot.name)}
        self.arranger.arrange(wanted, self._source.info)
        for slot in self._slots.values():
            if slot.view is None and slot.name not in wanted:
                slot.begun = False  # one that failed gets another chance when it is shown again
            slot.seen = slot.name in self.arranger.fronts
            if slot.seen and not slot.begun and not slot.late:
                self._begin(slot)
        self.arranger.dress()
        self._renew()
        if self._frame is not None:
            self.show_frame(self._frame)

    def _begin(self, slot: Slot) -> None:
        """Let a panel show the run."""
        slot.begun, slot.late, slot.shown = True, False, None
        if slot.view is None:
            slot.adopt()
        slot.call("start", self._source)

    def _renew(self) -> None:
        """Show the next frame whatever it is."""
        self._last = self._steady = None
        self.arranger.place()

    @property
    def _legends(self) -> list[LegendRow]:
        return [self.legend, *self.arranger.legends]

    def _make_window(self, title: str) -> FloatWindow:
        window = FloatWindow(title, self.choices, self)
        window.escaped.connect(self.escape)
        return window

    def _given(self, slot: Slot) -> Given:
        """What a view that is about to be made shares with the others."""
        return Given(
            slot, self.axis, self.choices, self.seek_requested.emit, slot.menu_wanted.emit, slot.faulted.emit
        )
