"""What a panel over time shows of a run: its plots with their curves, and what is said beside them, for window and paper."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.derived_sources import FORMS, Differences, Formed, rule
from quatviz.display.data.frame import RunInfo, Source
from quatviz.display.data.scales import SCALES, Scale
from quatviz.display.data.series import Series, StackSeries, angle_series, counts_of, parameter_series
from quatviz.display.panels.base import Pointed, Reading, TimePanel
from quatviz.display.panels.base.canvas import component_colour
from quatviz.display.panels.base.strip import Strip, differences, sharing
from quatviz.display.view_state.choices import AXES, Choices
from quatviz.display.view_state.choices import Old as OldRun
from quatviz.display.view_state.line_styles import lane_colour, pattern_of
from quatviz.display.view_state.theme import Theme
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.jumps import breaks_text
from quatviz.physics.observables.quantities import QUANTITIES, ROUNDED

SHARED_WEIGHT = 0.4
"""What each further component adds to the height of a plot that holds several."""
TITLE_WEIGHT = 0.4
"""Height of a title in ordinary strips."""

BESIDE = 1e-6
"""Of the largest component of a vector: what another spans at least."""
KNOWN = 2.0**-48
"""Of the size of a quantity: a difference that is no more is of rounding, a few steps of it."""
_SIZES = {"": 1.0, "rad": 1.0, "deg": 180.0}
"""Of quantities whose unit tells it: parts of a whole, and angles."""
LONELY = "Nothing to compare: show a second lane."
THEORY_WIDTH = 3
"""That of what a curve should be, by the width of the curve, which lies upon it."""
THEORY_OPACITY = 0.35


@dataclass(eq=False)
class Trace:
    """One component of one lane. `label` is what tells it from the other traces of its plot."""

    series: Series
    component: int
    colour: str
    label: str
    lane: str = ""
    quantity: str = ""
    theory: bool = False
    """Whether it is what the trace of the same lane should be: a broad pale line below it, without dot and number."""
    part: bool = False
    """Whether it is a part of a sum: an area between its curve and that of the component before it, without dot."""
    ended: float | None = None
    """When the lane died [s]: a cross marks that, as high as its last row; None while it lives."""
    emphasis: int = 0
    """1 where a person points at it elsewhere, -1 where at another one, which fades this one."""
    number: int | None = None
    """That of its lane's colour and shape, where these tell the lane."""
    pattern: Sequence[float] = ()
    """Lengths of dash and gap in turn, by the width of its curve, where they tell the lane."""
    points: bool = False
    """Whether it is a symbol at each row, without a line: on paper only."""

    def at(self, time: float) -> float:
        """The value under the cursor at `time`."""
        return self.series.at(time)[self.component]

    @property
    def end(self) -> tuple[float, float] | None:
        """When the lane died [s], and the last number before: what it had when it died is in no row. The time of that number where
        it is not of the row before, as of a difference from a lane that died first."""
        last = self.series.end(self.component) if self.ended is not None else None
        if last is None or self.ended is None:
            return None
        (time, value), times = last, self.series.times
        between = float(np.ptp(times[-2:])) if len(times) > 1 else math.inf
        return (self.ended if time < self.ended < time + 1.001 * between else time), value


@dataclass(eq=False)
class Plot:
    """One strip, or several that share a plot. With a `symbol` its traces are lanes of one component, without one they are
    components, each with its own label."""

    scale: Scale
    symbol: str = ""
    unit: str = ""
    kind: str = "linear"
    """The name of its scale in `feed.scales.SCALES`."""
    weight: float = 1.0
    """Its height in ordinary strips."""
    band: float | None = None
    """Half the width of the band about zero that means danger."""
    size: float = 0.0
    """How large quantities of this unit are in this run; 0 where nothing tells."""
    together: bool = False
    """Whether its axis covers all components of its vector, so that all of them are drawn to one scale."""
    ring: int | None = None
    """Which ring of the gimbals its angle turns: its symbol has that one's colour."""
    quiet: bool = False
    """Whether words of marks wait until they are pointed at, because another strip has them."""
    traces: list[Trace] = field(default_factory=list)

    @property
    def sums(self) -> bool:
        """Whether it shows one lane's value with the parts that it is the sum of."""
        return any(trace.part for trace in self.traces)

    def fit_range(self, others: Iterable[Trace] = ()) -> bool:
        """Widen the range to what the series hold, and those of the `others`; true where it changed."""
        changed = False
        for trace in (*self.traces, *others):
            series = trace.series
            number = slice(None) if self.together else slice(trace.component, trace.component + 1)
            largest = float(np.fmax.reduce(np.fmax(-series.least, series.greatest), initial=0.0))
            changed |= self.scale.cover(
                float(np.fmin.reduce(series.least[number])),
                float(np.fmax.reduce(series.greatest[number])),
                float(np.fmin.reduce(series.least_positive[number])),
                KNOWN * self.size if self.scale.magnitude else max(BESIDE * largest, ROUNDED * self.size),
            )
        if self.band is not None and not self.scale.empty:
            changed |= self.scale.cover(0.0, self.band, math.nan, 0.0)
        if self.sums and not self.scale.empty:
            changed |= self.scale.cover(0.0, 0.0, math.nan, 0.0)  # areas stand on zero
        return changed


class Curves:
    """Of a `panel` in the run of `source`, whose lanes `shown` are seen, with what is `chosen`, in the colours of `theme`.

    Its series hold rows once they are taken: `take` does so, once on paper and in turn in the window.
    """

    def __init__(
        self, panel: TimePanel, source: Source, shown: tuple[str, ...], chosen: Choices, theme: Theme
    ) -> None:
        info = source.info
        self.panel, self.info, self.shown = panel, info, shown
        self.offered = panel.offered(info)
        choice = panel.choice_in(info)
        self.option = chosen.option(choice) if choice is not None else ""
        self.form = chosen.option(panel.form) if panel.form is not None else ""
        self.differs = chosen.difference and panel.compares
        self._together = chosen.option(AXES) == "shared"
        lanes = panel.lanes_of(shown, self.option, info)
        strips = panel.strips_of(self.option, info)
        against_theory = any(rule(strip.quantity).against for strip in strips)
        self.compared_with = (
            (tr("theory") if against_theory else lane_title(chosen.reference)) if self.differs else ""
        )
        self.empty = "" if lanes else tr(panel.nothing)
        """What there is to say in place of curves."""
        self._compared: Source = source
        if self.form_changed:
            self._compared = Formed(source, self.form, chosen.reference)
        if self.differs:
            strips = differences(strips)
            self._compared = Differences(source, chosen.reference)
            if not against_theory:
                lanes = tuple(lane for lane in lanes if lane != chosen.reference)
                self.empty = self.empty or ("" if lanes else tr(LONELY))
        self.strips = strips
        self._series: dict[tuple[str, Strip], Series] = {}
        groups = sharing(strips, len(shown) == 1) if lanes else []
        self.plots = [self._plot(group, lanes) for group in groups]
        self.remark = panel.remark(shown, self.option, info) if self.plots else ""
        """What there is to say below them."""
        self.recolour(info, theme)

    def take(self) -> bool:
        """Take in the rows that there are by now; true where some are new."""
        values = self._compared.values
        takes = [one.take(*values(lane, strip.quantity)) for (lane, strip), one in self._series.items()]
        return any(takes)

    def recolour(self, info: RunInfo, theme: Theme) -> None:
        """Give each trace the colour of its lane, or of its component where a plot holds several."""
        colours = dict(zip(info.lanes, info.colours, strict=True))
        for plot in self.plots:
            for trace in plot.traces:
                trace.number, trace.pattern = None, ()
                if plot.sums and not trace.part:
                    trace.colour = theme.text
                elif trace.theory:
                    trace.colour = lane_colour(theme, colours[trace.lane])
                elif plot.symbol:
                    trace.number = colours[trace.lane]
                    trace.colour = lane_colour(theme, trace.number)
                    trace.pattern = pattern_of(trace.number)
                else:
                    trace.colour = component_colour(theme, trace.component, len(trace.series.least))

    @property
    def weight(self) -> float:
        """Height of the whole panel in ordinary strips."""
        return TITLE_WEIGHT + (sum(plot.weight for plot in self.plots) or 1.0)

    @property
    def form_changed(self) -> bool:
        """Whether rows are written in another form than that of the columns."""
        return self.form in FORMS

    @property
    def difference_note(self) -> str:
        """What lanes are compared with, in words; empty where they are not."""
        if self.differs and all(rule(strip.quantity).against for strip in self.strips):
            return tr("difference from theory")
        return tr("difference from {other}", other=self.compared_with) if self.differs else ""

    def breaks(self) -> tuple[str, str]:
        """How often the curves jump, in the lanes that got furthest; and each lane by itself, on lines."""
        counts, of_longest = counts_of({lane: one for (lane, _), one in self._series.items()})
        each = (
            f"{lane_title(lane)}: {breaks_text([one]) or tr('no breaks')}" for lane, one in counts.items()
        )
        return breaks_text(of_longest), "\n".join(each)

    @property
    def units(self) -> set[str]:
        return {strip.unit for strip in self.strips}

    def notes(self) -> list[str]:
        """What is said beside the title, after jumps and the unit that all strips share: frame, and what they are compared
        with, or the panel's own note."""
        frames = {QUANTITIES[strip.quantity].frame for strip in self.strips}
        frame = frames.pop() if len(frames) == 1 and self.panel.choice is None else ""
        told = (
            tr("{frame} frame", frame=frame) if frame else "",
            self.difference_note or self.panel.note_of(self.option, self.info),
        )
        return [part for part in told if part]

    def readings(self, time: float) -> list[Reading]:
        """Its numbers at `time` [s]."""
        note = self.difference_note
        said = note or (self.form if self.form_changed else "")
        return [
            Reading(
                trace.lane,
                f"{trace.quantity}, {said}" if said else trace.quantity,
                (plot.symbol or trace.label) if note else QUANTITIES[trace.quantity].symbols[trace.component],
                trace.series.at(time)[trace.component],
                plot.unit,
                QUANTITIES[trace.quantity].frame,
            )
            for plot in self.plots
            for trace in plot.traces
        ]

    def _plot(self, strips: list[Strip], lanes: tuple[str, ...]) -> Plot:
        first = strips[0]
        symbol = first.symbol if len(strips) == 1 and not first.stack else ""
        plot = Plot(
            SCALES[first.scale](),
            symbol,
            first.unit,
            first.scale,
            first.weight + SHARED_WEIGHT * (len(strips) - 1),
            first.band,
            self._size(first),
            self._together and first.of_a_vector,
            ring=first.component if first.of_a_ring else None,
            quiet=first.quantity == "p" and first.component > 0,  # flips are those of all four
        )
        for theory in (False, True):
            for strip in strips:
                if not theory or strip.theory:
                    plot.traces += [self._trace(lane, strip, symbol, theory) for lane in lanes]
                if not theory:
                    plot.traces += [self._trace(lane, part, symbol) for lane in lanes for part in strip.stack]
        return plot

    def _size(self, strip: Strip) -> float:
        sizes = self.info.sizes
        if strip.magnitude:
            sizes = {**_SIZES, "1/s": sizes.get("rad/s", 0.0), "N m": sizes.get("J", 0.0), **sizes}
        return sizes.get(strip.unit, 0.0)

    def _trace(self, lane: str, strip: Strip, symbol: str, theory: bool = False) -> Trace:
        quantity = strip.theory if theory else strip.quantity
        label = lane if symbol else strip.symbol
        kept = Strip(quantity, scale=strip.scale, differs=strip.differs, stacked=strip.stacked)
        series = self._column(lane, kept)
        return Trace(series, strip.component, "", label, lane, quantity, theory, strip.stacked)

    def _column(self, lane: str, strip: Strip) -> Series:
        """The series of all components of the strip's quantity."""
        if (lane, strip) not in self._series:
            self._series[lane, strip] = series_of(strip)
        return self._series[lane, strip]


def series_of(strip: Strip) -> Series:
    """What holds the rows of its quantity, for curves: with their jumps, where they have some."""
    quantity = QUANTITIES[strip.quantity]
    if strip.stacked:
        return StackSeries(strip.width)
    if quantity.name.startswith("angles_") and not strip.differs:
        return angle_series(quantity.sequence)
    if quantity.name == "p" and not strip.differs:
        return parameter_series()
    return Series(strip.width, strip.magnitude)


Old = list[tuple[Trace, Trace]]
"""Traces of the run, whose colours hold for both, and of its old future."""


def old_traces(old: OldRun | None, traces: Sequence[Trace]) -> Old:
    """The old future of each trace that has one."""
    if old is None:
        return []
    made: dict[tuple[str, str], Series] = {}
    found = []
    for trace in traces:
        if trace.theory or trace.part or trace.lane not in old.lanes:
            continue
        key = (trace.lane, trace.quantity)
        if key not in made:
            made[key] = trace.series.empty()
            made[key].take(*old.values(*key))
        found.append((trace, replace(trace, series=made[key], number=None, pattern=(), ended=None)))
    return found


_SPACE = "_space"


def shows(strips: Iterable[Strip], pointed: Pointed | None) -> bool:
    """Whether the strips have the quantity, in whatever frame."""
    if pointed is None:
        return False
    return any(
        part.quantity.removesuffix(_SPACE) == pointed.quantity
        for strip in strips
        for part in (strip, *strip.stack)
    )


def emphasise(traces: list[Trace], pointed: Pointed | None, differs: bool) -> bool:
    """Let the curves of `pointed` stand out and the others fade, or, where it is None, all be equal; whether that changes
    how any of them looks.

    A component is one of the body frame: curves in space components, and differences, which have fewer components,
    stand out together.
    """
    before = [trace.emphasis for trace in traces]
    for trace in traces:
        trace.emphasis = 0 if pointed is None else 1 if _is(trace, pointed, differs) else -1
    return before != [trace.emphasis for trace in traces]


def _is(trace: Trace, pointed: Pointed, differs: bool) -> bool:
    base = trace.quantity.removesuffix(_SPACE)
    theory = trace.theory and base == f"{pointed.quantity}_theory"
    if base != pointed.quantity and not theory:
        return False
    named = not (differs or trace.quantity.endswith(_SPACE) or pointed.component is None)
    return pointed.lane in ("", trace.lane) and (not named or trace.component == pointed.component)
