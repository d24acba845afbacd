"""The figure of a study for print: error against step, and error against processor time."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from quatviz.base.words import power_of_ten
from quatviz.export.figures.paper import HAIR, INK, MUTED, Paper, PrintFigure, styled
from quatviz.look.lanes import lane_colour
from quatviz.look.theme import LIGHT
from quatviz.studies.aids import guides, layers, legend_text
from quatviz.studies.measures import DEFAULT_MEASURE
from quatviz.studies.result import Curve, Findings, find_measure

_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_PAPER = Paper(180.0, size=8.5)
_STYLE: Any = {
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "semibold",
    "lines.linewidth": 1.1,
}
_DECADES = 2.5
"""A step or time axis shorter than this is labelled at 2 and 5 too."""
_LEGEND_LETTERS = 120


def write_figure(
    result: Findings, path: Path, measure: str = DEFAULT_MEASURE, colours: Mapping[str, int] | None = None
) -> None:
    """Draw the study into the file `path`: .svg, .pdf or .png, see `draw`."""
    path.write_bytes(draw(result, measure, colours).written(path.suffix[1:].lower()))


def draw(
    result: Findings, measure: str = DEFAULT_MEASURE, colours: Mapping[str, int] | None = None
) -> PrintFigure:
    """The figure, 180 mm wide: two plots with one legend below. `colours` numbers lanes by name; else they count up."""
    with styled(_PAPER), rc_context(_STYLE):
        return _drawn(result, measure, colours or {})


def _drawn(result: Findings, measure: str, colours: Mapping[str, int]) -> PrintFigure:
    curves = result.curves(measure)
    order = {str(lane.name): number for number, lane in enumerate(result.plan.lanes)}
    hidden = layers(curves)
    looks = [
        _look(curve, result, {**order, **colours}, layer) for curve, layer in zip(curves, hidden, strict=True)
    ]
    longest = max((len(legend_text(curve)) for curve in curves), default=1)
    columns = min(max(_LEGEND_LETTERS // (longest + 8), 1), 4)
    lines = -(-len(curves) // columns)
    height = 3.35 + 0.19 * lines
    figure = PrintFigure(_PAPER, f"{result.plan.preset.title}: a study")
    figure.set_size_inches(7.1, height)
    left, right = figure.subplots(1, 2, sharey=True)
    _convergence(left, curves, looks)
    _work(right, curves, looks)
    shaded = [_dressed(axes, result.level(measure)) for axes in (left, right)]
    left.set_ylabel(find_measure(measure).axis())
    right.tick_params(labelleft=False)
    figure.suptitle(
        result.plan.preset.title,
        x=0.085,
        y=1 - 0.1 / height,
        ha="left",
        va="top",
        weight="semibold",
        color=INK,
    )
    handles, labels = left.get_legend_handles_labels()
    if handles:
        figure.legend(
            handles, labels, loc="lower left", bbox_to_anchor=(0.075, 0.19 / height), ncols=columns,
            frameon=False, handlelength=2.6, columnspacing=2.0, labelspacing=0.35, borderpad=0.0, fontsize=8,
        )  # fmt: skip
    figure.text(
        0.085, 0.07 / height, _footnote(result, measure, any(shaded)), size=6.5, color=MUTED, va="bottom"
    )
    figure.subplots_adjust(
        left=0.085, right=0.985, top=1 - 0.55 / height, bottom=(0.78 + 0.19 * lines) / height, wspace=0.08
    )
    return figure


def _look(curve: Curve, result: Findings, colours: Mapping[str, int], layer: int) -> dict[str, Any]:
    """Colour by lane, marker by integrator; a ring around each of the later curves that lie on it."""
    marker = result.plan.integrators.index(curve.integrator)
    return {
        "color": lane_colour(LIGHT, colours[str(curve.lane.name)]),
        "marker": _MARKERS[marker % len(_MARKERS)],
        "markersize": 3.4 + min(2.6 * layer, 9.0),
        "markerfacecolor": "none" if layer else None,
        "markeredgewidth": 1.0,
        "label": legend_text(curve),
    }


def _convergence(axes: Axes, curves: Sequence[Curve], looks: Sequence[dict[str, Any]]) -> None:
    for curve, look in zip(curves, looks, strict=True):
        axes.plot([point.step for point in curve.points], _positive(curve.errors), **look)
    for guide in guides(curves):
        axes.plot(guide.steps, guide.errors, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.annotate(
            f"order {guide.order}", (guide.steps[1], guide.errors[1]), (4, -3), textcoords="offset points",
            color=MUTED, size=7.5, ha="left", va="top",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8},
        )  # fmt: skip
    axes.set_title("Convergence")
    axes.set_xlabel("Time step dt [s]")


def _work(axes: Axes, curves: Sequence[Curve], looks: Sequence[dict[str, Any]]) -> None:
    for curve, look in zip(curves, looks, strict=True):
        axes.plot(_positive([point.seconds for point in curve.points]), _positive(curve.errors), **look)
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
        axis.set_major_formatter(FuncFormatter(_decade))
        axis.set_minor_formatter(NullFormatter())
    axes.tick_params(which="both", length=2.5, width=0.6)
    low, high = axes.get_ylim()
    if not low < level < high:
        return False
    axes.axhspan(low, level, color=HAIR, alpha=0.45, linewidth=0)
    axes.set_ylim(low, high)
    return True


def _decade(value: float, _: int | None = None) -> str:
    mantissa, exponent = f"{value:.0e}".split("e")
    power = power_of_ten(int(exponent))
    return power if mantissa == "1" else f"{mantissa}×{power}"


def _footnote(result: Findings, measure: str, shaded: bool) -> str:
    level = result.level(measure)
    own = f", itself off by about {_decade(level)}{' (shaded)' * shaded}" if level else ""
    said = [f"Reference: {result.method}{own}."] if result.method and level else []
    return "  ".join([*said, f"Up to t = {result.plan.duration:g} s; processor time of the steps alone."])
