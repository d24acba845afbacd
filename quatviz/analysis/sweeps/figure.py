"""Printed figure of a sweep: a map with a color bar, or a diagram."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from quatviz.analysis.sweeps.boundaries import boundary_lines, known_boundary
from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.chart import COLORMAP, AxisSpan, Chart, ColorScale
from quatviz.base.formatting import format_short
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import lane_color
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.paper import (
    EDGE_MARGIN,
    GRID_COLOR,
    MUTED_COLOR,
    TEXT_COLOR,
    Paper,
    PrintFigure,
    print_style,
)
from quatviz.files.preset_edits import shown_title
from quatviz.physics.formulations import lane_title

_DEFAULT_PAPER = Paper(width=120.0)
_HEAD, _FOOT, _SIDE, _KEY, _KEY_GAP, _KEY_TEXT = 3.2, 6.4, 6.2, 1.2, 1.0, 7.6
"""Sizes [ems]: space above, below and beside the plot; width of the color bar, its distance from the plot, and space
for its labels."""
_ASPECT_RATIO = 0.78
"""Ratio of height to width of a plot."""


def draw_chart(chart: Chart, paper: Paper = _DEFAULT_PAPER) -> PrintFigure:
    """Return the figure of a chart with the points computed so far, and the theoretical boundary if one is known."""
    with print_style(paper):
        figure = PrintFigure(paper, shown_title(chart.plan.preset))
        is_map = chart.is_map
        right_margin = _KEY_GAP + _KEY + _KEY_TEXT if is_map else EDGE_MARGIN
        width = figure.width_ems - _SIDE - right_margin - EDGE_MARGIN
        height = (
            _ASPECT_RATIO * width if paper.height is None else paper.height / 25.4 / figure.em - _HEAD - _FOOT
        )
        figure.set_height_ems(_HEAD + height + _FOOT)
        figure.add_text(EDGE_MARGIN, EDGE_MARGIN, shown_title(chart.plan.preset), 1.2, weight="semibold")
        axes = figure.add_axes_at(_SIDE, _HEAD, width, height)
        if is_map:
            _draw_map(axes, chart)
            _draw_boundary(axes, known_boundary(chart.plan), chart)
            _draw_color_key(
                figure.add_axes_at(_SIDE + width + _KEY_GAP, _HEAD, _KEY, height),
                chart,
                chart.measure_class.axis_label(),
            )
        elif chart.is_points:
            _draw_points(axes, chart)
        else:
            _draw_diagram(axes, chart)
        figure.add_text(EDGE_MARGIN, figure.height_ems - 1.6, _footnote(chart), 0.76, color=MUTED_COLOR)
        return figure


def _draw_map(axes: Axes, chart: Chart) -> None:
    x_span, y_span = chart.spans
    extent = (*x_span.edges, *y_span.edges)
    axes.set_facecolor(GRID_COLOR)
    shades = np.ma.masked_invalid(chart.scale.normalize(chart.filled_values)).T
    axes.imshow(
        shades,
        extent=extent,
        origin="lower",
        aspect="auto",
        cmap=_colormap(chart.scale),
        vmin=0,
        vmax=1,
        interpolation="nearest",
    )
    holes = chart.holes[chart.nearest_computed]
    if holes.any():
        # Two samples per cell, at its edges, so that the hatching fills the cell.
        cell_mask = holes.repeat(2, axis=0).repeat(2, axis=1).T.astype(float)
        sides = (np.linspace(*span.edges, span.count + 1).repeat(2)[1:-1] for span in (x_span, y_span))
        axes.contourf(*sides, cell_mask, [0.5, 1.5], colors="white", hatches=["////"], alpha=0.6)
    for line in chart.contours():
        axes.plot(*line.T, color="white", linewidth=0.6)
    axes.set_xlim(*x_span.edges)
    axes.set_ylim(*y_span.edges)
    _label_axis(axes.xaxis, x_span)
    _label_axis(axes.yaxis, y_span)
    for side in ("top", "right"):
        axes.spines[side].set_visible(True)


def _draw_boundary(axes: Axes, boundary: type[Boundary] | None, chart: Chart) -> None:
    for line in boundary_lines(chart.plan, boundary) if boundary is not None else ():
        axes.plot(*line.T, color="white", linewidth=2.2)
        axes.plot(*line.T, color=TEXT_COLOR, linewidth=1.0, linestyle=(0, (4, 2)))


def _draw_color_key(axes: Axes, chart: Chart, title: str) -> None:
    scale = chart.scale
    axes.imshow(
        scale.key_colors[:, None],
        extent=(0, 1, scale.low, scale.high),
        origin="lower",
        aspect="auto",
        cmap=_colormap(scale),
        vmin=0,
        vmax=1,
        interpolation="nearest",
    )
    for line in chart.contour_marks():
        axes.plot(*line.T, color="white", linewidth=0.6)
    axes.set_xlim(0, 1)
    axes.set_ylim(scale.low, scale.high)
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    _set_ticks(axes.yaxis, scale.log)
    if scale.tick_labels:
        axes.set_yticks(*zip(*scale.tick_labels, strict=True))
    if not scale.categories:  # The titles of categories need this space; the footnote names the quantity.
        axes.set_ylabel(title, color=TEXT_COLOR)
    for side in ("top", "right"):
        axes.spines[side].set_visible(True)


def _draw_diagram(axes: Axes, chart: Chart) -> None:
    span, color = chart.spans[0], lane_color(LIGHT, 0)
    values = chart.scale.coordinates(chart.values)
    is_discrete = values.ndim > 1 or bool(chart.scale.categories)
    axes.plot(
        span.coordinates,
        values,
        color=color,
        marker=".",
        markersize=2.5,
        linestyle="none" if is_discrete else "-",
    )
    axes.grid(True)
    axes.set_ylabel(chart.measure_class.axis_label())
    _label_axis(axes.xaxis, span)
    _set_ticks(axes.yaxis, chart.scale.log)
    if chart.scale.categories:
        axes.set_yticks(*zip(*chart.scale.tick_labels or [], strict=True))


def _draw_points(axes: Axes, chart: Chart) -> None:
    along, across = chart.point_coordinates.T
    axes.scatter(
        along, across, c=chart.point_shades, cmap=COLORMAP if chart.is_section else _colormap(chart.scale), vmin=0, vmax=1,
        s=1.2 if chart.is_section else 3.0, linewidths=0, rasterized=True,
    )  # fmt: skip
    axes.grid(True)
    axes.set_axisbelow(True)
    for (name, log), axis in zip(chart.plot_axes, (axes.xaxis, axes.yaxis), strict=True):
        axis.set_label_text(name)
        _set_ticks(axis, log)


def _label_axis(axis: Any, span: AxisSpan) -> None:
    axis.set_label_text(span.title)
    _set_ticks(axis, span.log)
    if span.tick_labels:
        axis.set_ticks(*zip(*span.tick_labels, strict=True))


def _set_ticks(axis: Any, log: bool) -> None:
    """Set the ticks of a logarithmic axis: at decades, or at 1, 2 and 5 if the axis is short."""
    if not log:
        return
    low, high = axis.get_view_interval()
    is_short = high - low < 2.5
    tick_values = LogLocator(subs=(1.0, 2.0, 5.0) if is_short else (1.0,), numticks=9).tick_values(
        10.0**low, 10.0**high
    )
    axis.set_ticks([coordinate for coordinate in np.log10(tick_values) if low <= coordinate <= high])
    axis.set_major_formatter(FuncFormatter(lambda coordinate, _: format_short(10.0**coordinate)))
    axis.set_minor_formatter(NullFormatter())


def _footnote(chart: Chart) -> str:
    """Return the footnote: the runs, the meaning of colors, and the dashed boundary."""
    run, done, total = chart.plan.preset.run, int(chart.computed.sum()), chart.computed.size
    lane = lane_title(chart.plan.lanes[chart.lane])
    text = tr(
        "{count} runs of {lane} up to t = {duration:g} s", count=f"{done:,}", lane=lane, duration=run.duration
    )
    if done < total:
        text = tr("{runs} ({total} were requested)", runs=text, total=f"{total:,}")
    if chart.is_points:
        return f"{text}; {chart.color_legend}"
    if chart.scale.categories and chart.is_map:
        text = tr("{footnote}; colors: {title}", footnote=text, title=tr(chart.measure_class.title))
    if chart.contours():
        text = tr("{footnote}; white lines: contours at the ticks of the color bar", footnote=text)
    boundary = known_boundary(chart.plan) if chart.is_map else None
    return (
        text
        if boundary is None
        else tr("{footnote}; dashed: {boundary}", footnote=text, boundary=tr(boundary.title))
    )


def _colormap(scale: ColorScale) -> ListedColormap | str:
    return ListedColormap(scale.category_colors) if scale.category_colors else COLORMAP
