"""A panel over time: it declares its strips, and everything else is here."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor

from quatviz.core.observables import QUANTITIES
from quatviz.ui.differences import Differences, rule
from quatviz.ui.forms import FORMS, Formed
from quatviz.ui.frame import ALIVE, Frame, RunInfo, Source
from quatviz.ui.lane_look import shape_of
from quatviz.ui.panels.base import Panel, Pointed, Reading
from quatviz.ui.plotting.break_words import breaks_text
from quatviz.ui.plotting.choices import Choice, Choices
from quatviz.ui.plotting.curves import Trace
from quatviz.ui.plotting.digit_turns import DigitTurns
from quatviz.ui.plotting.jump_series import angle_series, counts_of, parameter_series
from quatviz.ui.plotting.old_curves import old_traces
from quatviz.ui.plotting.pointing import emphasise, shows
from quatviz.ui.plotting.rows import SentenceRow, TimeRow, TitleRow
from quatviz.ui.plotting.scales import SCALES
from quatviz.ui.plotting.series import Series
from quatviz.ui.plotting.stack_series import StackSeries
from quatviz.ui.plotting.strip import Strip, differences, sharing
from quatviz.ui.plotting.strip_plot import StripPlot
from quatviz.ui.plotting.style import PlotStyle
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.theme import Theme
from quatviz.ui.tr import tr

ROWS_EVERY = 4
"""While it plays, a panel takes new rows in every so many frames, unless the cursor is about to reach them."""
TITLE_WEIGHT = 0.4
"""Height of the title in ordinary strips."""
SHARED_WEIGHT = 0.4
"""What each further component adds to the height of a plot that holds several."""

LONELY = "Nothing to compare: show a second lane."


class TimePanel(Panel):
    """Extend it with `name`, `title`, `order` and `strips`; `emblem` and `note` are for the title row.

    With several lanes each strip is a plot of its own and colour tells the lane. With one lane the strips of
    a quantity share a plot and colour tells the component. In difference mode the strips are those of
    `strip.differences`, unless the panel does not `compare`. A panel with a `choice` says by `strips_of` what
    each option shows; one with a `form` shows the same strips in a form that people choose, the first of which is that
    of the columns, any other one of `ui.forms.FORMS`. `lanes_of` leaves out lanes that have no such quantity.
    """

    strips: ClassVar[tuple[Strip, ...]] = ()
    choice: Choice | None = None
    form: ClassVar[Choice | None] = None
    compares: ClassVar[bool] = True
    emblem: ClassVar[tuple[str, str]] = ("", "text")
    """A symbol, and the field of `Theme` with the colour in which the 3D view draws the same thing."""
    note: ClassVar[str] = ""
    """What to say beside the title after the unit of the strips."""
    nothing: ClassVar[str] = "No lane is shown."
    """What to say where there is nothing to draw."""

    def __init__(self) -> None:
        self.axis = TimeAxis()
        self.choices = Choices()
        self.plots: list[StripPlot] = []
        self.report: Callable[[Exception], None] = lambda error: None
        self.offer: Callable[[QPoint], None] = lambda point: None
        self._source: Source | None = None
        self._compared: Source | None = None
        self._series: dict[tuple[str, Strip], Series] = {}
        self._strips: tuple[Strip, ...] = ()
        self._against_theory = False
        self._shown: tuple[str, ...] = ()
        self._extent: dict[str, float] = {}
        self._taken = 0
        self._time = 0.0
        self._frames = 0
        self._digits = DigitTurns()
        self._pointed: Pointed | None = None

    def share(self, axis: TimeAxis, choices: Choices) -> None:
        """Use the board's axis and its choices."""
        self.axis, self.choices = axis, choices
        choices.changed.connect(self._choose)

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        """The strips for an option of `choice` (empty without one) in a run."""
        return self.strips

    def note_of(self, option: str) -> str:
        """What to say beside the title for an option of `choice`."""
        return tr(self.note)

    def choice_of(self, info: RunInfo) -> Choice | None:
        """The choice in this run, of a panel that has one; its options may depend on the lanes."""
        return self.choice

    @property
    def offered(self) -> tuple[Choice, ...]:
        """Everything that people can choose in this panel."""
        return tuple(one for one in (self.form, self.choice) if one is not None)

    def point_at(self, pointed: Pointed | None) -> bool:
        self._pointed = pointed if shows(self._strips, pointed) else None
        for plot in self.plots:
            if emphasise(plot.traces, self._pointed, self._differs):
                plot.renew()
        return self._pointed is not None

    def lanes_of(self, shown: tuple[str, ...], info: RunInfo) -> tuple[str, ...]:
        """Those lanes of the shown ones that have something to draw."""
        return shown

    def remark(self, shown: tuple[str, ...], info: RunInfo) -> str:
        """What to say of these lanes below the strips."""
        return ""

    def build(self, layout: pg.GraphicsLayout, theme: Theme) -> None:
        self._layout = layout
        self._style = PlotStyle(theme)
        layout.layout.setContentsMargins(0, 0, 0, 0)
        layout.layout.setSpacing(0)
        self._title = TitleRow(
            self._style, tr(self.title), self.emblem[0], self.choice, self.choices, self.form
        )
        self._empty = SentenceRow(self._style, fills=True)
        self._remark = SentenceRow(self._style)
        self._times = TimeRow(self._style, self.axis)
        for row, item in ((0, self._title), (1, self._empty), (_LAST_ROW - 1, self._remark)):
            layout.addItem(item, row=row, col=0)
        self.restyle(theme)

    def start(self, source: Source) -> None:
        self._source = source
        self.choice = self.choice_of(source.info)
        self._title.choose_among(self.offered)
        self._series, self._extent = {}, {}
        self._arrange(source.info.lanes)

    def show(self, frame: Frame) -> None:
        self._time = self._times.time = frame.time
        shown = tuple(lane.name for lane in frame.lanes if lane.visible)
        if shown != self._shown:
            self._arrange(shown)
        grown = self._wants_rows(frame) and self._take_rows(frame)
        if grown:
            self._say_notes()
        fresh = self._digits.whose(self.plots, frame.playing)
        ended = {lane.name for lane in frame.lanes if lane.status not in ALIVE}
        for plot in self.plots:
            plot.show_time(frame.time, grown, plot in fresh)
            plot.show_ends(ended)

    def dirty(self) -> list[QRectF] | None:
        rects = [plot.mapRectToScene(rect) for plot in self.plots for rect in plot.dirty()]
        return [*rects, self._times.sceneBoundingRect()]

    def moved(self) -> list[QRectF]:
        return [plot.mapRectToScene(rect) for plot in self.plots for rect in plot.moved()]

    def restyle(self, theme: Theme) -> None:
        self._style = PlotStyle(theme)
        self._title.restyle(self._style, QColor(getattr(theme, self.emblem[1])))
        self._empty.restyle(self._style)
        self._remark.restyle(self._style)
        self._times.restyle(self._style)
        self._colour()
        for plot in self.plots:
            plot.restyle(self._style)

    def close(self) -> None:
        self.choices.changed.disconnect(self._choose)
        for plot in self.plots:
            plot.detach()
        self.plots = []

    @property
    def weight(self) -> float:
        return TITLE_WEIGHT + (sum(plot.weight for plot in self.plots) or 1.0)

    def readings(self) -> list[Reading]:
        note = self._difference_note()
        said = note or (self._form if self._form in FORMS else "")
        return [
            Reading(
                trace.lane,
                f"{trace.quantity}, {said}" if said else trace.quantity,
                (plot.header.symbol or trace.label)
                if note
                else QUANTITIES[trace.quantity].symbols[trace.component],
                trace.series.at(self._time)[trace.component],
                plot.header.unit,
                QUANTITIES[trace.quantity].frame,
            )
            for plot in self.plots
            for trace in plot.traces
        ]

    @property
    def times_height(self) -> float:
        """What the times below the strips take, where they are written."""
        return self._times.maximumHeight() if self._times.parentLayoutItem() is not None else 0.0

    def number_times(self, on: bool) -> None:
        """Write the times below the strips, or leave that to the panel below."""
        if on and self._times.parentLayoutItem() is None:
            self._layout.addItem(self._times, row=_LAST_ROW, col=0)
            self._times.show()
        elif not on and self._times.parentLayoutItem() is not None:
            self._layout.removeItem(self._times)

    @property
    def said_note(self) -> str:
        """What stands beside its title."""
        return self._title.note

    @property
    def said_remark(self) -> str:
        """What stands below its strips."""
        return self._remark.sentence

    @property
    def _option(self) -> str:
        return self.choices.option(self.choice) if self.choice is not None else ""

    @property
    def _form(self) -> str:
        return self.choices.option(self.form) if self.form is not None else ""

    @property
    def _differs(self) -> bool:
        return self.choices.difference and self.compares

    def _difference_note(self) -> str:
        other = tr("theory") if self._against_theory else self.choices.reference
        return tr("difference from {other}", other=other) if self._differs else ""

    def _choose(self) -> None:
        """A choice changed; a fault must not reach the person who clicked."""
        if self._source is None or self.choices.reference not in self._source.info.lanes:
            return  # a hidden panel still has an earlier run, and gets this one when it is shown
        try:
            self._arrange(self._shown)
        except Exception as error:
            self.report(error)

    def _arrange(self, shown: tuple[str, ...]) -> None:
        """Make the plots for the lanes that are shown."""
        self._shown = shown
        if self._source is None:
            return
        info = self._source.info
        lanes = self.lanes_of(shown, info)
        strips = self.strips_of(self._option, info)
        self._against_theory = any(rule(strip.quantity).against for strip in strips)
        self._empty.say("" if lanes else tr(self.nothing))
        self._compared = self._source
        if self._form in FORMS:
            self._compared = Formed(self._source, self._form, self.choices.reference)
        if self._differs:
            strips = differences(strips)
            self._compared = Differences(self._source, self.choices.reference)
            if not self._against_theory:
                lanes = tuple(lane for lane in lanes if lane != self.choices.reference)
                self._empty.say(self._empty.sentence or ("" if lanes else tr(LONELY)))
        self._clear()
        self.plots = (
            [self._plot(group, lanes) for group in sharing(strips, len(self._shown) == 1)] if lanes else []
        )
        for row, plot in enumerate(self.plots, start=2):
            self._layout.addItem(plot, row=row, col=0)
        self._strips = strips
        self._remark.say(self.remark(shown, info) if self.plots else "")
        self._fill()
        self._say_notes(anew=True)

    def _clear(self) -> None:
        for plot in self.plots:
            plot.detach()
            self._layout.removeItem(plot)
        self._series = {}

    def _fill(self) -> None:
        """Give new plots what is there already."""
        for (lane, strip), series in self._series.items():
            if self._compared is not None:
                series.take(*self._compared.values(lane, strip.quantity))
        self._colour()
        old = None if self._differs or self._form in FORMS else self.choices.old
        for plot in self.plots:
            plot.old = old_traces(old, plot.traces, lambda trace: trace.series.empty())
            plot.show_time(self._time, grown=True)
            plot.renew()

    def _say_notes(self, anew: bool = False) -> None:
        """Say what has changed; or all `anew`, for choosers may show other options."""
        counts, of_longest = counts_of({lane: one for (lane, _), one in self._series.items()})
        note = self._notes(self._strips, breaks_text(of_longest))
        tip = "\n".join(
            (note, *(f"{lane}: {breaks_text([one]) or tr('no breaks')}" for lane, one in counts.items()))
        )
        if anew or (note, tip) != (self._title.note, self._title.toolTip()):
            self._title.say(note, tip)

    def _notes(self, strips: tuple[Strip, ...], breaks: str) -> str:
        units = {strip.unit for strip in strips}
        frames = {QUANTITIES[strip.quantity].frame for strip in strips}
        frame = frames.pop() if len(frames) == 1 and self.choice is None else ""
        parts = (
            breaks,
            units.pop() if len(units) == 1 else "",
            tr("{frame} frame", frame=frame) if frame else "",
            self._difference_note() or self.note_of(self._option),
        )
        return ", ".join(part for part in parts if part)

    def _plot(self, strips: list[Strip], lanes: tuple[str, ...]) -> StripPlot:
        first = strips[0]
        symbol = first.symbol if len(strips) == 1 and not first.stack else ""
        plot = StripPlot(self.axis, self._style, SCALES[first.scale](), symbol, first.unit)
        plot.band = first.band
        plot.quiet = first.quantity == "p" and first.component > 0  # flips are those of all four
        plot.weight = first.weight + SHARED_WEIGHT * (len(strips) - 1)
        plot.seek = lambda time: self.seek(time)
        plot.offer = lambda point: self.offer(point)
        plot.on_fault = lambda error: self.report(error)
        for theory in (False, True):
            for strip in strips:
                if not theory or strip.theory:
                    plot.traces += [self._trace(lane, strip, symbol, theory) for lane in lanes]
                if not theory:
                    plot.traces += [self._trace(lane, part, symbol) for lane in lanes for part in strip.stack]
        return plot

    def _trace(self, lane: str, strip: Strip, symbol: str, theory: bool = False) -> Trace:
        quantity = strip.theory if theory else strip.quantity
        label = lane if symbol else strip.symbol
        kept = Strip(quantity, scale=strip.scale, differs=strip.differs, stacked=strip.stacked)
        series = self._column(lane, kept)
        return Trace(series, strip.component, QColor(), label, lane, quantity, theory, strip.stacked)

    def _column(self, lane: str, strip: Strip) -> Series:
        """The series of all components of the strip's quantity."""
        if (lane, strip) not in self._series:
            quantity = QUANTITIES[strip.quantity]
            if strip.stacked:
                self._series[lane, strip] = StackSeries(strip.width)
            elif quantity.name.startswith("angles_") and not strip.differs:
                self._series[lane, strip] = angle_series(quantity.sequence)
            elif quantity.name == "p" and not strip.differs:
                self._series[lane, strip] = parameter_series()
            else:
                self._series[lane, strip] = Series(strip.width, strip.magnitude)
        return self._series[lane, strip]

    def _colour(self) -> None:
        """Give each trace the colour of its lane, or of its component where a plot holds several."""
        if self._source is None:
            return
        info = self._source.info
        colours = dict(zip(info.lanes, info.colours, strict=True))
        for plot in self.plots:
            emphasise(plot.traces, self._pointed, self._differs)
            for trace in plot.traces:
                if trace.theory or (plot.sums and not trace.part):
                    trace.colour = self._style.text
                elif plot.header.symbol:
                    trace.colour = self._style.lane(colours[trace.lane])
                    trace.shape = shape_of(colours[trace.lane])
                else:
                    trace.colour = self._style.component(trace.component, len(trace.series.least))

    def _wants_rows(self, frame: Frame) -> bool:
        """Panels take turns, so that no frame waits for all of them."""
        self._frames += 1
        near = frame.time + 1.0 + frame.speed
        return (
            not frame.playing
            or (self._frames + self.order // 10) % ROWS_EVERY == 0
            or any(self._extent.get(lane.name, -1.0) < min(near, lane.computed_to) for lane in frame.lanes)
        )

    def _take_rows(self, frame: Frame) -> bool:
        """Ask the source if lanes got further since the last frame; true where rows are new."""
        extent = {lane.name: lane.computed_to for lane in frame.lanes}
        if self._compared is None or (extent == self._extent and frame.taken == self._taken):
            return False
        self._extent, self._taken = extent, frame.taken
        values = self._compared.values
        takes = [one.take(*values(lane, strip.quantity)) for (lane, strip), one in self._series.items()]
        return any(takes)


_LAST_ROW = 99  # below the strips, however many there are
