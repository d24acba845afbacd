"""What a panel over time shows of a run: its plots with their curves, and what is said beside them, for window and paper."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.data.derived_sources import FORMS, Differences, FormSource, comparison_rule
from quatviz.display.data.frame import ColumnSource, RunInfo
from quatviz.display.data.scales import SCALE_CLASSES, Scale
from quatviz.display.data.series import Series, StackSeries, angle_series, jump_counts, parameter_series
from quatviz.display.panels.base import HighlightTarget, TimePanel, ValueReading
from quatviz.display.panels.base.canvas import component_colour
from quatviz.display.panels.base.strip import Strip, difference_strips, group_by_plot, with_scalar_last
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.board_choices import PreviousRunSource as PreviousRunSource
from quatviz.display.view_state.choices import AXES_CHOICE, SCALAR_CHOICE
from quatviz.display.view_state.line_styles import dash_pattern, lane_colour
from quatviz.display.view_state.theme import Theme
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.jumps import format_jump_counts
from quatviz.physics.observables.quantities import QUANTITIES, ROUNDING_LEVEL

SHARED_WEIGHT = 0.4
"""What each further component adds to the height of a plot that holds several."""
TITLE_WEIGHT = 0.4
"""Height of a title in ordinary strips."""

MIN_RELATIVE_COMPONENT_SPAN = 1e-6
"""Of the largest component of a vector: what another spans at least."""
RELATIVE_ROUNDOFF = 2.0**-48
"""Of the size of a quantity: a difference that is no more is of rounding, a few steps of it."""
_UNIT_SIZES = {"": 1.0, "rad": 1.0, "deg": 180.0}
"""Of quantities whose unit tells it: parts of a whole, and angles."""
NOTHING_TO_COMPARE = "Nothing to compare: show a second lane."


def other_loads_text(reference: str) -> str:
    """Say that lanes under other loads are not compared with the `reference`."""
    return tr("Lanes under other loads than {lane} make other motions and are left out.", lane=reference)


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
    is_theory: bool = False
    """Whether it is what the trace of the same lane should be: a broad pale line below it, without dot and number."""
    is_part: bool = False
    """Whether it is a part of a sum: an area between its curve and that of the component before it, without dot."""
    ended: float | None = None
    """When the lane died [s]: a cross marks that, as high as its last row; None while it lives."""
    emphasis: int = 0
    """1 where a person points at it elsewhere, -1 where at another one, which fades this one."""
    number: int | None = None
    """That of its lane's colour and shape, where these tell the lane."""
    pattern: Sequence[float] = ()
    """Lengths of dash and gap in turn, by the width of its curve, where they tell the lane."""
    is_scatter: bool = False
    """Whether it is a symbol at each row, without a line: on paper only."""

    def value_at(self, time: float) -> float:
        """The value under the cursor at `time`."""
        return self.series.values_at(time)[self.component]

    @property
    def end_point(self) -> tuple[float, float] | None:
        """When the lane died [s], and the last number before: what it had when it died is in no row. The time of that number where
        it is not of the row before, as of a difference from a lane that died first."""
        last = self.series.last_point(self.component) if self.ended is not None else None
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
    scale_name: str = "linear"
    """The name of its scale in `display.data.scales.SCALE_CLASSES`."""
    weight: float = 1.0
    """Its height in ordinary strips."""
    band: float | None = None
    """Half the width of the band about zero that means danger."""
    size: float = 0.0
    """How large quantities of this unit are in this run; 0 where nothing tells."""
    shares_scale: bool = False
    """Whether its axis covers all components of its vector, so that all of them are drawn to one scale."""
    ring_index: int | None = None
    """Which ring of the gimbals its angle turns: its symbol has that one's colour."""
    is_measurable: bool = False
    """True if its curves are quantities of a lane as they are, neither differences nor another form."""
    hides_mark_labels: bool = False
    """Whether words of marks wait until they are pointed at, because another strip has them."""
    traces: list[Trace] = field(default_factory=list)

    @property
    def is_stacked(self) -> bool:
        """Whether it shows one lane's value with the parts that it is the sum of."""
        return any(trace.is_part for trace in self.traces)

    def extend_range(self, others: Iterable[Trace] = ()) -> bool:
        """Widen the range to what the series hold, and those of the `others`; true where it changed."""
        changed = False
        for trace in (*self.traces, *others):
            series = trace.series
            number = slice(None) if self.shares_scale else slice(trace.component, trace.component + 1)
            largest = float(np.fmax.reduce(np.fmax(-series.minimum, series.maximum), initial=0.0))
            changed |= self.scale.extend_to(
                float(np.fmin.reduce(series.minimum[number])),
                float(np.fmax.reduce(series.maximum[number])),
                float(np.fmin.reduce(series.minimum_positive[number])),
                RELATIVE_ROUNDOFF * self.size
                if self.scale.magnitude
                else max(MIN_RELATIVE_COMPONENT_SPAN * largest, ROUNDING_LEVEL * self.size),
            )
        if self.band is not None and not self.scale.is_empty:
            changed |= self.scale.extend_to(0.0, self.band, math.nan, 0.0)
        if self.is_stacked and not self.scale.is_empty:
            changed |= self.scale.extend_to(0.0, 0.0, math.nan, 0.0)  # areas stand on zero
        return changed


class PanelCurves:
    """Of a `panel` in the run of `source`, whose lanes `shown` are seen, with what is `chosen`, in the colours of `theme`.

    Its series hold rows once they are taken: `load_rows` does so, once on paper and in turn in the window.
    """

    def __init__(
        self, panel: TimePanel, source: ColumnSource, shown: tuple[str, ...], choices: Choices, theme: Theme
    ) -> None:
        info = source.info
        self.panel, self.info, self.shown = panel, info, shown
        self.available_choices = panel.choices_in(info)
        panel_choice = panel.choice_in(info)
        self.option = choices.option(panel_choice) if panel_choice is not None else ""
        self.form = choices.option(panel.form) if panel.form is not None else ""
        self.is_difference = choices.difference and panel.supports_difference
        self._shares_scale = choices.option(AXES_CHOICE) == "shared"
        lanes = panel.lanes_of(shown, self.option, info)
        strips = panel.strips_of(self.option, info)
        self.scalar_last = choices.option(SCALAR_CHOICE) == "last"
        if self.scalar_last:
            strips = with_scalar_last(strips)
        against_theory = any(comparison_rule(strip.quantity).subtracted_quantity for strip in strips)
        self.reference_title = (
            (tr("theory") if against_theory else lane_title(choices.reference)) if self.is_difference else ""
        )
        self.empty_text = "" if lanes else tr(panel.empty_text)
        """What there is to say in place of curves."""
        other_loads_note = ""
        self._source: ColumnSource = source
        if self.is_transformed:
            self._source = FormSource(source, self.form, choices.reference)
        if self.is_difference:
            strips = difference_strips(strips)
            self._source = Differences(source, choices.reference)
            if not against_theory:
                lanes, other_loads_note = self._comparable_lanes(lanes, choices.reference)
                self.empty_text = self.empty_text or (
                    "" if lanes else other_loads_note or tr(NOTHING_TO_COMPARE)
                )
        self.strips = strips
        self._series: dict[tuple[str, Strip], Series] = {}
        groups = group_by_plot(strips, len(shown) == 1) if lanes else []
        self.plots = [self._make_plot(group, lanes) for group in groups]
        footnotes = (panel.footnote(shown, self.option, info), other_loads_note) if self.plots else ()
        self.footnote = " ".join(filter(None, footnotes))
        """What there is to say below them."""
        self.update_colors(info, theme)

    def _comparable_lanes(self, lanes: tuple[str, ...], reference: str) -> tuple[tuple[str, ...], str]:
        """The lanes that differ from the reference by errors alone, and what there is to say of the others."""
        others = tuple(lane for lane in lanes if lane != reference)
        comparable = tuple(lane for lane in others if self.info.has_same_loads(lane, reference))
        is_complete = len(comparable) == len(others)
        return comparable, "" if is_complete else other_loads_text(self.reference_title)

    def load_rows(self) -> bool:
        """Take in the rows that there are by now; true where some are new."""
        values = self._source.values
        has_new_rows = [
            series.set_data(*values(lane, strip.quantity)) for (lane, strip), series in self._series.items()
        ]
        return any(has_new_rows)

    def update_colors(self, info: RunInfo, theme: Theme) -> None:
        """Give each trace the colour of its lane, or of its component where a plot holds several."""
        colours = dict(zip(info.lanes, info.colours, strict=True))
        for plot in self.plots:
            for trace in plot.traces:
                trace.number, trace.pattern = None, ()
                if plot.is_stacked and not trace.is_part:
                    trace.colour = theme.text
                elif trace.is_theory:
                    trace.colour = lane_colour(theme, colours[trace.lane])
                elif plot.symbol:
                    trace.number = colours[trace.lane]
                    trace.colour = lane_colour(theme, trace.number)
                    trace.pattern = dash_pattern(trace.number)
                else:
                    trace.colour = component_colour(theme, trace.component, len(trace.series.minimum))

    @property
    def weight(self) -> float:
        """Height of the whole panel in ordinary strips."""
        return TITLE_WEIGHT + (sum(plot.weight for plot in self.plots) or 1.0)

    @property
    def is_transformed(self) -> bool:
        """Whether rows are written in another form than that of the columns."""
        return self.form in FORMS

    @property
    def difference_note(self) -> str:
        """What lanes are compared with, in words; empty where they are not."""
        if self.is_difference and all(
            comparison_rule(strip.quantity).subtracted_quantity for strip in self.strips
        ):
            return tr("difference from theory")
        return tr("difference from {other}", other=self.reference_title) if self.is_difference else ""

    def jump_texts(self) -> tuple[str, str]:
        """How often the curves jump, in the lanes that got furthest; and each lane by itself, on lines."""
        counts, of_longest = jump_counts(
            {lane: lane_counts for (lane, _), lane_counts in self._series.items()}
        )
        lane_texts = (
            f"{lane_title(lane)}: {format_jump_counts([lane_counts]) or tr('no breaks')}"
            for lane, lane_counts in counts.items()
        )
        return format_jump_counts(of_longest), "\n".join(lane_texts)

    @property
    def units(self) -> set[str]:
        return {strip.unit for strip in self.strips}

    def notes(self) -> list[str]:
        """What is said beside the title, after jumps and the unit that all strips share: frame, and what they are compared
        with, or the panel's own note."""
        frames = {QUANTITIES[strip.quantity].frame for strip in self.strips}
        frame = frames.pop() if len(frames) == 1 and self.panel.choice is None else ""
        shows_parameters = any(strip.quantity == "p" and not strip.differs for strip in self.strips)
        order = SCALAR_CHOICE.text("last" if self.scalar_last else "first") if shows_parameters else ""
        notes = (
            tr("{frame} frame", frame=frame) if frame else "",
            order,
            self.difference_note or self.panel.note_of(self.option, self.info),
        )
        return [part for part in notes if part]

    def readings(self, time: float) -> list[ValueReading]:
        """Its numbers at `time` [s]."""
        difference_note = self.difference_note
        qualifier = difference_note or (self.form if self.is_transformed else "")
        return [
            ValueReading(
                trace.lane,
                f"{trace.quantity}, {qualifier}" if qualifier else trace.quantity,
                (plot.symbol or trace.label)
                if difference_note
                else QUANTITIES[trace.quantity].symbols[trace.component],
                trace.series.values_at(time)[trace.component],
                plot.unit,
                QUANTITIES[trace.quantity].frame,
            )
            for plot in self.plots
            for trace in plot.traces
        ]

    def _make_plot(self, strips: list[Strip], lanes: tuple[str, ...]) -> Plot:
        first = strips[0]
        symbol = first.symbol if len(strips) == 1 and not first.stack else ""
        plot = Plot(
            SCALE_CLASSES[first.scale](),
            symbol,
            first.unit,
            first.scale,
            first.weight + SHARED_WEIGHT * (len(strips) - 1),
            first.band,
            self._typical_size(first),
            self._shares_scale and first.is_vector_component,
            ring_index=first.component if first.is_gimbal_angle else None,
            is_measurable=not (self.is_difference or self.is_transformed or first.stack)
            and first.quantity in QUANTITIES,
            hides_mark_labels=first.quantity == "p" and first.component > 0,  # flips are those of all four
        )
        for theory in (False, True):
            for strip in strips:
                if not theory or strip.theory:
                    plot.traces += [self._make_trace(lane, strip, symbol, theory) for lane in lanes]
                if not theory:
                    plot.traces += [
                        self._make_trace(lane, part, symbol) for lane in lanes for part in strip.stack
                    ]
        return plot

    def _typical_size(self, strip: Strip) -> float:
        sizes = self.info.sizes
        if strip.magnitude:
            sizes = {**_UNIT_SIZES, "1/s": sizes.get("rad/s", 0.0), "N m": sizes.get("J", 0.0), **sizes}
        return sizes.get(strip.unit, 0.0)

    def _make_trace(self, lane: str, strip: Strip, symbol: str, theory: bool = False) -> Trace:
        quantity = strip.theory if theory else strip.quantity
        label = lane if symbol else strip.symbol
        series_strip = Strip(quantity, scale=strip.scale, differs=strip.differs, stacked=strip.stacked)
        series = self._series_for(lane, series_strip)
        return Trace(series, strip.component, "", label, lane, quantity, theory, strip.stacked)

    def _series_for(self, lane: str, strip: Strip) -> Series:
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


PreviousTraces = list[tuple[Trace, Trace]]
"""Traces of the run, whose colours hold for both, and of its old future."""


def previous_traces(previous_run: PreviousRunSource | None, traces: Sequence[Trace]) -> PreviousTraces:
    """The old future of each trace that has one."""
    if previous_run is None:
        return []
    series_by_key: dict[tuple[str, str], Series] = {}
    pairs = []
    for trace in traces:
        if trace.is_theory or trace.is_part or trace.lane not in previous_run.lanes:
            continue
        key = (trace.lane, trace.quantity)
        if key not in series_by_key:
            series_by_key[key] = trace.series.new_empty()
            series_by_key[key].set_data(*previous_run.values(*key))
        pairs.append((trace, replace(trace, series=series_by_key[key], number=None, pattern=(), ended=None)))
    return pairs


_SPACE = "_space"


def shows_target(strips: Iterable[Strip], target: HighlightTarget | None) -> bool:
    """Whether the strips have the quantity, in whatever frame."""
    if target is None:
        return False
    return any(
        part.quantity.removesuffix(_SPACE) == target.quantity
        for strip in strips
        for part in (strip, *strip.stack)
    )


def emphasize(traces: list[Trace], target: HighlightTarget | None, differs: bool) -> bool:
    """Let the curves of `target` stand out and the others fade, or, where it is None, all be equal; whether that changes
    how any of them looks.

    A component is one of the body frame: curves in space components, and differences, which have fewer components,
    stand out together.
    """
    before = [trace.emphasis for trace in traces]
    for trace in traces:
        trace.emphasis = 0 if target is None else 1 if _matches(trace, target, differs) else -1
    return before != [trace.emphasis for trace in traces]


def _matches(trace: Trace, target: HighlightTarget, differs: bool) -> bool:
    base = trace.quantity.removesuffix(_SPACE)
    theory = trace.is_theory and base == f"{target.quantity}_theory"
    if base != target.quantity and not theory:
        return False
    has_component = not (differs or trace.quantity.endswith(_SPACE) or target.component is None)
    return target.lane in ("", trace.lane) and (not has_component or trace.component == target.component)
