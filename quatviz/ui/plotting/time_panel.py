"""A panel over time: it declares its strips, and everything else is here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtGui import QColor

from quatviz.core.observables import QUANTITIES
from quatviz.ui.frame import Frame, Source
from quatviz.ui.panels.base import Panel
from quatviz.ui.plotting.curves import Trace
from quatviz.ui.plotting.rows import TimeRow, TitleRow
from quatviz.ui.plotting.scales import SCALES
from quatviz.ui.plotting.series import Series
from quatviz.ui.plotting.strip_plot import StripPlot
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import Theme

DIGITS_INTERVAL = 0.1
"""Seconds between changes of the digits above the strips while the run plays: nobody reads faster ones."""

ROWS_EVERY = 4
"""While it plays, a panel takes new rows in every so many frames, unless the cursor is about to reach them."""


@dataclass(frozen=True)
class Strip:
    """One component of a quantity of `core.observables.QUANTITIES`; `label` replaces its symbol."""

    quantity: str
    component: int = 0
    label: str | None = None
    scale: str = "linear"

    @property
    def symbol(self) -> str:
        return self.label or QUANTITIES[self.quantity].symbols[self.component]

    @property
    def magnitude(self) -> bool:
        return SCALES[self.scale].magnitude


class TimePanel(Panel):
    """Extend it with `name`, `title`, `order` and `strips`; `emblem` and `note` are for the title row.

    With several lanes each strip is a plot of its own and colour tells the lane. With one lane the strips of
    a quantity share a plot and colour tells the component.
    """

    strips: ClassVar[tuple[Strip, ...]] = ()
    emblem: ClassVar[tuple[str, str]] = ("", "text")
    """A symbol, and the field of `Theme` with the colour in which the 3D view draws the same thing."""
    note: ClassVar[str] = ""
    """What to say beside the title; by default the unit and the frame of the strips."""

    def __init__(self) -> None:
        self.axis = TimeAxis()
        self.numbers = True
        self.plots: list[StripPlot] = []
        self.report: Callable[[Exception], None] = lambda error: None
        self._source: Source | None = None
        self._series: dict[tuple[str, str, bool], Series] = {}
        self._shown: tuple[str, ...] = ()
        self._extent: dict[str, float] = {}
        self._frames = 0
        self._digits_at = 0.0

    def share(self, axis: TimeAxis, numbers: bool) -> None:
        """Use the board's axis, and write its numbers below the strips or leave that to the panel below."""
        self.axis, self.numbers = axis, numbers

    def build(self, layout: pg.GraphicsLayout, theme: Theme) -> None:
        self._layout = layout
        self._style = PlotStyle(theme)
        layout.layout.setContentsMargins(0, 0, 0, 0)
        layout.layout.setSpacing(0)
        self._title = TitleRow(self._style, self.title, self.emblem[0], self.note or self._unit_note())
        self._times = TimeRow(self._style, self.axis)
        layout.addItem(self._title, row=0, col=0)
        layout.addItem(self._times, row=len(self.strips) + 1, col=0)
        self._times.setVisible(self.numbers)
        if not self.numbers:
            self._times.set_height(0)
        self.restyle(theme)

    def start(self, source: Source) -> None:
        self._source = source
        self._series, self._extent = {}, {}
        self._arrange(source.info.lanes)

    def show(self, frame: Frame) -> None:
        shown = tuple(lane.name for lane in frame.lanes if lane.visible)
        if shown != self._shown:
            self._arrange(shown)
        grown = self._wants_rows(frame) and self._take_rows(frame)
        self._times.time = frame.time
        fresh = self._wants_digits(frame)
        for plot in self.plots:
            plot.show_time(frame.time, grown, fresh)

    def restyle(self, theme: Theme) -> None:
        self._style = PlotStyle(theme)
        self._title.restyle(self._style, QColor(getattr(theme, self.emblem[1])))
        self._times.restyle(self._style)
        if not self.numbers:
            self._times.set_height(0)
        self._colour()
        for plot in self.plots:
            plot.restyle(self._style)

    def close(self) -> None:
        for plot in self.plots:
            plot.detach()
        self.plots = []

    def _unit_note(self) -> str:
        quantities = {strip.quantity: QUANTITIES[strip.quantity] for strip in self.strips}
        units = {quantity.unit for quantity in quantities.values()}
        frames = {quantity.frame for quantity in quantities.values()}
        parts = [units.pop() if len(units) == 1 else ""]
        parts.append(f"{frames.pop()} frame" if len(frames) == 1 and frames != {""} else "")
        return ", ".join(part for part in parts if part)

    def _arrange(self, lanes: tuple[str, ...]) -> None:
        """Make the plots for the lanes that are shown."""
        self._shown = lanes
        for plot in self.plots:
            plot.detach()
            self._layout.removeItem(plot)
        self.plots = [self._plot(strips) for strips in self._groups(len(lanes))]
        for row, plot in enumerate(self.plots, start=1):
            self._layout.addItem(plot, row=row, col=0)
        self._colour()
        for plot in self.plots:
            plot.fit_range()

    def _groups(self, lanes: int) -> list[list[Strip]]:
        """The strips that share a plot."""
        if lanes != 1:
            return [[strip] for strip in self.strips]
        groups: dict[tuple[str, str], list[Strip]] = {}
        for strip in self.strips:
            groups.setdefault((strip.quantity, strip.scale), []).append(strip)
        return list(groups.values())

    def _plot(self, strips: list[Strip]) -> StripPlot:
        first = strips[0]
        symbol = first.symbol if len(strips) == 1 else ""
        plot = StripPlot(
            self.axis, self._style, SCALES[first.scale](), symbol, QUANTITIES[first.quantity].unit
        )
        plot.seek = lambda time: self.seek(time)
        plot.on_fault = lambda error: self.report(error)
        for strip in strips:
            for lane in self._shown:
                label = lane if symbol else strip.symbol
                plot.traces.append(Trace(self._column(lane, strip), strip.component, QColor(), label))
        return plot

    def _column(self, lane: str, strip: Strip) -> Series:
        key = (lane, strip.quantity, strip.magnitude)
        if key not in self._series:
            self._series[key] = Series(len(QUANTITIES[strip.quantity].symbols), strip.magnitude)
            self._extent.pop(lane, None)
        return self._series[key]

    def _colour(self) -> None:
        """Give each trace the colour of its lane, or of its component where a plot holds several."""
        if self._source is None:
            return
        info = self._source.info
        colours = dict(zip(info.lanes, info.colours, strict=True))
        for plot in self.plots:
            lanes = len(self._shown)
            for number, trace in enumerate(plot.traces):
                if plot.header.symbol:
                    trace.colour = self._style.lane(colours[self._shown[number % lanes]])
                else:
                    trace.colour = self._style.component(trace.component, len(trace.series.least))

    def _wants_rows(self, frame: Frame) -> bool:
        """Panels take turns, so that no frame waits for all of them."""
        self._frames += 1
        near = frame.time + 1.0 + frame.speed
        return (
            not frame.playing
            or (self._frames + self.order // 10) % ROWS_EVERY == 0
            or any(self._extent.get(lane.name, 0.0) < min(near, lane.computed_to) for lane in frame.lanes)
        )

    def _wants_digits(self, frame: Frame) -> bool:
        now = monotonic()
        if frame.playing and now - self._digits_at < DIGITS_INTERVAL:
            return False
        self._digits_at = now
        return True

    def _take_rows(self, frame: Frame) -> bool:
        """Ask the source for lanes that got further since the last frame; true where rows are new."""
        grown = False
        for lane in frame.lanes:
            if self._source is None or self._extent.get(lane.name) == lane.computed_to:
                continue
            self._extent[lane.name] = lane.computed_to
            for (name, quantity, _), series in self._series.items():
                if name == lane.name:
                    grown |= series.take(*self._source.values(name, quantity))
        return grown
