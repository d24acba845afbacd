"""The content of a panel over time: its plots and curves, and the texts beside them, for window and figures."""

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
from quatviz.display.panels.base.canvas import component_color
from quatviz.display.panels.base.strip import Strip, difference_strips, group_by_plot, with_scalar_last
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.board_choices import PreviousRunSource as PreviousRunSource
from quatviz.display.view_state.choices import AXES_CHOICE, SCALAR_CHOICE
from quatviz.display.view_state.line_styles import dash_pattern, lane_color
from quatviz.display.view_state.theme import Theme
from quatviz.physics.formulations import lane_title
from quatviz.physics.observables.jumps import format_jump_counts
from quatviz.physics.observables.quantities import QUANTITIES, ROUNDING_LEVEL

SHARED_WEIGHT = 0.4
"""Height of each additional component in a plot of several components, in units of a strip."""
TITLE_WEIGHT = 0.4
"""Height of a panel's title, in units of a strip."""

MIN_RELATIVE_COMPONENT_SPAN = 1e-6
"""Smallest span of a component's axis, relative to the largest component of the vector."""
RELATIVE_ROUNDOFF = 2.0**-48
"""Largest difference that counts as round-off, relative to the size of a quantity. It is a few units in the
last place."""
_UNIT_SIZES = {"": 1.0, "rad": 1.0, "deg": 180.0}
"""Typical size of relative quantities and of angles, which follows from their unit alone. Keys are units."""
NOTHING_TO_COMPARE = "Nothing to compare: show a second lane."


def other_loads_text(reference: str) -> str:
    """Return a note that lanes under other loads are not compared with the `reference`."""
    return tr(
        "Lanes whose loads differ from those of {lane} have different motions and are not compared.",
        lane=reference,
    )


THEORY_WIDTH = 3
"""Width of a theory curve, relative to the width of the computed curve drawn over it."""
THEORY_OPACITY = 0.35


@dataclass(eq=False)
class Trace:
    """One component of one lane. `label` distinguishes this trace from the other traces of the plot."""

    series: Series
    component: int
    color: str
    label: str
    lane: str = ""
    quantity: str = ""
    is_theory: bool = False
    """True for a theory curve, drawn as a wide pale line below the curve of the same lane, without a dot and without a
    number."""
    is_part: bool = False
    """True if the trace is a term of a sum. It is drawn without a dot, as an area between its curve and that of the
    previous term."""
    ended: float | None = None
    """Time at which the lane ended early [s], marked by a cross at the height of its last row; None otherwise."""
    emphasis: int = 0
    """1 if the trace is highlighted, -1 if it is faded because another one is highlighted, otherwise 0."""
    number: int | None = None
    """Color and marker number of the lane; None if the colors of the plot do not stand for lanes."""
    pattern: Sequence[float] = ()
    """Lengths of dashes and gaps in units of the curve width, if they distinguish the lanes."""
    is_scatter: bool = False
    """True for a marker at each row, without a line. Only figures use it."""

    def value_at(self, time: float) -> float:
        """Return the value of this component at `time` [s]."""
        return self.series.values_at(time)[self.component]

    @property
    def end_point(self) -> tuple[float, float] | None:
        """Time [s] of the lane's early end, and the last value of the curve.

        A curve has no row at the time of the end itself. If rows before the end are missing too, as in a difference
        from a reference lane that ended earlier, the time is that of the last row.
        """
        last = self.series.last_point(self.component) if self.ended is not None else None
        if last is None or self.ended is None:
            return None
        (time, value), times = last, self.series.times
        between = float(np.ptp(times[-2:])) if len(times) > 1 else math.inf
        return (self.ended if time < self.ended < time + 1.001 * between else time), value


@dataclass(eq=False)
class Plot:
    """A plot of one or several strips. If it has a `symbol`, its traces are the same component of several lanes. Otherwise
    they are components with their own labels."""

    scale: Scale
    symbol: str = ""
    unit: str = ""
    scale_name: str = "linear"
    """Name of the plot's scale in `display.data.scales.SCALE_CLASSES`."""
    weight: float = 1.0
    """Height of the plot relative to a plot with one strip of normal height."""
    band: float | None = None
    """Half the width of a marked band about zero in which the motion is nearly singular."""
    size: float = 0.0
    """Typical size of quantities with this unit in this run; 0 if it is not known."""
    shares_scale: bool = False
    """True if the plot's axis covers all components of a vector, so that the plots of all components have the same
    scale."""
    ring_index: int | None = None
    """Index of the gimbal ring that the plotted angle rotates. The symbol of the plot has the color of
    that ring."""
    measurement_refusal: str = ""
    """The reason why the curves of the plot cannot be measured; "" if they show quantities of a lane unchanged."""
    hides_mark_labels: bool = False
    """True if labels of event markers appear only when the user points at a marker, because another strip of the panel
    always shows these labels."""
    traces: list[Trace] = field(default_factory=list)

    @property
    def is_stacked(self) -> bool:
        """True if the plot shows a sum and its terms, for one lane."""
        return any(trace.is_part for trace in self.traces)

    def extend_range(self, others: Iterable[Trace] = ()) -> bool:
        """Extend the range of the axis to the data of the plot's traces and of the traces `others`; return
        True if it changed."""
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
            changed |= self.scale.extend_to(0.0, 0.0, math.nan, 0.0)  # areas start at zero
        return changed


class PanelCurves:
    """The curves of a `panel` for the run of `source`: the lanes `shown`, with these `choices`, in the colors of
    `theme`.

    The series are empty until `load_rows` is called: once for a figure, repeatedly in the window.
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
        self.empty_text = "" if lanes else panel.empty_reason(info)
        """Text shown instead of plots if there are no curves; otherwise ""."""
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
        """Text below the plots of the panel."""
        self.update_colors(info, theme)

    def _comparable_lanes(self, lanes: tuple[str, ...], reference: str) -> tuple[tuple[str, ...], str]:
        """Return the lanes with the same loads as the reference lane, which differ from it by errors only, and a text
        about lanes with other loads ("" if there are none)."""
        others = tuple(lane for lane in lanes if lane != reference)
        comparable = tuple(lane for lane in others if self.info.has_same_loads(lane, reference))
        is_complete = len(comparable) == len(others)
        return comparable, "" if is_complete else other_loads_text(self.reference_title)

    def load_rows(self) -> bool:
        """Read the rows that are available; return True if some are new."""
        values = self._source.values
        has_new_rows = [
            series.set_data(*values(lane, strip.quantity)) for (lane, strip), series in self._series.items()
        ]
        return any(has_new_rows)

    def update_colors(self, info: RunInfo, theme: Theme) -> None:
        """Give each trace the color of its lane, or of its component if a plot holds several components."""
        colors = dict(zip(info.lanes, info.colors, strict=True))
        for plot in self.plots:
            is_stacked = plot.is_stacked  # looks at all traces
            for trace in plot.traces:
                trace.number, trace.pattern = None, ()
                if is_stacked and not trace.is_part:
                    trace.color = theme.text
                elif trace.is_theory:
                    trace.color = lane_color(theme, colors[trace.lane])
                elif plot.symbol:
                    trace.number = colors[trace.lane]
                    trace.color = lane_color(theme, trace.number)
                    trace.pattern = dash_pattern(trace.number)
                else:
                    trace.color = component_color(theme, trace.component, len(trace.series.minimum))

    @property
    def weight(self) -> float:
        """Height of the panel in units of a strip."""
        return TITLE_WEIGHT + (sum(plot.weight for plot in self.plots) or 1.0)

    @property
    def is_transformed(self) -> bool:
        """True if the panel shows another representation than that of the computed columns, such as unwrapped angles."""
        return self.form in FORMS

    @property
    def difference_note(self) -> str:
        """Text that names the reference lane of the displayed differences; "" if differences are not shown."""
        if self.is_difference and all(
            comparison_rule(strip.quantity).subtracted_quantity for strip in self.strips
        ):
            return tr("difference from theory")
        return tr("difference from {reference}", reference=self.reference_title) if self.is_difference else ""

    def jump_texts(self) -> tuple[str, str]:
        """Return two texts: the number of jumps, counted in the lanes with the most rows, and a line with the
        jumps of each lane."""
        counts, of_longest = jump_counts(
            {lane: lane_counts for (lane, _), lane_counts in self._series.items()}
        )
        lane_texts = (
            f"{lane_title(lane)}: {format_jump_counts([lane_counts]) or tr('no jumps')}"
            for lane, lane_counts in counts.items()
        )
        return format_jump_counts(of_longest), "\n".join(lane_texts)

    @property
    def units(self) -> set[str]:
        return {strip.unit for strip in self.strips}

    def notes(self) -> list[str]:
        """Return texts for the title row: frame, order of the Euler parameters, and the difference note or else the
        note of the panel. The texts on jumps and on the common unit are not included; they precede these."""
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
        """Return the numbers that the panel shows at `time` [s], for copying."""
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
            measurement_refusal=self._measurement_refusal(first),
            hides_mark_labels=first.quantity == "p" and first.component > 0,  # sign flips concern all four
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

    def _measurement_refusal(self, strip: Strip) -> str:
        """Return why the curves of a strip cannot be measured, or ""."""
        if self.is_difference:
            return tr(
                "A difference between lanes cannot be measured: show the curves of the lanes instead (key D)"
            )
        if self.is_transformed:
            return tr(
                "Curves in another representation cannot be measured: choose “wrapped” or “raw” beside the panel's title"
            )
        if strip.stack or strip.quantity not in QUANTITIES:
            return tr("A combination of quantities cannot be measured: click a plot of one quantity")
        return ""

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
        """Return the series of a lane with all components of the strip's quantity."""
        if (lane, strip) not in self._series:
            self._series[lane, strip] = series_of(strip)
        return self._series[lane, strip]


def series_of(strip: Strip) -> Series:
    """Return an empty series for the quantity of a strip, with jumps if it can have any."""
    quantity = QUANTITIES[strip.quantity]
    if strip.stacked:
        return StackSeries(strip.width)
    if quantity.name.startswith("angles_") and not strip.differs:
        return angle_series(quantity.sequence)
    if quantity.name == "p" and not strip.differs:
        return parameter_series()
    return Series(strip.width, strip.magnitude)


PreviousTraces = list[tuple[Trace, Trace]]
"""Pairs of traces: a trace of the current run, and the corresponding trace of the previous run. Both are drawn
in the color of the current run's trace."""


def previous_traces(previous_run: PreviousRunSource | None, traces: Sequence[Trace]) -> PreviousTraces:
    """Return the trace of the previous run for each trace that has one."""
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
    """Return True if the strips show the quantity of `target`, in any frame."""
    if target is None:
        return False
    return any(
        part.quantity.removesuffix(_SPACE) == target.quantity
        for strip in strips
        for part in (strip, *strip.stack)
    )


def emphasize(traces: list[Trace], target: HighlightTarget | None, differs: bool) -> bool:
    """Highlight the curves of `target` and fade all other curves. If `target` is None, end the highlight. Return True if
    the emphasis of any curve changed.

    Components of a target refer to the body frame. All curves of a quantity are therefore highlighted if they
    show space components, or differences that have fewer components.
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
