"""A panel over time in the window: its title, its strips, and when they are renewed."""

import math

from PySide6.QtWidgets import QVBoxLayout

from quatviz.base.translation import tr
from quatviz.display.data.budget import FrameBudget
from quatviz.display.data.frame import Frame, RunInfo, Source
from quatviz.display.panels.base import Pointed, Reading, TimePanel
from quatviz.display.panels.base.curves import TITLE_WEIGHT, Curves, emphasise, old_traces, shows
from quatviz.display.view_state.theme import Theme
from quatviz.ui.plots.end_label_painter import EndNames
from quatviz.ui.plots.panel_view import Given, PanelView
from quatviz.ui.plots.rows import SentenceRow, TimeRow
from quatviz.ui.plots.strip_plot import StripPlot

UNSEEN = 1.0
"""Seconds for which rows may wait that are beyond what is in sight while a run plays."""


class TimeView(PanelView):
    """Draws the `Curves` of its panel, made anew where lanes or choices change."""

    panel: TimePanel

    def __init__(self, panel: TimePanel, given: Given) -> None:
        super().__init__(panel, given)
        self.plots: list[StripPlot] = []
        self.curves: Curves | None = None
        self._shown: tuple[str, ...] = ()
        self._extent: dict[str, float] = {}
        self._taken, self._taken_at = 0, -math.inf
        self._owes = False
        self._time = 0.0
        self._pointed: Pointed | None = None
        self.empty = SentenceRow(self, fills=True)
        self._strips = QVBoxLayout()
        self.remark = SentenceRow(self)
        self.times = TimeRow(self, given.axis)
        self.body.addWidget(self.empty)
        self.body.addLayout(self._strips, 1)
        self.body.addWidget(self.remark)
        self.body.addWidget(self.times)
        given.choices.changed.connect(self._choose)

    def point_at(self, pointed: Pointed | None) -> bool:
        strips = self.curves.strips if self.curves is not None else ()
        self._pointed = pointed if shows(strips, pointed) else None
        for plot in self.plots:
            plot.due |= emphasise(plot.traces, self._pointed, self._differs)
        return self._pointed is not None

    def start(self, source: Source) -> None:
        if self.source is not None and self.source.info.title != source.info.title:
            for plot in self.plots:
                plot.names = EndNames()
        super().start(source)
        self._extent = {}
        self._arrange(source.info.lanes)

    def waits(self, info: RunInfo) -> bool:
        """Errors of a sketch are those of its longer steps: they, and the scale that they need, tell nothing of the run."""
        note = tr("renewed once the hand rests")
        waits = info.sketched and (self.panel.shows_errors or self._differs)
        if waits and note != self.heading.note:
            self.heading.say(note)
        return waits

    def forget(self) -> None:
        super().forget()
        self.curves = None
        for plot in self.plots:
            plot.forget()

    def show_frame(self, frame: Frame) -> None:
        shown = tuple(lane.name for lane in frame.lanes if lane.visible)
        if shown != self._shown:
            self._arrange(shown)
        grown = self._take_rows(frame)
        if grown:
            self._say_notes()
        ended = {lane.name: lane.died_at for lane in frame.lanes}
        for plot in self.plots:
            if grown:
                plot.grow()
            plot.show_ends(ended)
        if frame.reads:
            self._read(frame.time)

    def draw(self, budget: FrameBudget) -> None:
        for number, plot in enumerate(self.plots):
            plot.draw((self.name, number), budget)
        self.times.follow()

    def _read(self, time: float) -> None:
        """Put cursors, dots, digits and the tag of the times at `time`, which they all show."""
        self._time = time
        for plot in self.plots:
            plot.show_time(time)
        self.times.show_time(time)

    @property
    def moving(self) -> float:
        return max(len(self.plots), 1)

    @property
    def wanted_aside(self) -> float:
        return max((plot.wanted_aside for plot in self.plots), default=0.0)

    def keep_aside(self, wide: float) -> None:
        for plot in self.plots:
            plot.aside = wide
        self.times.keep_aside(wide)

    @property
    def owes(self) -> bool:
        return self._owes

    def recolour(self, theme: Theme) -> None:
        if self.curves is not None and self.source is not None:
            self.curves.recolour(self.source.info, theme)
        for plot in self.plots:
            plot.renew()

    def end(self) -> None:
        self.given.choices.changed.disconnect(self._choose)
        for plot in self.plots:
            plot.detach()
        self.plots, self.curves = [], None

    @property
    def weight(self) -> float:
        return self.curves.weight if self.curves is not None else TITLE_WEIGHT + 1.0

    def readings(self) -> list[Reading]:
        return self.curves.readings(self._time) if self.curves is not None else []

    @property
    def times_height(self) -> float:
        """What the times below the strips take, where they are written."""
        return 0.0 if self.times.isHidden() else float(self.times.height())

    def number_times(self, on: bool) -> None:
        """Write the times below the strips, or leave that to the panel below."""
        self.times.setVisible(on)

    @property
    def _differs(self) -> bool:
        return self.curves is not None and self.curves.differs

    def _choose(self) -> None:
        """A choice changed; a fault must not reach the person who clicked."""
        if self.source is None or self.given.choices.reference not in self.source.info.lanes:
            return  # a hidden panel still has an earlier run, and gets this one when it is shown
        try:
            self._arrange(self._shown)
        except Exception as error:
            self.given.report(error)

    def _arrange(self, shown: tuple[str, ...]) -> None:
        """Make the plots for the lanes that are shown."""
        self._shown = shown
        if self.source is None:
            return
        curves = Curves(self.panel, self.source, shown, self.given.choices, self.theme)
        self.empty.say(curves.empty)
        self.curves = curves
        for strip in self.plots[len(curves.plots) :]:
            strip.detach()
        self.plots = self.plots[: len(curves.plots)]
        for strip, plot in zip(self.plots, curves.plots, strict=False):
            strip.take(plot)
        for plot in curves.plots[len(self.plots) :]:
            strip = StripPlot(self, plot, self.given)
            self.plots.append(strip)
            self._strips.addWidget(strip, 1)
        self.remark.say(curves.remark)
        self._fill(curves)
        self._say_notes(anew=True)

    def _fill(self, curves: Curves) -> None:
        """Give new plots what is there already."""
        curves.take()
        old = None if curves.differs or curves.form_changed else self.given.choices.old
        for plot in self.plots:
            emphasise(plot.traces, self._pointed, curves.differs)
            plot.old = old_traces(old, plot.traces)
            plot.show_time(self._time)
            plot.grow()

    def _say_notes(self, anew: bool = False) -> None:
        """Say what has changed; or all `anew`, for choosers may show other options."""
        if self.curves is None:
            return
        breaks, each = self.curves.breaks()
        units = self.curves.units
        unit = next(iter(units)) if len(units) == 1 else ""
        note = ", ".join(part for part in (breaks, unit, *self.curves.notes()) if part)
        tip = "\n".join(part for part in (note, each) if part)
        if anew or (note, tip) != (self.heading.note, self.heading.toolTip()):
            self.heading.say(note, tip)

    def _take_rows(self, frame: Frame) -> bool:
        """Ask the source if lanes got further since the last frame; true where rows are new. Where all of the window reads its
        numbers while a run plays, rows wait for the panel's next turn: together they would hold that frame up."""
        extent = {lane.name: lane.computed_to for lane in frame.lanes}
        new = self.curves is not None and (extent != self._extent or frame.taken != self._taken)
        self._owes = new and frame.playing and frame.reads and bool(self._extent)
        if self.curves is None or not new or self._owes or (frame.playing and self._may_wait(frame)):
            return False
        self._extent, self._taken, self._taken_at = extent, frame.taken, frame.budget.now
        return self.curves.take()

    def _may_wait(self, frame: Frame) -> bool:
        """Whether rows are beyond what is in sight: they change nothing there but ranges, for which a second is soon enough."""
        high, now = self.given.axis.high, frame.budget.now
        return now - self._taken_at < UNSEEN and all(plot.reach > high for plot in self.plots)
