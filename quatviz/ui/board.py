"""The plot board: every panel in one viewport, one time axis, one repaint per frame."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QGraphicsView, QVBoxLayout, QWidget

from quatviz.ui.frame import Frame, LaneFrame, Source
from quatviz.ui.guard import guarded
from quatviz.ui.panels import PANELS
from quatviz.ui.panels.base import Panel
from quatviz.ui.plotting.rows import LegendRow, NoticeRow
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.plotting.time_panel import TimePanel
from quatviz.ui.theme import UNIT, Theme

log = logging.getLogger(__name__)

COLUMNS = 2

CURVES_PER_FRAME = 4
"""How many curves are drawn anew in one frame only because rows were added."""

BOUNDLESS = (16777215.0, 16777215.0)
"""Said outright, or a layout whose rows are all of fixed height would cap the board's."""


class _View(pg.GraphicsLayoutWidget):
    """The one viewport. It repaints when the board says so: Qt would flush the window once per item."""

    def __init__(self) -> None:
        super().__init__()
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # keys belong to the window
        self.repaints = 0

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        self.repaints += 1
        super().paintEvent(event)


class _Slot:
    """A panel's place on the board: the panel, the layout it fills, and whether it works."""

    def __init__(self, kind: type[Panel], layout: pg.GraphicsLayout, numbers: bool) -> None:
        self.kind = kind
        self.layout = layout
        self.numbers = numbers
        self.panel: Panel | None = None
        self.notice: NoticeRow | None = None


class PlotBoard(QWidget):
    """All panels of `kinds` (by default those of the registry) in a grid, in their `order`."""

    seek_requested = Signal(float)
    problem = Signal(str)
    _fault = Signal(object, object)

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, kinds: Iterable[type[Panel]] | None = None
    ) -> None:
        super().__init__(parent)
        self.axis = TimeAxis(self)
        self._theme = theme
        self._source: Source | None = None
        self._last: object = None
        self._behind = False
        self.view = _View()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.view)
        self.setAccessibleName("Plots")
        self.setMinimumSize(320, 240)
        # A fault in a paint is dealt with after the paint: the scene must not change under it.
        self._fault.connect(self._fail, Qt.ConnectionType.QueuedConnection)
        self.axis.pointed_changed.connect(self.repaint_soon)
        self.view.scene().changed.connect(self.repaint_soon)
        self._legend = LegendRow(PlotStyle(theme))
        self._slots = self._place(PANELS.values() if kinds is None else kinds)
        for slot in self._slots:
            self._adopt(slot)
        self._restyle_view()

    @property
    def panels(self) -> list[Panel]:
        """The panels that work, in their order."""
        return [slot.panel for slot in self._slots if slot.panel is not None]

    def start(self, source: Source) -> None:
        """A run begins. A panel that had failed gets another chance."""
        self._source = source
        self._last = None
        self.axis.start(source.info.duration, source.info.sample_interval)
        self._legend.start(source.info)
        for slot in self._slots:
            if slot.panel is None:
                self._adopt(slot)
            self._call(slot, "start", source)
        self.repaint_soon()

    def show_frame(self, frame: Frame) -> None:
        """Show `frame` in every panel, with one repaint if it differs from the last one."""
        key = (
            frame.generation,
            frame.time,
            frame.duration,
            frame.playing,
            tuple(_seen(lane) for lane in frame.lanes),
        )
        if self._source is None or (key == self._last and not self._behind):
            return
        self._last = key
        self.axis.extend(frame.duration)
        self.axis.follow(frame.time)
        self._legend.show_lanes(frame.lanes)
        for slot in self._slots:
            self._call(slot, "show", frame)
        self._behind = self._renew_some()
        self.repaint_soon()

    def restyle(self, theme: Theme) -> None:
        self._theme = theme
        self._restyle_view()
        self._legend.restyle(PlotStyle(theme))
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

    def repaint_soon(self, *_: object) -> None:
        """Ask for one repaint; Qt merges requests that come before it."""
        self.view.viewport().update()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.restyle(self._theme)

    def _place(self, kinds: Iterable[type[Panel]]) -> list[_Slot]:
        ordered = sorted(kinds, key=lambda kind: (kind.order, kind.name))
        grid = self.view.ci
        grid.setMaximumSize(*BOUNDLESS)
        grid.layout.setContentsMargins(UNIT, UNIT, UNIT, UNIT)
        grid.layout.setHorizontalSpacing(UNIT)
        grid.layout.setVerticalSpacing(UNIT)
        grid.addItem(self._legend, row=0, col=0, colspan=min(COLUMNS, max(len(ordered), 1)))
        slots = []
        for number, kind in enumerate(ordered):
            row, column = divmod(number, COLUMNS)
            layout = grid.addLayout(row=row + 1, col=column)
            layout.setMaximumSize(*BOUNDLESS)
            layout.setPreferredSize(400.0, 400.0)  # equal shares, whatever is inside
            grid.layout.setRowStretchFactor(row + 1, 1)
            grid.layout.setColumnStretchFactor(column, 1)
            slots.append(_Slot(kind, layout, numbers=number + COLUMNS >= len(ordered)))
        return slots

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
            panel.share(self.axis, slot.numbers)
            panel.report = partial(self._fault.emit, slot)
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
