"""The plot board: every panel in one viewport, one time axis, one repaint per frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QMenu, QScrollBar, QVBoxLayout, QWidget

from quatviz.ui.arranger import Arranger
from quatviz.ui.board_menu import board_menu, panel_menu, place_menu
from quatviz.ui.float_window import FloatWindow
from quatviz.ui.frame import Frame, LaneFrame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.icon_button import IconButton
from quatviz.ui.panels import PANELS
from quatviz.ui.panels.base import Panel, Pointed
from quatviz.ui.plotting.board_view import BoardView
from quatviz.ui.plotting.choices import Choices
from quatviz.ui.plotting.globe_panel import GlobePanel
from quatviz.ui.plotting.grid import COLUMNS, Grid
from quatviz.ui.plotting.legend_row import LegendRow
from quatviz.ui.plotting.painted_panel import PaintedPanel
from quatviz.ui.plotting.panel_turns import PanelTurns, renew_some
from quatviz.ui.plotting.readings_text import readings_text
from quatviz.ui.plotting.repaints import repaint, repaint_cursors, repaint_items
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.plotting.time_panel import TimePanel
from quatviz.ui.slot import Slot
from quatviz.ui.theme import UNIT, Theme
from quatviz.ui.tr import tr

if TYPE_CHECKING:
    from quatviz.ui.export.exporter import Exporter

FADED = 0.25
"""Opacity of the panels beside those that a person points at elsewhere."""


class PlotBoard(QWidget):
    """All panels of `kinds` (by default those of the registry), in their `order`.

    A panel is seen if it concerns the run, unless a person has said otherwise (`show_panel`).
    """

    seek_requested = Signal(float)
    range_requested = Signal(object)
    """The times from a to b [s] to select, or None."""
    loop_requested = Signal()
    """Play what is selected over and over."""
    problem = Signal(str)
    said = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, kinds: Iterable[type[Panel]] | None = None
    ) -> None:
        super().__init__(parent)
        self.axis = TimeAxis(self)
        self.choices = Choices(self)
        self._theme = theme
        self.exporter: Exporter | None = None
        """Who takes figures and data out of it, where the window has one."""
        self._source: Source | None = None
        self._frame: Frame | None = None
        self._last: object = None
        self._behind = False
        self._turns = PanelTurns()
        self._steady: object = None
        """What stays the same from frame to frame while only the cursor and the curves move."""
        self._wishes: dict[str, bool] = {}
        self.view = BoardView(self.axis.allowance)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.view)
        self.setAccessibleName(tr("Plots"))
        self.setMinimumSize(320, 240)
        self.axis.pointed_changed.connect(self._repaint_cursors)
        self.axis.changed.connect(self._repaint_rolled)
        self._legend = LegendRow(PlotStyle(theme), self.choices)
        self._grid = Grid(self.view)
        self.view.ci.addItem(self._legend, row=0, col=0, colspan=COLUMNS)
        ordered = sorted(
            PANELS.values() if kinds is None else kinds, key=lambda kind: (kind.order, kind.name)
        )
        self._slots = [Slot(kind, self._grid.make(), theme, self._introduce, self) for kind in ordered]
        self.arranger = Arranger(self._slots, self._grid, self.view, self._make_window, theme, self)
        for slot in self._slots:
            slot.problem.connect(self.problem)
            slot.problem.connect(self.repaint_soon)
            slot.adopt()
        self.arranger.changed.connect(self._show_wanted)
        self.arranger.said.connect(self.said)
        self.arranger.menu_wanted.connect(self._offer_place)
        self.axis.selected_changed.connect(self.repaint_soon)
        self.axis.range_wanted.connect(lambda low, high: self.range_requested.emit((low, high)))
        self.choices.changed.connect(self._renew)
        self._button = IconButton(theme, "panels", tr("Panels, comparison and copying"), parent=self)
        self._button.clicked.connect(self._open_menu)
        self.view.setBackground(theme.surface)

    @property
    def bar(self) -> QScrollBar:
        """Which part of the columns is seen, where they are higher than the board."""
        return self._grid.scroller.bar

    @property
    def panels(self) -> list[Panel]:
        """The panels that work and are drawn, in the order of their places."""
        slots = (self._slot(name) for name in self.arranger.fronts)
        return [slot.panel for slot in slots if slot.panel is not None and slot.seen]

    @property
    def titles(self) -> dict[str, str]:
        """Every panel's title by name, in their order."""
        return {slot.kind.name: tr(slot.kind.title) for slot in self._slots}

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
        for slot in self._slots:
            slot.seen = slot.begun = False
        self._show_wanted()

    def show_frame(self, frame: Frame) -> None:
        """Show `frame` in every panel, with one repaint if it differs from the last one."""
        self._frame = frame
        self.axis.allowance.limited = frame.playing
        self.axis.take_range(frame.selected)
        self.axis.settle()
        repaint_items(self.axis.allowance.due())
        key = (
            frame.generation,
            frame.time,
            frame.duration,
            frame.playing,
            frame.taken,
            self.axis.coarse,
            tuple(_seen(lane) for lane in frame.lanes),
        )
        if self._source is None or (key == self._last and not self._behind and not self._turns.waiting):
            return
        steady = (*key[:1], *key[2:4], tuple((lane.name, lane.visible) for lane in frame.lanes))
        whole = steady != self._steady
        seen = [slot for slot in self._slots if slot.seen]
        pixels = self.width() / self.axis.span
        turn = self._turns.whose(seen, frame.time, pixels, whole or not frame.playing)
        if not turn:
            return
        self._last, self._steady = key, steady
        self.axis.extend(frame.duration)
        self.axis.follow(frame.time)
        for legend in self._legends:
            legend.show_lanes(frame.lanes)
        for slot in turn:
            slot.call("show", frame)
        self.arranger.place()
        if not self._turns.waiting:
            panels = [panel for panel in self.panels if isinstance(panel, TimePanel)]
            self._behind = renew_some([plot for panel in panels for plot in panel.plots])
        if whole:
            self.repaint_soon()
        else:
            self._repaint_changes(turn)

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self.view.setBackground(theme.surface)
        self._legend.restyle(PlotStyle(theme))
        self.arranger.restyle(theme)
        self._button.restyle(theme)
        for slot in self._slots:
            slot.restyle(theme)
        self.arranger.place()
        self.repaint_soon()

    def recolour(self) -> None:
        """The lanes of the run have other colours."""
        if self._source is not None:
            for legend in self._legends:
                legend.start(self._source.info)
            self.restyle(self._theme)

    def shutdown(self) -> None:
        """Close every panel; the board draws nothing afterwards."""
        for slot in self._slots:
            slot.close()
        self.arranger.shut_down()
        self._source = None

    # What a person can ask for

    @property
    def difference(self) -> bool:
        """Whether panels show each lane minus the reference lane."""
        return self.choices.difference

    def set_difference(self, on: bool) -> None:
        self.choices.set_difference(on)

    def set_reference(self, lane: str) -> None:
        """Subtract this lane in difference mode."""
        self.choices.set_reference(lane)

    def shows(self, name: str) -> bool:
        """Whether a panel is to be seen in this run."""
        concerned = self._source is None or self._slot(name).kind.concerns(self._source.info)
        return self._wishes.get(name, concerned)

    def show_panel(self, name: str, on: bool) -> None:
        """Show or hide a panel from now on, whatever the run."""
        self._wishes[name] = on
        self._show_wanted()

    @property
    def wishes(self) -> dict[str, bool]:
        """Which panels a person wants to see or not, for remembering."""
        return dict(self._wishes)

    def wish(self, wishes: Mapping[str, bool]) -> None:
        """What `wishes` said some time ago."""
        self._wishes = {name: on for name, on in wishes.items() if name in self.titles}
        self._show_wanted()

    def values_text(self, panel: Panel | None = None) -> str:
        """The numbers at the cursor of one panel, or of all that are seen, as text with tabs."""
        panels = self.panels if panel is None else [panel]
        time = self._frame.time if self._frame is not None else 0.0
        return readings_text((reading for one in panels for reading in one.readings()), time)

    def copy_values(self, panel: Panel | None = None) -> None:
        """Put `values_text` on the clipboard."""
        QGuiApplication.clipboard().setText(self.values_text(panel))

    def set_highlight(self, pointed: Pointed | None) -> None:
        """Let the curves of this stand out, and the panels without any fade; none where it is None, or nobody shows it."""
        told = {slot: bool(slot.call("point_at", pointed)) for slot in self._slots if slot.seen}
        for slot, own in told.items():
            slot.layout.setOpacity(1.0 if own or not any(told.values()) else FADED)
        self.repaint_soon()

    def repaint_soon(self, *_: object) -> None:
        """Ask for one repaint; Qt merges requests that come before it."""
        self.view.renew()
        self.arranger.repaint_soon()

    def escape(self) -> None:
        """Give the board back to all panels, or else forget what is selected."""
        if self.arranger.maximised is not None:
            self.arranger.maximise(None)
        elif self.axis.selected is not None:
            self.range_requested.emit(None)

    def _repaint_changes(self, slots: Sequence[Slot]) -> None:
        """Ask for a repaint of what has changed in these: a hundredth of the board where only the cursor moved."""
        for slot in slots:
            changed = slot.panel.dirty() if slot.panel is not None else None
            repaint(slot.view, [slot.layout.sceneBoundingRect()] if changed is None else changed)
            if slot.panel is not None:
                repaint_cursors(slot.view, slot.panel.moved())

    def _repaint_rolled(self) -> None:
        """The axis has moved: pictures of curves that can be shown at another place are, of all panels at once."""
        self._repaint_changes([slot for slot in self._slots if slot.seen])

    def _repaint_cursors(self) -> None:
        """Ask for a repaint of every plot's cursors."""
        for view in {slot.view for slot in self._slots if slot.seen and slot.view is not None}:
            view.move_over()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.restyle(self._theme)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._button.resize(self._button.sizeHint())
        self._button.move(self.width() - self._button.width() - UNIT, UNIT)

    def _open_menu(self) -> None:
        self._popup(board_menu(self), self._button.mapToGlobal(self._button.rect().bottomLeft()))

    def _offer(self, panel: Panel, point: QPoint) -> None:
        self._popup(panel_menu(self, panel), point)

    def _offer_place(self, name: str, point: QPoint) -> None:
        panel = self._slot(name).panel
        self._popup(place_menu(self, name) if panel is None else panel_menu(self, panel), point)

    def _popup(self, menu: QMenu, point: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point)

    def _show_wanted(self) -> None:
        """Begin or end to show panels, as the run and the person want."""
        if self._source is None:
            return
        wanted = {slot.name for slot in self._slots if self.shows(slot.name)}
        self.arranger.arrange(wanted, self._source.info)
        for slot in self._slots:
            if slot.panel is None and slot.name not in wanted:
                slot.begun = False  # one that failed gets another chance when it is shown again
            slot.seen = slot.name in self.arranger.fronts
            if slot.seen and not slot.begun:
                slot.begun = True
                if slot.panel is None:
                    slot.adopt()
                slot.call("start", self._source)
        self.arranger.dress()
        self._steady = None
        self._renew()
        if self._frame is not None:
            self.show_frame(self._frame)

    def _renew(self) -> None:
        """Show the next frame whatever it is."""
        self._last = None
        self.arranger.place()
        self.repaint_soon()

    def _slot(self, name: str) -> Slot:
        return next(slot for slot in self._slots if slot.name == name)

    @property
    def _legends(self) -> list[LegendRow]:
        return [self._legend, *self.arranger.legends]

    def _make_window(self, title: str) -> FloatWindow:
        window = FloatWindow(self._theme, title, self.axis.allowance, self.choices, self)
        window.escaped.connect(self.escape)
        return window

    def _introduce(self, slot: Slot, panel: Panel) -> None:
        """Give a panel that has just been made what it shares with the others."""
        panel.seek = self.seek_requested.emit  # type: ignore[method-assign,assignment]
        if isinstance(panel, TimePanel | GlobePanel):
            panel.share(self.axis, self.choices)
        if isinstance(panel, TimePanel | GlobePanel | PaintedPanel):
            panel.report = slot.report
            panel.offer = partial(self._offer, panel)


def _seen(lane: LaneFrame) -> tuple[object, ...]:
    return (lane.name, lane.status, lane.computed_to, lane.visible)
