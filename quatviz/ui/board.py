"""The plot board: every panel in one viewport, one time axis, one repaint per frame."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from time import monotonic

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QRegion, QResizeEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from quatviz.ui.board_menu import board_menu, panel_menu
from quatviz.ui.frame import ALIVE, Frame, LaneFrame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.icon_button import IconButton
from quatviz.ui.panels import PANELS
from quatviz.ui.panels.base import Panel
from quatviz.ui.plotting.board_view import BoardView
from quatviz.ui.plotting.choices import Choices
from quatviz.ui.plotting.grid import COLUMNS, Grid
from quatviz.ui.plotting.legend_row import LegendRow
from quatviz.ui.plotting.painted_panel import PaintedPanel
from quatviz.ui.plotting.readings_text import readings_text
from quatviz.ui.plotting.rows import NoticeRow
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.plotting.time_panel import DIGITS_INTERVAL, TimePanel
from quatviz.ui.theme import UNIT, Theme

log = logging.getLogger(__name__)

PANELS_PER_FRAME = 3
"""Panels that show one frame while a run plays."""
LEAP = 4.0
"""Pixels by which a cursor may run ahead of the panels that wait for their turn."""
CURVES_PER_FRAME = 4
"""How many curves are drawn anew in one frame only because rows were added."""


class _Slot:
    """A panel's place on the board: the panel, the layout it fills, and whether it works and is seen."""

    def __init__(self, kind: type[Panel], layout: pg.GraphicsLayout) -> None:
        self.kind = kind
        self.layout = layout
        self.panel: Panel | None = None
        self.notice: NoticeRow | None = None
        self.seen = False

    @property
    def weight(self) -> float:
        return self.panel.weight if self.panel is not None else 3.0


class PlotBoard(QWidget):
    """All panels of `kinds` (by default those of the registry), in their `order`.

    A panel is seen if it concerns the run, unless a person has said otherwise (`show_panel`).
    """

    seek_requested = Signal(float)
    problem = Signal(str)
    _fault = Signal(object, object)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, kinds: Iterable[type[Panel]] | None = None
    ) -> None:
        super().__init__(parent)
        self.axis = TimeAxis(self)
        self.choices = Choices(self)
        self._theme = theme
        self._source: Source | None = None
        self._frame: Frame | None = None
        self._last: object = None
        self._behind = False
        self._shown_at = self._shown_time = 0.0
        self._pending: list[_Slot] = []
        """Slots that have yet to show the change that is due."""
        self._steady: object = None
        """What stays the same from frame to frame while only the cursor and the curves move."""
        self._wishes: dict[str, bool] = {}
        self.view = BoardView(self.axis.allowance)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.view)
        self.setAccessibleName("Plots")
        self.setMinimumSize(320, 240)
        # A fault in a paint is dealt with after the paint: the scene must not change under it.
        self._fault.connect(self._fail, Qt.ConnectionType.QueuedConnection)
        self.axis.pointed_changed.connect(self.repaint_soon)
        self.view.scene().changed.connect(self.repaint_soon)
        self._legend = LegendRow(PlotStyle(theme), self.choices)
        self._grid = Grid(self.view.ci)
        self.view.ci.addItem(self._legend, row=0, col=0, colspan=COLUMNS)
        ordered = sorted(
            PANELS.values() if kinds is None else kinds, key=lambda kind: (kind.order, kind.name)
        )
        self._slots = [_Slot(kind, self._grid.make()) for kind in ordered]
        for slot in self._slots:
            self._adopt(slot)
        self.choices.changed.connect(self._renew)
        self._button = IconButton(theme, "panels", "Panels, comparison and copying", parent=self)
        self._button.clicked.connect(self._open_menu)
        self._restyle_view()

    @property
    def panels(self) -> list[Panel]:
        """The panels that work and are seen, in their order."""
        return [slot.panel for slot in self._slots if slot.panel is not None and slot.seen]

    @property
    def titles(self) -> dict[str, str]:
        """Every panel's title by name, in their order."""
        return {slot.kind.name: slot.kind.title for slot in self._slots}

    @property
    def lanes(self) -> tuple[str, ...]:
        return self._source.info.lanes if self._source is not None else ()

    def start(self, source: Source) -> None:
        """A run begins. A panel that had failed gets another chance."""
        self._source, self._frame = source, None
        self.axis.start(source.info.duration, source.info.sample_interval, source.info.events)
        self.choices.start(source.info)
        self._legend.start(source.info)
        for slot in self._slots:
            slot.seen = False
        self._show_wanted()

    def show_frame(self, frame: Frame) -> None:
        """Show `frame` in every panel, with one repaint if it differs from the last one."""
        self._frame = frame
        self.axis.allowance.limited = frame.playing
        self._repaint([item.sceneBoundingRect() for item in self.axis.allowance.due()])
        key = (
            frame.generation,
            frame.time,
            frame.duration,
            frame.playing,
            frame.taken,
            tuple(_seen(lane) for lane in frame.lanes),
        )
        if self._source is None or (key == self._last and not self._behind):
            return
        steady = (
            *key[:1],
            *key[2:4],
            tuple((lane.name, lane.status in ALIVE, lane.visible) for lane in frame.lanes),
        )
        whole = steady != self._steady
        turn = self._turn(frame, whole or not frame.playing)
        if not turn:
            return
        self._last, self._steady = key, steady
        self.axis.extend(frame.duration)
        self.axis.follow(frame.time)
        self._legend.show_lanes(frame.lanes)
        for slot in turn:
            self._call(slot, "show", frame)
        self._place()
        if not self._pending:
            self._behind = self._renew_some()
        if whole:
            self.repaint_soon()
        else:
            self._repaint_changes(turn)

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self._restyle_view()
        self._legend.restyle(PlotStyle(theme))
        self._button.restyle(theme)
        for slot in self._slots:
            if slot.notice is not None:
                slot.notice.restyle(PlotStyle(theme))
            self._call(slot, "restyle", theme)
        self.repaint_soon()

    def recolour(self) -> None:
        """The lanes of the run have other colours."""
        if self._source is not None:
            self._legend.start(self._source.info)
            self.restyle(self._theme)

    def shutdown(self) -> None:
        """Close every panel; the board draws nothing afterwards."""
        for slot in self._slots:
            self._call(slot, "close")
            slot.panel = None
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
        slot = next(slot for slot in self._slots if slot.kind.name == name)
        concerned = self._source is None or slot.kind.concerns(self._source.info)
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

    def repaint_soon(self, *_: object) -> None:
        """Ask for one repaint; Qt merges requests that come before it."""
        self.view.viewport().update()

    def _turn(self, frame: Frame, whole: bool) -> list[_Slot]:
        """The slots that show this frame: all of them, or, while a run plays, a few when a reader could see a change.

        That is when the cursor has moved by a pixel, or the digits may change again. A run of a minute moves it by a pixel
        in a tenth of a second: painting all plots with every frame of the 3D view would cost as much as the view,
        and show nothing. They take turns, so that no frame waits for all of them, but for a cursor that leaps.
        """
        moved = abs(frame.time - self._shown_time) / self.axis.span * self.width()
        due = moved >= 1.0 or monotonic() - self._shown_at >= DIGITS_INTERVAL
        if whole or moved >= LEAP or (due and not self._pending):
            self._shown_at, self._shown_time = monotonic(), frame.time
            self._pending = [slot for slot in self._slots if slot.seen]
        count = len(self._pending) if whole or moved >= LEAP else PANELS_PER_FRAME
        turn, self._pending = self._pending[:count], self._pending[count:]
        return turn

    def _repaint_changes(self, slots: Sequence[_Slot]) -> None:
        """Ask for a repaint of what has changed in these: a hundredth of the board where only the cursor moved."""
        for slot in slots:
            changed = slot.panel.dirty() if slot.panel is not None else None
            self._repaint([slot.layout.sceneBoundingRect()] if changed is None else changed)

    def _repaint(self, places: Iterable[QRectF]) -> None:
        region = QRegion()
        for place in places:
            region += self.view.mapFromScene(place).boundingRect().adjusted(-1, -1, 1, 1)
        self.view.viewport().update(region)

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

    def _popup(self, menu: QMenu, point: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point)

    def _show_wanted(self) -> None:
        """Begin or end to show panels, as the run and the person want."""
        if self._source is None:
            return
        for slot in self._slots:
            wanted = self.shows(slot.kind.name)
            if wanted and not slot.seen:
                if slot.panel is None:
                    self._adopt(slot)
                self._call(slot, "start", self._source)
            slot.seen = wanted
        self._renew()
        if self._frame is not None:
            self.show_frame(self._frame)

    def _renew(self) -> None:
        """Show the next frame whatever it is."""
        self._last = None
        self._place()
        self.repaint_soon()

    def _place(self) -> None:
        seen = [slot for slot in self._slots if slot.seen]
        over_time = [isinstance(slot.panel, TimePanel) for slot in seen]
        lowest = self._grid.lowest(over_time)
        for number, slot in enumerate(seen):
            if isinstance(slot.panel, TimePanel):
                slot.panel.number_times(number in lowest)
        self._grid.place([(slot.layout, slot.weight) for slot in seen])

    def _adopt(self, slot: _Slot) -> None:
        """Make the slot's panel and build it."""
        slot.layout.clear()
        slot.notice = None
        try:
            panel = slot.kind()
        except Exception as error:
            self._fail(slot, error)
            return
        slot.panel = panel
        panel.seek = self.seek_requested.emit  # type: ignore[method-assign,assignment]
        if isinstance(panel, TimePanel):
            panel.share(self.axis, self.choices)
        if isinstance(panel, TimePanel | PaintedPanel):
            panel.report = partial(self._fault.emit, slot)
            panel.offer = partial(self._offer, panel)
        self._call(slot, "build", slot.layout, self._theme)

    def _call(self, slot: _Slot, method: str, *arguments: object) -> None:
        """Call a panel; an exception costs that panel its place and nobody else anything."""
        if slot.panel is None:
            return
        try:
            getattr(slot.panel, method)(*arguments)
        except Exception as error:
            self._fail(slot, error)

    def _fail(self, slot: _Slot, error: Exception) -> None:
        if slot.panel is None and slot.notice is not None:
            return
        log.error("the panel %s failed", slot.kind.name, exc_info=error)
        broken, slot.panel = slot.panel, None
        try:
            if broken is not None:
                broken.close()
        except Exception:
            log.exception("the panel %s failed to close", slot.kind.name)
        slot.layout.clear()
        sentence = f"{slot.kind.title}: {type(error).__name__}: {error}"
        slot.notice = NoticeRow(PlotStyle(self._theme), slot.kind.title, f"{type(error).__name__}: {error}")
        slot.layout.addItem(slot.notice, row=0, col=0)
        self.problem.emit(sentence)
        self.repaint_soon()

    def _renew_some(self) -> bool:
        """Let the strips that have waited longest draw their new rows; true where others have to wait on.

        Drawing all curves in each frame of a growing run would halve the frame rate for a head start of a
        few hundredths of a second.
        """
        plots = [plot for panel in self.panels if isinstance(panel, TimePanel) for plot in panel.plots]
        waiting = sorted((plot for plot in plots if plot.waiting), key=lambda plot: -plot.waiting)
        room = CURVES_PER_FRAME
        for done, plot in enumerate(waiting):
            if room <= 0:
                return done < len(waiting)
            plot.renew()
            room -= len(plot.traces)
        return False

    def _restyle_view(self) -> None:
        self.view.setBackground(self._theme.surface)


def _seen(lane: LaneFrame) -> tuple[object, ...]:
    return (lane.name, lane.status, lane.computed_to, lane.visible)
