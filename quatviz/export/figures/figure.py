"""A figure of panels as data. Window, command line, scripts and worksheets build it in the same way and draw it with
matplotlib."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from quatviz.base.errors import InputError, phrase, refuse_unknown_name
from quatviz.base.formatting import humanize
from quatviz.base.translation import tr
from quatviz.base.version import __version__
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.data.frame_builder import FrameBuilder, run_info
from quatviz.display.data.row_cache import StaticColumns
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import PaintedPanel, Panel, TimePanel, is_panel_relevant
from quatviz.display.panels.base.canvas import Canvas
from quatviz.display.panels.base.curves import PanelCurves, Plot
from quatviz.display.panels.base.globe import GlobeContext, GlobePanel, GlobePath, GlobePicture
from quatviz.display.panels.base.strip import Strip
from quatviz.display.panels.multiplier import Multiplier
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import LIGHT
from quatviz.display.view_state.view_state import ViewState, is_panel_shown
from quatviz.export.table import Progress, ignore_progress
from quatviz.files.preset import Preset
from quatviz.files.preset_edits import motion_edits
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import integrator_title
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.torque_law import TorqueLaw
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.diagnostics import accuracy_verdict
from quatviz.simulation.end_reasons import with_lane_title
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

DEFAULT_QUANTITIES = ("p", "omega", "h_space", "lam", "constraint", "energy_drift")
_LOG_QUANTITIES = (
    "constraint",
    "constraint_rate",
    "energy_drift",
    "momentum_drift",
    "h_space_drift",
    "condition",
)


@dataclass(frozen=True, eq=False)
class PaintedPicture:
    """A picture that can be drawn on a canvas of any size. `weight` is its height relative to one plot."""

    draw: Callable[[Canvas], None]
    weight: float


@dataclass(frozen=True, eq=False)
class PanelPicture:
    """One panel of a figure. It contains plots, a painted picture, or a globe."""

    title: str
    note: str = ""
    plots: Sequence[Plot] = ()
    remark: str = ""
    painted: PaintedPicture | None = None
    globe: GlobePicture | None = None


@dataclass(frozen=True, eq=False)
class FigurePicture:
    """A whole figure as data, for times from `low` to `high` [s]. `footnote` describes how the run was computed."""

    panels: Sequence[PanelPicture]
    low: float
    high: float
    title: str = ""
    events: Sequence[float] = ()
    """Times [s] of the events that act on all lanes."""
    legend: Sequence[tuple[str, int | None]] = ()
    """Entries of the legend: the name of a lane with the number of its style, or an explanation of stripes with None."""
    footnote: str = ""


MakeFigurePicture = Callable[[Progress], FigurePicture]
"""Function that builds a figure. It may be called in any thread, because it reads the run but no widget."""


def make_figure(
    panels: Sequence[Panel],
    source: ColumnSource,
    frame: Frame,
    choices: Choices,
    span: tuple[float, float],
    footnote: str = "",
    progress: Progress = ignore_progress,
) -> FigurePicture:
    """Build a figure from panels, in the colors of the light theme.

    All visible rows are read once. Panels without content are omitted.

    Parameters
    ----------
    panels
        The panels.
    source
        Columns of the run.
    frame
        Frame that determines the cursor and the visible lanes.
    choices
        Choices of all panels.
    span
        First and last visible time [s].
    """
    pictures: list[PanelPicture] = []
    visible_lanes = tuple(lane.name for lane in frame.lanes if lane.visible)
    for number, panel in enumerate(panels):
        progress(number / len(panels))
        if isinstance(panel, TimePanel):
            curves = PanelCurves(panel, source, visible_lanes, choices, LIGHT)
            curves.load_rows()
            pictures.append(_time_panel_picture(curves, frame, choices))
        elif isinstance(panel, PaintedPanel):
            content = panel.content(frame, source.info)
            if content:
                draw = partial(panel.draw, content=content, info=source.info)
                painted = PaintedPicture(draw, panel.weight(content))
                note = panel.paper_note(source.info.time_text(frame.time))
                pictures.append(PanelPicture(tr(panel.title), note, painted=painted))
        elif isinstance(panel, GlobePanel):
            pictures.append(_globe_picture(panel, source, frame, choices, span))
    pictures = [
        picture
        for picture in pictures
        if picture.plots or picture.painted is not None or picture.globe is not None
    ]
    low, high = span
    return FigurePicture(
        pictures,
        low,
        high,
        source.info.shown_title,
        sorted({event.at for event in source.info.events if low <= event.at <= high}),
        _legend(pictures, choices.difference),
        footnote,
    )


def nothing_to_draw_error() -> InputError:
    """Return the error that is raised if no panel of a figure has any content."""
    return InputError(
        "the figure",
        expected="a panel with curves",
        found="nothing to draw",
        remedy="show a lane or another panel",
        topic="errors#exports",
    )


def _time_panel_picture(curves: PanelCurves, frame: Frame, choices: Choices) -> PanelPicture:
    jump_text, _ = curves.jump_texts()
    note = ", ".join([*_choice_texts(curves, choices), *([jump_text] if jump_text else []), *curves.notes()])
    end_times = {lane.name: lane.termination_time for lane in frame.lanes}
    plots = [_paper_plot(plot, end_times) for plot in curves.plots]
    return PanelPicture(
        tr(curves.panel.title), note, [plot for plot in plots if plot.traces], curves.footnote
    )


def _globe_picture(
    panel: GlobePanel, source: ColumnSource, frame: Frame, choices: Choices, span: tuple[float, float]
) -> PanelPicture:
    """Return the panel picture of a globe, with its paths in the visible time range. If there are no paths, its `globe` is
    None."""
    option = choices.option(panel.choice) if panel.choice is not None else ""
    chosen = panel.choice.text(option) if panel.choice is not None else ""
    context = GlobeContext(source, frame, option, panel.quantity)
    picture = panel.picture(context)
    paths: list[GlobePath] = []
    for path in picture.paths:
        in_span = (span[0] <= path.times) & (path.times <= span[1])
        rows = {name: getattr(path, name)[in_span] for name in ("points", "times", "globes")}
        paths += [replace(path, **rows)] if in_span.any() else []
    note = ", ".join(part for part in (tr(panel.note), chosen, context.pages_text) if part)
    globe = replace(picture, paths=tuple(paths)) if paths else None
    return PanelPicture(tr(panel.title), note, globe=globe)


def _choice_texts(curves: PanelCurves, choices: Choices) -> Iterator[str]:
    """Yield a text for each option chosen in the panel, such as the Euler sequence. The window shows these options in
    menus, which a figure does not have."""
    for choice in curves.available_choices:
        yield f"{choice.text(choices.option(choice))} {tr(choice.noun)}".strip()


def _paper_plot(plot: Plot, end_times: Mapping[str, float | None]) -> Plot:
    """Return the plot as it is drawn in print.

    Traces without data are omitted, marks show where lanes ended early, and the terms of a sum are drawn below the sum.
    """
    traces = [
        replace(
            trace,
            label=tr("theory") if trace.is_theory else trace.label,
            ended=None if trace.is_theory or trace.is_part else end_times.get(trace.lane),
        )
        for trace in sorted(plot.traces, key=lambda trace: not trace.is_part)
        if np.isfinite(trace.series.minimum[trace.component])
    ]
    return replace(plot, traces=traces)


def _legend(pictures: Sequence[PanelPicture], difference: bool) -> list[tuple[str, int | None]]:
    lanes: dict[str, int | None] = {
        trace.lane: trace.number
        for picture in pictures
        for plot in picture.plots
        for trace in plot.traces
        if trace.number is not None and not (trace.is_theory or trace.is_part)
    }
    globes = (picture.globe for picture in pictures if picture.globe is not None)
    lanes |= {path.lane: path.color for globe in globes for path in globe.paths}
    striped = len(lanes) > 1 and not difference
    named = ((lane_title(lane), number) for lane, number in lanes.items())
    return [*named, *([(tr("striped: lanes agree"), None)] if striped else [])]


class QuantityPanel(TimePanel):
    """Panel with all components of one quantity, for figures of quantities that no panel of the window shows."""

    supports_difference = False

    def __init__(self, quantity: str) -> None:
        quantity_info = QUANTITIES[quantity]
        log, count = quantity in _LOG_QUANTITIES, len(quantity_info.symbols)
        self.name, self.title = quantity, quantity_info.title  # type: ignore[misc]
        self.note = Multiplier.note if quantity == "lam" else ""  # type: ignore[misc]
        self.strips = tuple(  # type: ignore[misc]
            Strip(
                quantity,
                number,
                f"|{symbol}|" if log else None,
                "log" if log else "degrees" if quantity_info.unit == "deg" else "linear",
                1.4 if count == 1 else 1.0,
                "lam_theory" if quantity == "lam" else "",
            )
            for number, symbol in enumerate(quantity_info.symbols)
        )


def refuse_quantities(names: Sequence[str], source_name: str, key: str = "", topic: str = "") -> None:
    """Raise an `InputError` for an unknown quantity. The angles of all twelve sequences are accepted, but the error does not
    list them."""
    plain = [name for name, quantity in QUANTITIES.items() if not quantity.sequence]
    for name in names:
        if name not in QUANTITIES:
            refuse_unknown_name(name, plain, source_name, key, number="some", topic=topic)


def make_run_figure(
    run: Simulation,
    quantities: Sequence[str] = DEFAULT_QUANTITIES,
    lanes: Sequence[str] | None = None,
    low: float = 0.0,
    high: float = math.inf,
    *,
    panels: Sequence[str] = (),
    view_state: ViewState | None = None,
    cursor: float = math.inf,
) -> FigurePicture:
    """Build the figure of a run. Raise an `InputError` for an unknown name or an empty time range.

    Parameters
    ----------
    run, lanes
        The run, and the names of the lanes to draw, or None for all.
    quantities, panels
        Names in `physics.observables.quantities.QUANTITIES`, and names of panels, which are drawn below the
        quantities.
    low, high
        Time range [s].
    view_state
        View state that determines the choices in panels and the lane styles, and the time range if `low` and `high`
        are not given.
    cursor
        Time [s] at which panels without a time axis show the run, at most its end.
    """
    view_state = view_state or ViewState()
    refuse_quantities(quantities, "the quantities of the figure", "quantities")
    extra_panels = [PANELS.find(name, "the panels of the figure")() for name in panels]
    names = [lane.name for lane in run]
    for name in lanes or ():
        refuse_unknown_name(name, names, "the lanes of the figure", "lanes", number="some")
    lane_styles = view_state.lanes.matching(len(names))
    if lanes is not None:
        lane_styles = replace(lane_styles, modes=("ghost",) * len(names))
        for number in (number for number, name in enumerate(names) if name not in lanes):
            lane_styles = lane_styles.with_mode(number, "hidden")
    if view_state.span and (low, high) == (0.0, math.inf):
        low, high = max(view_state.span[0], 0.0), view_state.span[1]
    high = min(high, run.duration)
    if not low < high:
        raise InputError(
            "the times of the figure",
            expected=phrase(
                "a start (low) before the end (high), both from 0 to {end:g} s", end=run.duration
            ),
            found=phrase("low = {low:g} s, high = {high:g} s", low=low, high=high),
            remedy="leave the times out for the whole run",
            topic="errors#figures",
        )
    builder = FrameBuilder(run, lane_styles)
    info = builder.columns.info
    return make_figure(
        [*map(QuantityPanel, quantities), *extra_panels],
        StaticColumns(run, info),
        builder.frame_at_rest(min(cursor, run.duration)),
        Choices.for_run(info, view_state.options, view_state.difference, view_state.reference),
        (low, high),
        run_footnote(run, [lane for number, lane in enumerate(run) if lane_styles.mode(number) != "hidden"]),
    )


def visible_panels(run: Simulation, view_state: ViewState) -> list[str]:
    """Return the names of the panels that a view state shows for a run, in the order of the board. Panels for which the
    user has made no choice are shown if they are relevant for the run."""
    info = run_info(run, view_state.lanes.matching(len(run.lanes)))
    return [
        name
        for name, panel_class in sorted(PANELS.items(), key=lambda item: item[1].order)
        if is_panel_shown(view_state, name, is_panel_relevant(panel_class, info))
    ]


def run_footnote(run: Simulation, lanes: Sequence[LaneRun]) -> str:
    """Return a text on how a run was computed.

    It names the preset and its edits, the methods, steps and own loads of the lanes, the version of the program, and
    messages about lanes.
    """
    methods = [method_text(lane) for lane in lanes]
    if len(set(methods)) == 1:
        methods_text = f"{'; '.join(lane_title(lane.name) for lane in lanes)}; {methods[0]}"
    else:
        methods_text = "; ".join(
            f"{lane_title(lane.name)}: {method}" for lane, method in zip(lanes, methods, strict=True)
        )
    messages = [with_lane_title(accuracy_verdict(lane).message, lane.name) for lane in lanes]
    sentences = " ".join(f"{tr(message)}." if message else "" for message in messages)
    own_loads_text = "".join(
        f" {lane_title(lane.name)}: {', '.join(map(_load_text, lane.spec.loads))}."
        for lane in lanes
        if lane.spec.loads
    )
    return f"{_preset_text(run.preset)}; {methods_text}.{own_loads_text} quatviz {__version__}. {sentences}".strip()


def _preset_text(preset: Preset) -> str:
    """Return the name of a preset with its edits. Edits of the numerical method are omitted, because the footnote describes
    that method separately."""
    edits = motion_edits(preset)
    edits_text = f" (edited: {', '.join(edits)})" if edits else ""
    return f"Preset “{preset.title}”{edits_text}"


def _load_text(load: Load) -> str:
    """Return the name of a load. For a torque law, also the lines of its program and its gains."""
    if not isinstance(load, TorqueLaw):
        return humanize(load.name)
    lines = (line.partition("#")[0].strip() for line in load.law.splitlines())
    gains = (f"{name} = {value:g}" for name, value in load.gains)
    return f"{humanize(load.name)} {', '.join(filter(None, (*lines, *gains)))}"


def method_text(lane: LaneRun) -> str:
    """Return the integrator and step of a lane as text, such as `Runge–Kutta 4, dt = 0.001 s`."""
    if lane.formulation.is_recorded:
        return "a recording"
    if lane.formulation.has_closed_form:
        return lane.formulation.evaluation_method or "exact solution"
    return f"{integrator_title(lane.solver.segment.integrator.name)}, dt = {lane.solver.segment.dt:g} s"
