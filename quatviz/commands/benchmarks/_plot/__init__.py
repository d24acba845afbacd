"""Figure of measured scalings, with the measured points and the fitted lines."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from quatviz.commands.benchmarks._results import ScalingResult, machine_description
from quatviz.display.view_state.line_styles import lane_color
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.paper import MILLIMETRE, MUTED_COLOR, Paper, PrintFigure, print_style

MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_PAPER = Paper()
_HEIGHT = 62.0
"""Height [mm] of one plot of the figure, including the labels of the axes."""


def write_plot(growths: Sequence[ScalingResult], path: Path) -> None:
    """Write a figure (.svg, .pdf or .png) with one plot per varied quantity."""
    shared: dict[tuple[str, str], list[ScalingResult]] = {}
    for growth in growths:
        shared.setdefault((growth.over, growth.unit), []).append(growth)
    with print_style(_PAPER):
        height = len(shared) * _HEIGHT + 8.0
        figure = PrintFigure(_PAPER, "Scaling", layout="constrained")
        figure.set_height_ems(height * MILLIMETRE / figure.em)
        plots = figure.subplots(len(shared), squeeze=False).flat
        for axes, ((over, unit), group) in zip(plots, shared.items(), strict=True):
            _draw(axes, over, unit, group)
        figure.supxlabel(machine_description(), fontsize=4.5, color=MUTED_COLOR)
    figure.save(path)


def _draw(axes: Axes, over: str, unit: str, growths: Sequence[ScalingResult]) -> None:
    for number, growth in enumerate(growths):
        color = lane_color(LIGHT, number)
        fit = growth.fit
        sizes = np.geomspace(min(growth.sizes), max(growth.sizes), 100)
        axes.plot(sizes, fit.fixed + fit.slope * sizes, color=color, linestyle=(0, (4, 3)), linewidth=0.8)
        points: Any = {"color": color, "marker": MARKERS[number % len(MARKERS)], "linestyle": "none"}
        axes.plot(
            growth.sizes, growth.values, markersize=4.0, label=f"{growth.name}\n{growth.fit_text}", **points
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True)
    axes.xaxis.set_major_locator(FixedLocator(sorted({size for curve in growths for size in curve.sizes})))
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=9))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        axis.set_minor_locator(NullLocator())
    axes.set_xlabel(over)
    axes.set_ylabel(unit)
    axes.legend(
        frameon=False,
        fontsize=6.5,
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderpad=0.0,
        labelspacing=0.9,
    )
