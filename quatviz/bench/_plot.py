"""How what was measured grows, as a figure: the points, and the line that was fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from quatviz.bench._figures import Growth, machine
from quatviz.export.figures.paper import MM, MUTED, Paper, save, styled
from quatviz.look.lanes import lane_colour
from quatviz.look.theme import LIGHT

_PAPER = Paper()
_COLUMNS = 2
_HEIGHT = 62.0
"""Of one plot with its title and axis [mm]."""


def write_plot(growths: Sequence[Growth], path: Path) -> None:
    """One plot for each thing that something grows with, written into `path`: .svg, .pdf or .png."""
    shared: dict[tuple[str, str], list[Growth]] = {}
    for growth in growths:
        shared.setdefault((growth.over, growth.unit), []).append(growth)
    rows = -(-len(shared) // _COLUMNS)
    with styled(_PAPER):
        figure = Figure(figsize=(_PAPER.width * MM, (rows * _HEIGHT + 8.0) * MM), layout="constrained")
        plots = figure.subplots(rows, _COLUMNS, squeeze=False).flat
        for axes, ((over, unit), same) in zip(plots, shared.items(), strict=False):
            _draw(axes, over, unit, same)
        for axes in list(figure.axes)[len(shared) :]:
            axes.remove()
        figure.supxlabel(machine(), fontsize=5.0, color=MUTED)
    save(figure, path, _PAPER, "How it grows")


def _draw(axes: Axes, over: str, unit: str, growths: Sequence[Growth]) -> None:
    for number, growth in enumerate(growths):
        colour = lane_colour(LIGHT, number)
        fit = growth.fit
        sizes = np.geomspace(min(growth.sizes), max(growth.sizes), 100)
        axes.plot(sizes, fit.fixed + fit.each * sizes, color=colour, linestyle=(0, (4, 3)), linewidth=0.8)
        axes.plot(
            growth.sizes,
            growth.values,
            "o",
            color=colour,
            markersize=3.5,
            label=f"{growth.name}: {growth.law}",
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True)
    axes.set_xlabel(over)
    axes.set_ylabel(f"[{unit}]")
    axes.legend(frameon=False, fontsize=5.5, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderpad=0.0)
