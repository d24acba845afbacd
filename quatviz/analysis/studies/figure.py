"""Printed figure of a study: error against step or tolerance, and error against processor time."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from quatviz.analysis.studies.measures import DEFAULT_MEASURE, StudyMeasure
from quatviz.analysis.studies.plot_guides import abscissa, legend_text, order_guides, overlap_counts
from quatviz.analysis.studies.result import Curve, StudyData, find_measure
from quatviz.base.errors import refuse_unknown_name
from quatviz.base.formatting import format_power_of_ten
from quatviz.display.view_state.line_styles import dash_pattern, lane_color
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.figure import nothing_to_draw_error
from quatviz.export.figures.paper import (
    GRID_COLOR,
    MILLIMETRE,
    MUTED_COLOR,
    TEXT_COLOR,
    Paper,
    PrintFigure,
    print_style,
)
from quatviz.files.preset_edits import shown_title

_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_DEFAULT_PAPER = Paper()
_BASE_FONT_SIZE = 8.5
"""Font size [points] for which the sizes in this module are given."""
_PLOT_HEIGHT = 2.02
"""Height of a plot [inches] at the font size `_BASE_FONT_SIZE`."""
_SHORT_AXIS_DECADES = 2.5
"""Length [decades] of a step or time axis below which not only decades but also the ticks 2 and 5 are labeled."""
_LEGEND_CHARACTERS = 120
"""Number of characters in a line of the legend at full width."""


def write_figure(
    result: StudyData, path: Path, measure: str = DEFAULT_MEASURE, colors: Mapping[str, int] | None = None
) -> None:
    """Write the figure of a study as .svg, .pdf or .png, see `draw_study`."""
    path.write_bytes(draw_study(result, [measure], colors=colors).to_bytes(path.suffix[1:].lower()))


def draw_study(
    result: StudyData,
    measures: Sequence[str] = (DEFAULT_MEASURE,),
    lanes: Sequence[str] | None = None,
    paper: Paper = _DEFAULT_PAPER,
    colors: Mapping[str, int] | None = None,
) -> PrintFigure:
    """Return the figure of a study: two plots per measure and a common legend.

    Parameters
    ----------
    result
        Points of the study.
    measures
        Names of error measures.
    lanes
        Names of the lanes to draw, or None for all.
    paper
        Size and font.
    colors
        Color numbers of lanes by name; the others are numbered in order.

    Returns
    -------
    PrintFigure
        The figure.

    Raises
    ------
    InputError
        If a name is unknown, or nothing remains to be drawn.
    """
    measure_classes = [find_measure(name) for name in measures]
    names = [str(lane.name) for lane in result.plan.lanes]
    for name in lanes or ():
        refuse_unknown_name(name, names, "the lanes of the figure", "lanes", number="some")
    chosen = [
        [curve for curve in result.curves(measure.name) if lanes is None or curve.lane.name in lanes]
        for measure in measure_classes
    ]
    if not measure_classes or (lanes is not None and not any(chosen)):
        raise nothing_to_draw_error()
    numbers = {**{name: number for number, name in enumerate(names)}, **(colors or {})}
    with print_style(paper), rc_context(_matplotlib_style(paper)):
        return _draw(result, measure_classes, chosen, numbers, paper)


def _matplotlib_style(paper: Paper) -> Any:
    """Return the Matplotlib settings of a study's figure, in addition to those of the paper."""
    title = {
        "axes.titlesize": 1.12 * paper.size,
        "axes.titlelocation": "left",
        "axes.titleweight": "semibold",
    }
    return {**title, "lines.linewidth": 1.1 * paper.size / _BASE_FONT_SIZE}


def _draw(
    result: StudyData,
    measure_classes: Sequence[type[StudyMeasure]],
    chosen: Sequence[list[Curve]],
    colors: Mapping[str, int],
    paper: Paper,
) -> PrintFigure:
    font_scale, several = paper.size / _BASE_FONT_SIZE, len(measure_classes) > 1
    labels = {
        curve.name: curve.title if several else legend_text(curve) for curves in chosen for curve in curves
    }
    max_characters = _LEGEND_CHARACTERS * paper.width / _DEFAULT_PAPER.width / font_scale
    columns = min(max(int(max_characters // (max(map(len, labels.values()), default=1) + 8)), 1), 4)
    top, foot, row_gap = (
        0.55 * font_scale,
        (0.78 + 0.19 * -(-len(labels) // columns)) * font_scale,
        0.75 * font_scale,
    )
    width = paper.width * MILLIMETRE
    least = top + foot + (len(measure_classes) - 1) * row_gap
    height = (
        paper.height * MILLIMETRE
        if paper.height
        else least + len(measure_classes) * _PLOT_HEIGHT * font_scale
    )
    figure = PrintFigure(paper, f"{shown_title(result.plan.preset)}: a study")
    figure.set_size_inches(width, height)
    rows = figure.subplots(len(measure_classes), 2, sharey="row", squeeze=False)
    shaded = False
    for (left_axes, right_axes), measure, curves in zip(rows, measure_classes, chosen, strict=True):
        styles = [
            _curve_style(curve, result, colors, layer, font_scale) | {"label": labels[curve.name]}
            for curve, layer in zip(curves, overlap_counts(curves), strict=True)
        ]
        _draw_convergence(left_axes, curves, styles, font_scale, result.is_over_tolerances)
        _draw_work_precision(right_axes, curves, styles)
        for axes in (left_axes, right_axes):
            shaded |= _format_axes(axes, result.level(measure.name))
        left_axes.set_ylabel(measure.axis_label())
        right_axes.tick_params(labelleft=False)
    left_margin = 0.6 * font_scale / width
    footnote = _footnote(result, measure_classes, shaded)
    _add_texts(figure, shown_title(result.plan.preset), footnote, left_margin, height)
    _add_legend(figure, list(rows[:, 0]), columns, left_margin, height)
    figure.subplots_adjust(
        left=left_margin,
        right=1 - 0.1 * font_scale / width,
        top=1 - top / height,
        bottom=foot / height,
        wspace=0.57 * font_scale / width,
        hspace=row_gap * len(measure_classes) / max(height - least, 0.1),
    )
    return figure


def _add_texts(figure: PrintFigure, title: str, footnote: str, left_margin: float, height: float) -> None:
    """Write the title above the plots and the footnote below the legend. `height` is the height of the figure [inches]."""
    size, font_scale = figure.paper.size, figure.paper.size / _BASE_FONT_SIZE
    figure.suptitle(
        title,
        x=left_margin,
        y=1 - 0.1 * font_scale / height,
        ha="left",
        va="top",
        weight="semibold",
        color=TEXT_COLOR,
        size=1.2 * size,
    )
    figure.text(
        left_margin, 0.07 * font_scale / height, footnote, size=0.76 * size, color=MUTED_COLOR, va="bottom"
    )


def _add_legend(
    figure: PrintFigure, plots: Sequence[Axes], columns: int, left_margin: float, height: float
) -> None:
    """Draw the legend below the plots, with each label once. `height` is the height of the figure [inches]."""
    handles = {
        label: handle
        for axes in plots
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if not handles:
        return
    size, font_scale = figure.paper.size, figure.paper.size / _BASE_FONT_SIZE
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="lower left",
        bbox_to_anchor=(left_margin - 0.01, 0.19 * font_scale / height),
        ncols=columns,
        frameon=False,
        handlelength=2.6,
        columnspacing=2.0,
        labelspacing=0.35,
        borderpad=0.0,
        fontsize=0.94 * size,
    )


def _curve_style(
    curve: Curve, result: StudyData, colors: Mapping[str, int], layer: int, font_scale: float
) -> dict[str, Any]:
    """Return plot options of a curve: color and dashes of its lane, marker of its integrator.

    Markers are larger for larger `layer`, the number of coinciding curves that are drawn over this one.
    """
    marker, number = result.plan.integrators.index(curve.integrator), colors[str(curve.lane.name)]
    pattern = dash_pattern(number)
    return {
        "color": lane_color(LIGHT, number),
        "linestyle": (0, pattern) if pattern else "-",
        "marker": _MARKERS[marker % len(_MARKERS)],
        "markersize": font_scale * (3.4 + min(2.6 * layer, 9.0)),
        "markerfacecolor": "none" if layer else None,
        "markeredgewidth": 1.0,
    }


def _draw_convergence(
    axes: Axes,
    curves: Sequence[Curve],
    styles: Sequence[dict[str, Any]],
    font_scale: float,
    over_tolerances: bool,
) -> None:
    for curve, style in zip(curves, styles, strict=True):
        abscissas = [abscissa(point, over_tolerances) for point in curve.points]
        axes.plot(abscissas, _positive_or_nan(curve.errors), **style)
    for guide in [] if over_tolerances else order_guides(curves):
        axes.plot(guide.steps, guide.errors, color=MUTED_COLOR, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.annotate(
            f"order {guide.order}", (guide.steps[1], guide.errors[1]), (4, -3), textcoords="offset points",
            color=MUTED_COLOR, size=7.5 * font_scale, ha="left", va="top",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8},
        )  # fmt: skip
    axes.set_title("Convergence")
    axes.set_xlabel("Tolerance of adaptive methods" if over_tolerances else "Time step dt [s]")


def _draw_work_precision(axes: Axes, curves: Sequence[Curve], styles: Sequence[dict[str, Any]]) -> None:
    for curve, style in zip(curves, styles, strict=True):
        axes.plot(
            _positive_or_nan([point.seconds for point in curve.points]),
            _positive_or_nan(curve.errors),
            **style,
        )
    times = [point.seconds for curve in curves for point in curve.points if point.seconds > 0]
    # The axis spans at least a decade, so that small differences do not look large.
    if times and max(times) < 10 * min(times):
        middle = math.sqrt(max(times) * min(times))
        axes.set_xlim(middle / math.sqrt(12), middle * math.sqrt(12))
    axes.set_title("Work and precision")
    axes.set_xlabel("Processor time of the run [s]")


def _positive_or_nan(values: Sequence[float]) -> list[float]:
    """Replace zeros by NaN, which a logarithmic axis omits."""
    return [value if value > 0 else math.nan for value in values]


def _format_axes(axes: Axes, level: float) -> bool:
    """Set scales, ticks and grid, and shade errors below `level`. Return True if the shading is visible."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True)
    low, high = axes.get_xlim()
    is_short = math.log10(high / low) < _SHORT_AXIS_DECADES
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if is_short else (1.0,), numticks=9))
    axes.yaxis.set_major_locator(LogLocator(numticks=9))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(_format_tick))
        axis.set_minor_formatter(NullFormatter())
    axes.tick_params(which="both", length=2.5, width=0.6)
    low, high = axes.get_ylim()
    if not low < level < high:
        return False
    axes.axhspan(low, level, color=GRID_COLOR, alpha=0.45, linewidth=0)
    axes.set_ylim(low, high)
    return True


def _format_tick(value: float, _: int | None = None) -> str:
    """Return a tick label with up to two digits, because axes shorter than a decade have other ticks than 1, 2 and 5."""
    return _format_power(value, 1)


def _format_power(value: float, digits: int = 0) -> str:
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    power, mantissa = format_power_of_ten(int(exponent)), mantissa.removesuffix(".0")
    return power if mantissa == "1" else f"{mantissa}×{power}"


def _footnote(result: StudyData, measures: Sequence[type[StudyMeasure]], shaded: bool) -> str:
    level = result.level(measures[0].name) if len(measures) == 1 else 0.0
    uncertainty = f", accurate to about {_format_power(level)}" if level else ""
    sentences = [f"Reference: {result.method}{uncertainty}{' (shaded)' * shaded}."] if result.method else []
    return "  ".join([*sentences, f"Up to t = {result.plan.duration:g} s; processor time of the steps only."])
