"""The figure of a study for print: error against step, or tolerance, and error against processor time."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from quatviz.analysis.studies.measures import DEFAULT_MEASURE, Measure
from quatviz.analysis.studies.plot_guides import along, guides, layers, legend_text
from quatviz.analysis.studies.result import Curve, Findings, find_measure
from quatviz.base.errors import refuse_unknown_name
from quatviz.base.formatting import power_of_ten
from quatviz.display.view_state.line_styles import lane_colour, pattern_of
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.figure import nothing_to_draw
from quatviz.export.figures.paper import HAIR, INK, MM, MUTED, Paper, PrintFigure, styled

_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_PAPER = Paper()
_TYPE = 8.5
"""Points of the type that sizes in inches and in points are said for."""
_PLOT = 2.02
"""Height of a plot [inches] in type of that size."""
_DECADES = 2.5
"""A step or time axis shorter than this is labelled at 2 and 5 too."""
_LEGEND_LETTERS = 120


def write_figure(
    result: Findings, path: Path, measure: str = DEFAULT_MEASURE, colours: Mapping[str, int] | None = None
) -> None:
    """Draw the study into the file `path`: .svg, .pdf or .png, see `draw`."""
    path.write_bytes(draw(result, [measure], colours=colours).written(path.suffix[1:].lower()))


def draw(
    result: Findings,
    measures: Sequence[str] = (DEFAULT_MEASURE,),
    lanes: Sequence[str] | None = None,
    paper: Paper = _PAPER,
    colours: Mapping[str, int] | None = None,
) -> PrintFigure:
    """The figure: two plots for each measure, with one legend below. `lanes` are names, None for all; `colours` numbers lanes by
    name; else they count up. `InputError` for a name that is not there, and where there is nothing to draw."""
    kinds = [find_measure(name) for name in measures]
    names = [str(lane.name) for lane in result.plan.lanes]
    for name in lanes or ():
        refuse_unknown_name(name, names, "the lanes of the figure", "lanes", number="some")
    chosen = [
        [curve for curve in result.curves(kind.name) if lanes is None or curve.lane.name in lanes]
        for kind in kinds
    ]
    if not kinds or (lanes is not None and not any(chosen)):
        raise nothing_to_draw()
    numbers = {**{name: number for number, name in enumerate(names)}, **(colours or {})}
    with styled(paper), rc_context(_style(paper)):
        return _drawn(result, kinds, chosen, numbers, paper)


def _style(paper: Paper) -> Any:
    """Matplotlib's settings beside those of the paper."""
    title = {
        "axes.titlesize": 1.12 * paper.size,
        "axes.titlelocation": "left",
        "axes.titleweight": "semibold",
    }
    return {**title, "lines.linewidth": 1.1 * paper.size / _TYPE}


def _drawn(
    result: Findings,
    kinds: Sequence[type[Measure]],
    chosen: Sequence[list[Curve]],
    colours: Mapping[str, int],
    paper: Paper,
) -> PrintFigure:
    part, several = paper.size / _TYPE, len(kinds) > 1
    said = {
        curve.name: curve.title if several else legend_text(curve) for curves in chosen for curve in curves
    }
    letters = _LEGEND_LETTERS * paper.width / _PAPER.width / part
    columns = min(max(int(letters // (max(map(len, said.values()), default=1) + 8)), 1), 4)
    top, foot, between = 0.55 * part, (0.78 + 0.19 * -(-len(said) // columns)) * part, 0.75 * part
    wide = paper.width * MM
    least = top + foot + (len(kinds) - 1) * between
    height = paper.height * MM if paper.height else least + len(kinds) * _PLOT * part
    figure = PrintFigure(paper, f"{result.plan.preset.title}: a study")
    figure.set_size_inches(wide, height)
    rows = figure.subplots(len(kinds), 2, sharey="row", squeeze=False)
    shaded = False
    for (left, right), kind, curves in zip(rows, kinds, chosen, strict=True):
        looks = [
            _look(curve, result, colours, layer, part) | {"label": said[curve.name]}
            for curve, layer in zip(curves, layers(curves), strict=True)
        ]
        _convergence(left, curves, looks, part, result.over_tolerances)
        _work(right, curves, looks)
        for axes in (left, right):
            shaded |= _dressed(axes, result.level(kind.name))
        left.set_ylabel(kind.axis())
        right.tick_params(labelleft=False)
    side = 0.6 * part / wide
    figure.suptitle(
        result.plan.preset.title, x=side, y=1 - 0.1 * part / height,
        ha="left", va="top", weight="semibold", color=INK, size=1.2 * paper.size,
    )  # fmt: skip
    handles = {
        label: each
        for axes in rows[:, 0]
        for each, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if handles:
        figure.legend(
            handles.values(), handles.keys(), loc="lower left", bbox_to_anchor=(side - 0.01, 0.19 * part / height),
            ncols=columns, frameon=False, handlelength=2.6, columnspacing=2.0, labelspacing=0.35, borderpad=0.0,
            fontsize=0.94 * paper.size,
        )  # fmt: skip
    footnote = _footnote(result, kinds, shaded)
    figure.text(side, 0.07 * part / height, footnote, size=0.76 * paper.size, color=MUTED, va="bottom")
    figure.subplots_adjust(
        left=side, right=1 - 0.1 * part / wide, top=1 - top / height, bottom=foot / height, wspace=0.57 * part / wide,
        hspace=between * len(kinds) / max(height - least, 0.1),
    )  # fmt: skip
    return figure


def _look(
    curve: Curve, result: Findings, colours: Mapping[str, int], layer: int, part: float
) -> dict[str, Any]:
    """Colour and dashes by lane, marker by integrator; a ring around each of the later curves that lie on it."""
    marker, number = result.plan.integrators.index(curve.integrator), colours[str(curve.lane.name)]
    pattern = pattern_of(number)
    return {
        "color": lane_colour(LIGHT, number),
        "linestyle": (0, pattern) if pattern else "-",
        "marker": _MARKERS[marker % len(_MARKERS)],
        "markersize": part * (3.4 + min(2.6 * layer, 9.0)),
        "markerfacecolor": "none" if layer else None,
        "markeredgewidth": 1.0,
    }


def _convergence(
    axes: Axes, curves: Sequence[Curve], looks: Sequence[dict[str, Any]], part: float, over_tolerances: bool
) -> None:
    for curve, look in zip(curves, looks, strict=True):
        places = [along(point, over_tolerances) for point in curve.points]
        axes.plot(places, _positive(curve.errors), **look)
    for guide in [] if over_tolerances else guides(curves):
        axes.plot(guide.steps, guide.errors, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.annotate(
            f"order {guide.order}", (guide.steps[1], guide.errors[1]), (4, -3), textcoords="offset points",
            color=MUTED, size=7.5 * part, ha="left", va="top",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8},
        )  # fmt: skip
    axes.set_title("Convergence")
    axes.set_xlabel("Tolerance of adaptive methods" if over_tolerances else "Time step dt [s]")


def _work(axes: Axes, curves: Sequence[Curve], looks: Sequence[dict[str, Any]]) -> None:
    for curve, look in zip(curves, looks, strict=True):
        axes.plot(_positive([point.seconds for point in curve.points]), _positive(curve.errors), **look)
    times = [point.seconds for curve in curves for point in curve.points if point.seconds > 0]
    if times and max(times) < 10 * min(
        times
    ):  # a decade at least, so that no difference looks larger than it is
        middle = math.sqrt(max(times) * min(times))
        axes.set_xlim(middle / math.sqrt(12), middle * math.sqrt(12))
    axes.set_title("Work and precision")
    axes.set_xlabel("Processor time of the run [s]")


def _positive(values: Sequence[float]) -> list[float]:
    """An exact zero has no place on a log axis."""
    return [value if value > 0 else math.nan for value in values]


def _dressed(axes: Axes, level: float) -> bool:
    """Scales, ticks and grid; shade what the reference cannot tell, where there are errors as small, and say so."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True)
    low, high = axes.get_xlim()
    few = math.log10(high / low) < _DECADES
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,), numticks=9))
    axes.yaxis.set_major_locator(LogLocator(numticks=9))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(_tick))
        axis.set_minor_formatter(NullFormatter())
    axes.tick_params(which="both", length=2.5, width=0.6)
    low, high = axes.get_ylim()
    if not low < level < high:
        return False
    axes.axhspan(low, level, color=HAIR, alpha=0.45, linewidth=0)
    axes.set_ylim(low, high)
    return True


def _tick(value: float, _: int | None = None) -> str:
    """With two digits where there are two: an axis shorter than a decade is not labelled at 1, 2 and 5."""
    return _decade(value, 1)


def _decade(value: float, digits: int = 0) -> str:
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    power, mantissa = power_of_ten(int(exponent)), mantissa.removesuffix(".0")
    return power if mantissa == "1" else f"{mantissa}×{power}"


def _footnote(result: Findings, kinds: Sequence[type[Measure]], shaded: bool) -> str:
    level = result.level(kinds[0].name) if len(kinds) == 1 else 0.0
    own = f", itself off by about {_decade(level)}" if level else ""
    said = [f"Reference: {result.method}{own}{' (shaded)' * shaded}."] if result.method else []
    return "  ".join([*said, f"Up to t = {result.plan.duration:g} s; processor time of the steps alone."])
