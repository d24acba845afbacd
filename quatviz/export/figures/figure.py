"""A figure of panels as values: the window, the command line, scripts and students' sheets put the same one on paper."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from quatviz.base.errors import InputError, phrase, refuse_unknown_name
from quatviz.base.translation import told, tr
from quatviz.base.version import __version__
from quatviz.display.data.frame import Frame, Source
from quatviz.display.data.frame_builder import Framer, run_info
from quatviz.display.data.row_cache import Resting
from quatviz.display.panels import PANELS
from quatviz.display.panels.base import PaintedPanel, Panel, TimePanel
from quatviz.display.panels.base.canvas import Canvas
from quatviz.display.panels.base.curves import Curves, Plot
from quatviz.display.panels.base.globe import GlobePanel, GlobePicture, Path, Sight
from quatviz.display.panels.base.strip import Strip
from quatviz.display.view_state.choices import Choices
from quatviz.display.view_state.theme import LIGHT
from quatviz.display.view_state.view_state import Look, wants
from quatviz.export.table import Progress, unheard
from quatviz.physics.formulations import lane_title
from quatviz.physics.integrators import integrator_title
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.simulation import Simulation

QUANTITIES_OF_A_FIGURE = ("p", "omega", "h_space", "lam", "constraint", "energy_drift")
_LOGARITHMIC = (
    "constraint",
    "constraint_rate",
    "energy_drift",
    "momentum_drift",
    "h_space_drift",
    "condition",
)


@dataclass(frozen=True, eq=False)
class PaintedPicture:
    """What is drawn on a canvas of any size; its height where a strip with one curve has 1."""

    draw: Callable[[Canvas], None]
    weight: float


@dataclass(frozen=True, eq=False)
class PanelPicture:
    """One panel: its plots one above the other, or what is `painted`, or paths on a globe, where it is no plot."""

    title: str
    note: str = ""
    plots: Sequence[Plot] = ()
    remark: str = ""
    painted: PaintedPicture | None = None
    globe: GlobePicture | None = None


@dataclass(frozen=True, eq=False)
class FigurePicture:
    """A whole figure over [low, high] s. `footnote` says what computed it: numbers that an author will be asked for."""

    panels: Sequence[PanelPicture]
    low: float
    high: float
    title: str = ""
    events: Sequence[float] = ()
    """Times [s] at which something happens to every lane."""
    legend: Sequence[tuple[str, int | None]] = ()
    """Names of the lanes and the numbers of their colours and shapes, where these tell the lane; without a number, words that
    say what stripes are."""
    footnote: str = ""


Described = Callable[[Progress], FigurePicture]
"""Describes a figure, in any thread: it reads the run, and no widget."""


def figure_of(
    panels: Sequence[Panel],
    source: Source,
    frame: Frame,
    choices: Choices,
    span: tuple[float, float],
    footnote: str = "",
    progress: Progress = unheard,
) -> FigurePicture:
    """These panels of the run of `source`, with what is chosen for all of them, at the cursor and with the lanes of `frame`,
    in the colours of the light theme; `span` are the first and the last time in sight [s].

    It reads all rows in sight once, in whatever thread it runs. Panels that have nothing to show are left out.
    """
    pictures: list[PanelPicture] = []
    shown = tuple(lane.name for lane in frame.lanes if lane.visible)
    for number, panel in enumerate(panels):
        progress(number / len(panels))
        if isinstance(panel, TimePanel):
            curves = Curves(panel, source, shown, choices, LIGHT)
            curves.take()
            pictures.append(_of_curves(curves, frame, choices))
        elif isinstance(panel, PaintedPanel):
            content = panel.content(frame, source.info)
            if content:
                draw = partial(panel.draw, content=content, info=source.info)
                painted = PaintedPicture(draw, panel.weight(content))
                note = panel.paper_note(source.info.time_text(frame.time))
                pictures.append(PanelPicture(tr(panel.title), note, painted=painted))
        elif isinstance(panel, GlobePanel):
            pictures.append(_of_globe(panel, source, frame, choices, span))
    pictures = [one for one in pictures if one.plots or one.painted is not None or one.globe is not None]
    low, high = span
    return FigurePicture(
        pictures,
        low,
        high,
        source.info.title,
        sorted({event.at for event in source.info.events if low <= event.at <= high}),
        _legend(pictures, choices.difference),
        footnote,
    )


def nothing_to_draw() -> InputError:
    """What is said where no panel has anything that paper can show."""
    return InputError(
        "the figure",
        expected="a panel with curves",
        found="nothing to draw",
        remedy="show a lane or another panel",
        topic="errors#exports",
    )


def _of_curves(curves: Curves, frame: Frame, choices: Choices) -> PanelPicture:
    breaks, _ = curves.breaks()
    note = ", ".join([*_chosen(curves, choices), *([breaks] if breaks else []), *curves.notes()])
    ended = {lane.name: lane.died_at for lane in frame.lanes}
    plots = [_of_plot(plot, ended) for plot in curves.plots]
    return PanelPicture(tr(curves.panel.title), note, [plot for plot in plots if plot.traces], curves.remark)


def _of_globe(
    panel: GlobePanel, source: Source, frame: Frame, choices: Choices, span: tuple[float, float]
) -> PanelPicture:
    """The paths of the times in sight; no globe where there is none."""
    option = choices.option(panel.choice) if panel.choice is not None else ""
    chosen = panel.choice.text(option) if panel.choice is not None else ""
    sight = Sight(source, frame, option, panel.quantity)
    picture = panel.picture(sight)
    paths: list[Path] = []
    for path in picture.paths:
        seen = (span[0] <= path.times) & (path.times <= span[1])
        rows = {name: getattr(path, name)[seen] for name in ("points", "times", "globes")}
        paths += [replace(path, **rows)] if seen.any() else []
    note = ", ".join(part for part in (tr(panel.note), chosen, sight.pages_text) if part)
    globe = replace(picture, paths=tuple(paths)) if paths else None
    return PanelPicture(tr(panel.title), note, globe=globe)


def _chosen(curves: Curves, choices: Choices) -> Iterator[str]:
    """What is chosen in the panel, such as the sequence of its angles: on paper nothing else says it."""
    for choice in curves.offered:
        yield f"{choice.text(choices.option(choice))} {tr(choice.noun)}".strip()


def _of_plot(plot: Plot, ended: Mapping[str, float | None]) -> Plot:
    """The traces that have a row, with the ends of lanes that died; a sum is drawn over its parts."""
    traces = [
        replace(
            trace,
            label=tr("theory") if trace.theory else trace.label,
            ended=None if trace.theory or trace.part else ended.get(trace.lane),
        )
        for trace in sorted(plot.traces, key=lambda trace: not trace.part)
        if np.isfinite(trace.series.least[trace.component])
    ]
    return replace(plot, traces=traces)


def _legend(pictures: Sequence[PanelPicture], difference: bool) -> list[tuple[str, int | None]]:
    lanes: dict[str, int | None] = {
        trace.lane: trace.number
        for picture in pictures
        for plot in picture.plots
        for trace in plot.traces
        if trace.number is not None and not (trace.theory or trace.part)
    }
    globes = (picture.globe for picture in pictures if picture.globe is not None)
    lanes |= {path.lane: path.colour for globe in globes for path in globe.paths}
    striped = len(lanes) > 1 and not difference
    named = ((lane_title(lane), number) for lane, number in lanes.items())
    return [*named, *([(tr("striped where they agree"), None)] if striped else [])]


class QuantityPanel(TimePanel):
    """All components of one quantity, whatever the panels of the window show of it."""

    compares = False

    def __init__(self, quantity: str) -> None:
        kind = QUANTITIES[quantity]
        log, count = quantity in _LOGARITHMIC, len(kind.symbols)
        self.name, self.title = quantity, kind.title  # type: ignore[misc]
        self.strips = tuple(  # type: ignore[misc]
            Strip(
                quantity,
                number,
                f"|{symbol}|" if log else None,
                "log" if log else "degrees" if kind.unit == "deg" else "linear",
                1.4 if count == 1 else 1.0,
                "lam_theory" if quantity == "lam" else "",
            )
            for number, symbol in enumerate(kind.symbols)
        )


def refuse_quantities(names: Sequence[str], place: str, key: str = "", topic: str = "") -> None:
    """Refuse a name that is no quantity; the angles of twelve sequences are known, but not listed."""
    plain = [name for name, kind in QUANTITIES.items() if not kind.sequence]
    for name in names:
        if name not in QUANTITIES:
            refuse_unknown_name(name, plain, place, key, number="some", topic=topic)


def figure_of_run(
    run: Simulation,
    quantities: Sequence[str] = QUANTITIES_OF_A_FIGURE,
    lanes: Sequence[str] | None = None,
    low: float = 0.0,
    high: float = math.inf,
    *,
    panels: Sequence[str] = (),
    look: Look | None = None,
    cursor: float = math.inf,
) -> FigurePicture:
    """The figure of a run from `low` to `high` [s]. `quantities` are names of `motion.observables.QUANTITIES`, `panels` of
    panels of the window, which stand behind these, `lanes` names, None for all. With one lane colour tells the component;
    with several, the lane. `look` says what is chosen in the panels, which lanes are seen in which colours, and which times,
    where all are asked for. `cursor` [s] is when panels without an axis of times show it, at the latest the end. `InputError` for
    a name that is not there."""
    look = look or Look()
    refuse_quantities(quantities, "the quantities of the figure", "quantities")
    declared = [PANELS.find(name, "the panels of the figure")() for name in panels]
    names = [lane.name for lane in run]
    for name in lanes or ():
        refuse_unknown_name(name, names, "the lanes of the figure", "lanes", number="some")
    display = look.lanes.of_as_many(len(names))
    if lanes is not None:
        display = replace(display, modes=("ghost",) * len(names))
        for number in (number for number, name in enumerate(names) if name not in lanes):
            display = display.shown_as(number, "hidden")
    if look.span and (low, high) == (0.0, math.inf):
        low, high = max(look.span[0], 0.0), look.span[1]
    high = min(high, run.duration)
    if not low < high:
        raise InputError(
            "the times of the figure",
            expected=phrase("low below high, within 0 to {end:g} s", end=run.duration),
            found=phrase("low = {low:g} s, high = {high:g} s", low=low, high=high),
            remedy="leave them out for the whole run",
            topic="errors#figures",
        )
    framer = Framer(run, display)
    info = framer.columns.info
    return figure_of(
        [*map(QuantityPanel, quantities), *declared],
        Resting(run, info),
        framer.frame_at(min(cursor, run.duration)),
        Choices.of(info, look.options, look.difference, look.reference),
        (low, high),
        footnote(run, [lane for number, lane in enumerate(run) if display.mode(number) != "hidden"]),
    )


def panels_of(run: Simulation, look: Look) -> list[str]:
    """Names of the panels that a look shows of a run: those that a person wants, and others that concern it."""
    info = run_info(run, look.lanes.of_as_many(len(run.lanes)))
    return [name for name, kind in PANELS.items() if wants(look.panels, name, kind.concerns(info))]


def footnote(run: Simulation, lanes: Sequence[LaneRun]) -> str:
    """What computed it: preset, lanes with method and step."""
    methods = [method_text(lane) for lane in lanes]
    if len(set(methods)) == 1:
        said = f"{'; '.join(lane_title(lane.name) for lane in lanes)}; {methods[0]}"
    else:
        said = "; ".join(f"{lane_title(lane.name)}: {way}" for lane, way in zip(lanes, methods, strict=True))
    ended = [told(lane.message) for lane in lanes if lane.message]
    return f"Preset {run.preset.name or run.preset.title}; {said}. quatviz {__version__}. {' '.join(ended)}".strip()


def method_text(lane: LaneRun) -> str:
    """Integrator and step of a lane, such as `Runge–Kutta 4, dt = 0.001 s`."""
    if lane.formulation.recorded:
        return "a recording"
    if lane.formulation.closed_form:
        return "exact solution"
    return f"{integrator_title(lane.integrator.name)}, dt = {lane.dt:g} s"
