"""The plot board: the grid of all panels, its menus, and the choice of visible panels."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMenu, QScrollBar, QWidget

from quatviz.base.formatting import format_time_range
from quatviz.base.translation import tr
from quatviz.display.data.budget import MAX_LANES_AT_ONCE
from quatviz.display.data.frame import ColumnSource, Frame, RunInfo
from quatviz.display.data.redraws import Redraws
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import HighlightTarget, Panel, is_panel_relevant, readings_text
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.display.view_state.view_state import (
    ViewState,
    is_panel_shown,
    visibility_text,
    with_panel_shown,
)
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.formulations import lane_title
from quatviz.ui.plots.legend_row import LegendRow
from quatviz.ui.plots.measurement import CurveMeasurement, LaneFinder, MeasurementBar, curve_symbol
from quatviz.ui.plots.panel_layout import (
    FloatingPanelWindow,
    PanelGrid,
    PanelHost,
    PanelLayoutManager,
    PlotBackground,
)
from quatviz.ui.plots.panel_view import PanelContext, PanelPaintWidget, PanelView
from quatviz.ui.plots.title_row import add_option_toggles
from quatviz.ui.widgets.actions import ActionRegistry, add_toggle, show_menu
from quatviz.ui.widgets.buttons import IconButton
from quatviz.ui.widgets.layouts import column


def add_placement_actions(menu: QMenu, board: "PlotBoard", name: str) -> None:
    """Add to a menu the actions that move, enlarge, stack or hide a panel."""
    arranger, arrangement, titles = board.arranger, board.arranger.arrangement, board.titles
    if name in arrangement.floating:
        menu.addAction(tr("Dock the panel"), partial(arrangement.dock, name))
    else:
        if arranger.maximised == name:
            text = board.action_registry.caption("escape", tr("Show all panels"))
            menu.addAction(text, partial(arrangement.maximise, None))
        else:
            text = f"{tr('Enlarge this panel')}\t{tr('Double click')}"
            menu.addAction(text, partial(arranger.maximise, name))
        menu.addAction(tr("Open in new window"), partial(arrangement.detach, name))
        _add_stacking_actions(menu, board, name)
        directions = {} if arranger.maximised else arranger.swap_targets(name)
        for direction, other in directions.items():
            menu.addAction(tr("Move {words}", words=direction), partial(arrangement.swap, name, other))
    menu.addAction(tr("Hide {title}", title=titles[name]), partial(board.show_panel, name, False))


def _add_stacking_actions(menu: QMenu, board: "PlotBoard", name: str) -> None:
    arrangement, titles = board.arranger.arrangement, board.titles
    stacked = arrangement.panels_sharing_tab_group(name)
    others = [
        other for other in titles if other not in (*stacked, *arrangement.floating) and board.is_shown(other)
    ]
    if others:
        submenu = menu.addMenu(tr("Stack with panel"))
        for other in others:
            submenu.addAction(titles[other], partial(arrangement.stack_onto, name, other))
    if len(stacked) > 1:
        menu.addAction(tr("Unstack panel"), partial(arrangement.unstack, name))


def add_range_actions(menu: QMenu, board: "PlotBoard") -> None:
    """Add to a menu the actions for the selected time range."""
    axis = board.axis
    if axis.selected is None:
        menu.addAction(tr("Select a time range: Shift-drag")).setEnabled(False)
        return
    menu.addSection(format_time_range(*axis.selected, axis.drag.sample_interval))
    board.action_registry.add_to_menu(menu, "zoom_range", "loop_range", "clear_range")


def board_menu(board: "PlotBoard") -> QMenu:
    """Return the menu of the button in the corner of the board."""
    menu, registry = QMenu(board), board.action_registry
    registry.add_to_menu(menu, "overview")
    menu.addSeparator()
    add_panel_toggles(menu, board)
    menu.addSeparator()
    _add_comparison_actions(menu, board)
    menu.addSeparator()
    registry.add_to_menu(menu, *_TIME_AXIS_ACTIONS)
    add_range_actions(menu, board)
    menu.addSeparator()
    registry.add_to_menu(menu, "measure", "copy")
    menu.addSeparator()
    registry.add_to_menu(menu, *_EXPORT_ACTIONS, "arrange")
    return menu


def panel_menu(board: "PlotBoard", view: PanelView) -> QMenu:
    """Return the context menu of a panel."""
    menu, registry = QMenu(board), board.action_registry
    menu.addAction(tr("Copy values at cursor"), partial(board.copy_values, view))
    menu.addAction(registry.caption("copy", tr("Copy values of all panels")), registry["copy"].trigger)
    registry.add_for_item(menu, "copy_picture", view.name)
    menu.addSeparator()
    trace = board.measurement.take_pointed()
    if trace is not None:
        text = tr("Measure {symbol} of {lane}", symbol=curve_symbol(trace), lane=lane_title(trace.lane))
        menu.addAction(text, partial(board.measurement.select, trace))
    registry.add_to_menu(menu, "measure")
    menu.addSeparator()
    registry.add_for_item(menu, _EXPORT_ACTIONS[0], view.name)
    registry.add_to_menu(menu, *_EXPORT_ACTIONS[1:])
    menu.addSeparator()
    for choice in view.panel.choices_in(board.info) if board.info is not None else ():
        add_option_toggles(menu.addMenu(tr(choice.title)), choice, board.choices)
    _add_comparison_actions(menu, board)
    menu.addSeparator()
    registry.add_to_menu(menu.addMenu(tr("Time axis")), *_TIME_AXIS_ACTIONS)
    add_range_actions(menu, board)
    menu.addSeparator()
    add_placement_actions(menu, board, view.name)
    add_panel_toggles(menu.addMenu(tr("Panels")), board)
    return menu


def failed_panel_menu(board: "PlotBoard", name: str) -> QMenu:
    """Return the context menu of a panel that has failed with an exception."""
    menu = QMenu(board)
    add_placement_actions(menu, board, name)
    add_panel_toggles(menu.addMenu(tr("Panels")), board)
    return menu


_TIME_AXIS_ACTIONS = ("fit_time", "zoom_in", "zoom_out", "follow")
_EXPORT_ACTIONS = ("export_figure", "export_data", "export_page", "export_film")


def add_panel_toggles(menu: QMenu, board: "PlotBoard") -> None:
    """Add to a menu a toggle for each panel, which shows or hides the panel."""
    for name, title in board.titles.items():
        add_toggle(menu, title, board.is_shown(name), partial(board.show_panel, name), keeps_open=True)


def add_reference_lane_toggles(menu: QMenu, board: "PlotBoard") -> None:
    """Add to a menu a toggle for each lane. The toggle chooses the reference lane, from which differences are computed."""
    for lane in board.lanes:
        chosen = lane == board.choices.reference
        add_toggle(menu, lane_title(lane), chosen, lambda _, lane=lane: board.choices.set_reference(lane))


def _add_comparison_actions(menu: QMenu, board: "PlotBoard") -> None:
    board.action_registry.add_to_menu(menu, "difference")
    add_reference_lane_toggles(menu.addMenu(tr("Reference lane")), board)


class PlotBoard(PlotBackground):
    """The board of all panels, in the order of `Panel.order`.

    A panel is visible if it is relevant for the run, unless the user has shown or hidden it (`show_panel`).
    """

    seek_requested = Signal(float)
    problem_reported = Signal(str)
    status_message = Signal(str)

    def __init__(
        self,
        action_registry: ActionRegistry[Any],
        parent: QWidget | None = None,
        panel_classes: Iterable[type[Panel]] | None = None,
        store: ViewStore | None = None,
        redraws: Redraws | None = None,
        find_lane: LaneFinder = lambda name: None,
    ) -> None:
        """Create the board.

        Parameters
        ----------
        action_registry
            Actions of the window.
        parent
            Parent widget.
        panel_classes
            Panel classes; those of the registry if None.
        store
            View state of the board.
        redraws
            Register of the parts of the window that must be redrawn.
        find_lane
            Function that returns a lane of the computed run by name. The measurement of curves uses it.
        """
        super().__init__(parent)
        self.store = store = store or ViewStore()
        self.redraws = redraws = redraws or Redraws()
        self.axis = TimeAxis(store, redraws)
        self.choices = Choices(store)
        self.action_registry = action_registry
        self._source: ColumnSource | None = None
        self._frame: Frame | None = None
        self._last_key: object = None
        self._last_steady_key: object = None
        """Key of the last frame: number of the run (generation), duration, playback state, and statuses of the lanes.
        All panels are updated when it changes. It stays the same while only the cursor and the curves move."""
        self._weights: list[float] = []
        self.legend = LegendRow(self, self.choices, button_count=3)
        self._grid = PanelGrid()
        self.measurement = CurveMeasurement(store, find_lane, self)
        self.measurement_bar = MeasurementBar(self.measurement)
        self.setLayout(column(self.legend, (self._grid, 1), self.measurement_bar, margins=GRID_UNIT))
        self.setAccessibleName(tr("Plots"))
        self.setMinimumSize(35 * GRID_UNIT, 240)
        ordered = sorted(
            PANELS.values() if panel_classes is None else panel_classes,
            key=lambda panel_class: (panel_class.order, panel_class.name),
        )
        hosts = [PanelHost(panel_class, self._make_context, self._grid.content) for panel_class in ordered]
        self._hosts = {host.name: host for host in hosts}
        self.arranger = PanelLayoutManager(hosts, self._grid, self._make_window, self, store)
        for host in hosts:
            host.failed.connect(self.problem_reported)
            host.menu_requested.connect(lambda point, name=host.name: self._show_panel_menu(name, point))
            redraws.mark(host, "run")
            host.create_view()
        self._button = IconButton(
            "panels", tr("Choose and arrange plots"), self._show_board_menu, parent=self
        )
        self.overview_button = self._make_toggle_button("overview", tr("Overview: the five main plots"))
        self.measure_button = self._make_toggle_button("measure", tr("Measure a curve: zeros, peaks, period"))
        self.store.changed.connect(self._apply_view_change)  # connected after the arrangement
        self.arranger.status_message.connect(self.status_message)
        self.measurement.changed.connect(self.repaint_soon)
        self.measurement_bar.status_message.connect(self.status_message)
        self._update_buttons(store.state)
        self.axis.changed.connect(self._draw)
        self.axis.hovered_changed.connect(self.repaint_soon)
        self.axis.selected_changed.connect(self.repaint_soon)
        self.choices.changed.connect(self._invalidate_frame)

    def _make_toggle_button(self, name: str, tooltip: str) -> IconButton:
        """Return a corner button that toggles the action `name`."""
        shortcut = self.action_registry.shortcut_text(name)
        button = IconButton(name, tooltip, self.action_registry[name].trigger, shortcut, parent=self)
        button.setCheckable(True)
        return button

    @property
    def scroll_bar(self) -> QScrollBar:
        """The vertical scroll bar of the panels."""
        return self._grid.verticalScrollBar()

    @property
    def panels(self) -> list[PanelView]:
        """Views of all visible panels that have not failed, in the order of the board."""
        hosts = (self._hosts[name] for name in self.arranger.drawn_panels)
        return [host.view for host in hosts if host.view is not None and host.is_drawn]

    @property
    def titles(self) -> dict[str, str]:
        """Titles of all panels by name, in the order of the board."""
        return {host.panel_class.name: tr(host.panel_class.title) for host in self._hosts.values()}

    @property
    def info(self) -> RunInfo | None:
        """Description of the run shown (title, duration, lanes and events), or None."""
        return self._source.info if self._source is not None else None

    @property
    def lanes(self) -> tuple[str, ...]:
        return self._source.info.lanes if self._source is not None else ()

    def start(self, source: ColumnSource) -> None:
        """Start showing a run. Panels that had failed are tried again."""
        previous, info = self._source, source.info
        self._source, self._frame = source, None
        same_run = previous is not None and previous.info.title == info.title
        self.axis.start(info.duration, info.sample_interval, info.events, same_run)
        self.choices.start(info)
        for legend in self._legends:
            legend.start(info)
        for host in self._hosts.values():
            shows_a_run = not self.redraws.is_due(host, "run")
            is_late = self._has_many_lanes or (info.is_transient and shows_a_run)
            self.redraws.clear(host, "run", "late run")
            self.redraws.mark(host, "late run" if is_late else "run")
            host.is_drawn = False
        self._update_shown_panels()
        for host in self._hosts.values():
            if host.is_drawn:
                continue
            if self._has_many_lanes and not info.is_transient:
                self.redraws.clear(host, "late run")
                self.redraws.mark(host, "run")  # a hidden panel does not keep the old run
            if not self.redraws.is_due(host, "late run"):
                self.redraws.mark(host, "frame")
                host.call_view(lambda view: view.release())

    @property
    def _has_many_lanes(self) -> bool:
        """True if the run has so many lanes that at most one panel per frame starts to show it."""
        return len(self.lanes) > MAX_LANES_AT_ONCE

    def show_frame(self, frame: Frame) -> None:
        """Show a frame.

        During playback only some frames update the numbers of all panels (`Frame.updates_readouts`). The other frames
        are passed only to panels that must read new rows or show their first frame of a run.
        """
        self._frame, self.redraws.budget = frame, frame.budget
        self.axis.set_selected(frame.selected)
        if self._source is None:
            return
        is_due = self._start_late_panels(self._source) or self.redraws.any_due("rows")
        lanes = tuple((lane.name, lane.visible, lane.status) for lane in frame.lanes)
        steady_key = (frame.generation, frame.duration, frame.playing, lanes)
        computed_times = tuple(lane.computed_to for lane in frame.lanes)
        key = (steady_key, frame.time, frame.data_revision, computed_times, frame.updates_readouts)
        if is_due or self.redraws.is_due(self, "frame") or key != self._last_key:
            update_all = (
                frame.updates_readouts
                or steady_key != self._last_steady_key
                or self.redraws.is_due(self, "frame")
            )
            self._last_key, self._last_steady_key = key, steady_key
            self.redraws.clear(self, "frame")
            self._show_in_panels(frame, update_all)
        if frame.updates_readouts:
            self.measurement_bar.show_frame(frame)
        self._draw()

    def _start_late_panels(self, source: ColumnSource) -> bool:
        """Start to show the run in panels that still show the previous one, as many as the time budget of the frame
        allows. Return True if any panel was started. If the run has many lanes, at most one panel is started per frame."""
        has_started = False
        if not self.redraws.any_due("late run"):
            return False
        for host in [host for host in self._hosts.values() if host.is_drawn]:
            view, is_late = host.view, self.redraws.is_due(host, "late run")
            if not is_late or (view is not None and view.keeps_previous_run(source.info)):
                continue
            if self._has_many_lanes:
                self._start_panel(host)
                return True
            if view is None or self.redraws.take_run(host, host.name, view.cursor_count):
                self._start_panel(host)
                has_started = True
        return has_started

    def _show_in_panels(self, frame: Frame, update_all: bool) -> None:
        """Pass a frame to all panels if `update_all` is True, otherwise only to panels for which `_has_turn` returns
        True."""
        self.axis.set_duration(frame.duration)
        self.axis.follow(frame.time, frame.target_time)
        for legend in self._legends:
            legend.show_lanes(frame.lanes, frame.updates_readouts)
        drawn_hosts = self._hosts_with_run
        hosts = [host for host in drawn_hosts if update_all or self._has_turn(host)]
        if frame.updates_readouts:
            frame.budget.readout_plot_count = sum(
                host.view.cursor_count for host in drawn_hosts if host.view is not None
            )
        for host in hosts:
            self.redraws.clear(host, "frame")
            host.call_view(lambda view: view.show_frame(frame))
        if hosts:
            self._update_weights()

    @property
    def _hosts_with_run(self) -> list[PanelHost]:
        """Panels that are visible and already show the current run."""
        is_due = self.redraws.is_due
        return [
            host for host in self._hosts.values() if host.is_drawn and not is_due(host, "run", "late run")
        ]

    def _has_turn(self, host: PanelHost) -> bool:
        """Return True if the panel should process a frame that does not update the numbers of all panels.

        A panel processes such a frame if it is the panel's first frame of a run, or if the panel has postponed
        reading new samples.
        """
        if host.view is None or self.redraws.is_due(host, "frame"):
            return host.view is not None
        return self.redraws.take_rows(host.view, host.name, host.view.cursor_count)

    def _draw(self) -> None:
        """Let the panels draw the parts that are marked in `redraws`, as many as the time budget of the frame allows."""
        hosts, budget = self._hosts_with_run, self.redraws.budget
        for host in hosts:
            host.call_view(lambda view: view.reserve_side_width())
        if self.redraws.may_draw():
            for host in hosts:
                host.call_view(lambda view: view.draw(budget))

    def _update_weights(self) -> None:
        """Update the layout if the relative heights (`weight`) of the panels changed."""
        weights = [host.weight for host in self._hosts.values() if host.is_drawn]
        if weights != self._weights:
            self._weights = weights
            self.arranger.update_layout()

    def follow_theme(self) -> None:
        # Deferred until the child widgets have applied the theme.
        QTimer.singleShot(0, self, self.arranger.update_layout)

    def update_colors(self) -> None:
        """Draw the curves in the current colors of the lanes."""
        if self._source is not None:
            for legend in self._legends:
                legend.start(self._source.info)
            for host in self._hosts.values():
                host.follow_theme()

    def shutdown(self) -> None:
        """Close all panels; the board draws nothing afterwards."""
        for host in self._hosts.values():
            host.shutdown()
        self.arranger.shutdown()
        self.measurement.shutdown()
        self._source = None

    # --- user actions

    def is_shown(self, name: str) -> bool:
        """Return True if a panel should be visible. The user's choice decides; without one, the panel is visible if it
        is relevant for the run."""
        is_relevant = self._source is None or is_panel_relevant(
            self._hosts[name].panel_class, self._source.info
        )
        return is_panel_shown(self.store.state, name, is_relevant)

    def show_panel(self, name: str, on: bool) -> None:
        """Show or hide a panel for this and later runs."""
        text = visibility_text(self.titles[name], on)
        self.store.update(text, **with_panel_shown(self.store.state, name, on))

    def set_panel_visibility(self, visibility: Mapping[str, bool]) -> None:
        """Set which panels the user has shown or hidden. Panels that are not listed are visible if they are relevant for the
        run."""
        self.store.update(panels=dict(visibility))

    def _update_buttons(self, view_state: ViewState) -> None:
        self.overview_button.setChecked(view_state.overview)
        self.measure_button.setChecked(view_state.measurement.on)

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        self._update_buttons(new)
        layouts = (old.layout.without_boxes(), new.layout.without_boxes())
        before, after = (
            (state.panels, layout, state.maximised, state.overview)
            for state, layout in zip((old, new), layouts, strict=True)
        )
        if before != after:
            self._update_shown_panels()

    def values_text(self, only: PanelView | None = None) -> str:
        """Return the values at the cursor of one panel (`only`) or of all visible panels, as tab-separated text."""
        views = self.panels if only is None else [only]
        time = self._frame.time if self._frame is not None else 0.0
        return readings_text((reading for view in views for reading in view.readings()), time)

    def copy_values(self, panel: PanelView | None = None) -> None:
        """Copy `values_text` to the clipboard."""
        QGuiApplication.clipboard().setText(self.values_text(panel))

    def set_highlight(self, pointed: HighlightTarget | None) -> None:
        """Highlight the curves of the target `pointed` and fade panels that have none of these curves. If `pointed` is
        None, or no panel shows the target, restore all panels."""
        highlighted = {
            host: bool(host.call_view(lambda view: view.highlight(pointed)))
            for host in self._hosts.values()
            if host.is_drawn
        }
        for host, has_curves in highlighted.items():
            host.set_faded(not has_curves and any(highlighted.values()))
        self._draw()

    def repaint_soon(self) -> None:
        """Schedule one repaint of every plot; Qt merges repeated requests."""
        for plot in (
            plot
            for host in self._hosts.values()
            if host.is_drawn
            for plot in host.findChildren(PanelPaintWidget)
        ):
            plot.update()  # a host covered by its content is not painted

    def zoom_to_range(self) -> None:
        """Zoom the time axis to the selected range."""
        if self.axis.selected is None:
            self.status_message.emit(tr("No time range is selected: Shift-drag in a plot or on the timeline"))
        self.axis.show_selected()

    def toggle_follow(self) -> None:
        """Toggle whether the plots follow the cursor."""
        follows = self.axis.follows_cursor = not self.axis.follows_cursor
        self.status_message.emit(
            tr("The plots follow the cursor") if follows else tr("The plots do not follow the cursor")
        )

    def escape(self) -> None:
        """Handle the Escape key. Do the first of these that applies: restore a maximized panel, clear the selected
        range, end measuring."""
        if self.arranger.maximised is not None:
            self.arranger.arrangement.maximise(None)
        elif self.axis.selected is not None:
            self.axis.range_requested.emit(None)
        elif self.measurement.curve.on:
            self.measurement.toggle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.legend.fit()
        right = self.width() - GRID_UNIT
        for button in (self._button, self.overview_button, self.measure_button):
            button.resize(button.sizeHint())
            right -= button.width()
            button.move(right, GRID_UNIT)

    def _show_board_menu(self) -> None:
        show_menu(board_menu(self), self._button)

    def _show_panel_menu(self, name: str, point: QPoint) -> None:
        panel = self._hosts[name].view
        show_menu(failed_panel_menu(self, name) if panel is None else panel_menu(self, panel), point)

    def _update_shown_panels(self) -> None:
        """Show and hide panels as the run requires and the user has chosen."""
        if self._source is None:
            return
        shown_names = {host.name for host in self._hosts.values() if self.is_shown(host.name)}
        self.arranger.arrange(shown_names, self._source.info)
        for host in self._hosts.values():
            keeps_run = self.redraws.is_due(host, "late run")
            if host.view is None and host.name not in shown_names and not keeps_run:
                self.redraws.mark(host, "run")  # a panel that failed is tried again when it is next shown
            host.is_drawn = host.name in self.arranger.drawn_panels
            if host.is_drawn and self.redraws.is_due(host, "run"):
                self._start_panel(host)
        self.arranger.update_titles()
        self.redraws.mark(self, "frame")
        if self._frame is not None:
            self.show_frame(self._frame)

    def _start_panel(self, host: PanelHost) -> None:
        """Show the current run in a panel and schedule its redraw."""
        source = self._source
        assert source is not None
        self.redraws.clear(host, "run", "late run")
        self.redraws.mark(host, "frame")
        if host.view is None:
            host.create_view()
        host.call_view(lambda view: view.start(source))

    def _invalidate_frame(self) -> None:
        """Make the next frame update all panels, even if nothing has changed."""
        self.redraws.mark(self, "frame")
        self.arranger.update_layout()

    @property
    def _legends(self) -> list[LegendRow]:
        return [self.legend, *self.arranger.legends]

    def _make_window(self, title: str) -> FloatingPanelWindow:
        window = FloatingPanelWindow(title, self.choices, self)
        window.escape_pressed.connect(self.escape)
        return window

    def _make_context(self, host: PanelHost) -> PanelContext:
        """Return the context of a panel view. It contains the objects that all views of the board share."""
        return PanelContext(
            host,
            self.axis,
            self.choices,
            self.redraws,
            self.measurement,
            self.seek_requested.emit,
            host.menu_requested.emit,
            host.paint_failed.emit,
        )
