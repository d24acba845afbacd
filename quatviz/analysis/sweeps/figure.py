"""The figure of a sweep for print: a map with the key of its colours, or a diagram."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from quatviz.analysis.sweeps.boundaries import boundary_of, lines
from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.chart import COLOURS, Chart, Scale, Span
from quatviz.base.translation import tr
from quatviz.display.view_state.line_styles import lane_colour
from quatviz.display.view_state.theme import LIGHT
from quatviz.export.figures.paper import EDGE, HAIR, INK, MUTED, Paper, PrintFigure, styled

_PAPER = Paper(width=120.0)
_HEAD, _FOOT, _SIDE, _KEY, _KEY_GAP, _KEY_TEXT = 3.2, 6.4, 6.2, 1.2, 1.0, 7.6
"""Room above, below and beside the plot, and of the key of colours [ems]."""
_SHAPE = 0.78
"""Height of a plot by its width."""


def draw(chart: Chart, paper: Paper = _PAPER) -> PrintFigure:
    """The figure of a chart, as far as it is computed, with the boundary that theory knows, where it does."""
    with styled(paper):
        figure = PrintFigure(paper, chart.plan.preset.title)
        is_map = chart.is_map
        beside = _KEY_GAP + _KEY + _KEY_TEXT if is_map else EDGE
        width = figure.wide - _SIDE - beside - EDGE
        height = _SHAPE * width if paper.height is None else paper.height / 25.4 / figure.em - _HEAD - _FOOT
        figure.set_high(_HEAD + height + _FOOT)
        figure.write(EDGE, EDGE, chart.plan.preset.title, 1.2, weight="semibold")
        axes = figure.plot_at(_SIDE, _HEAD, width, height)
        if is_map:
            _map(axes, chart)
            _bound(axes, boundary_of(chart.plan), chart)
            _key(
                figure.plot_at(_SIDE + width + _KEY_GAP, _HEAD, _KEY, height), chart.scale, chart.kind.axis()
            )
        elif chart.is_points:
            _points(axes, chart)
        else:
            _diagram(axes, chart)
        figure.write(EDGE, figure.high - 1.6, _footnote(chart), 0.76, color=MUTED)
        return figure


def _map(axes: Axes, chart: Chart) -> None:
    across, up = chart.spans
    box = (*across.edges, *up.edges)
    axes.set_facecolor(HAIR)
    shades = np.ma.masked_invalid(chart.scale.shares(chart.filled)).T
    axes.imshow(
        shades,
        extent=box,
        origin="lower",
        aspect="auto",
        cmap=_colours(chart.scale),
        vmin=0,
        vmax=1,
        interpolation="nearest",
    )
    holes = chart.holes[chart.stand_ins]
    if holes.any():
        whole = holes.repeat(2, axis=0).repeat(2, axis=1).T.astype(float)  # from edge to edge of each cell
        sides = (np.linspace(*span.edges, span.count + 1).repeat(2)[1:-1] for span in (across, up))
        axes.contourf(*sides, whole, [0.5, 1.5], colors="white", hatches=["////"], alpha=0.6)
    for line in chart.contours():
        axes.plot(*line.T, color="white", linewidth=0.6)
    axes.set_xlim(*across.edges)
    axes.set_ylim(*up.edges)
    _label(axes.xaxis, across)
    _label(axes.yaxis, up)
    for side in ("top", "right"):
        axes.spines[side].set_visible(True)


def _bound(axes: Axes, kind: type[Boundary] | None, chart: Chart) -> None:
    for line in lines(chart.plan, kind) if kind is not None else ():
        axes.plot(*line.T, color="white", linewidth=2.2)
        axes.plot(*line.T, color=INK, linewidth=1.0, linestyle=(0, (4, 2)))


def _key(axes: Axes, scale: Scale, title: str) -> None:
    axes.imshow(
        scale.ramp[:, None],
        extent=(0, 1, scale.low, scale.high),
        origin="lower",
        aspect="auto",
        cmap=_colours(scale),
        vmin=0,
        vmax=1,
        interpolation="nearest",
    )
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.yaxis.set_label_position("right")
    _ticks(axes.yaxis, scale.log)
    if scale.named:
        axes.set_yticks(*zip(*scale.named, strict=True))
    if not scale.kinds:  # whose titles take the room: the foot says what they are
        axes.set_ylabel(title, color=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(True)


def _diagram(axes: Axes, chart: Chart) -> None:
    span, colour = chart.spans[0], lane_colour(LIGHT, 0)
    values = chart.scale.heights(chart.values)
    alone = values.ndim > 1 or bool(chart.scale.kinds)
    axes.plot(
        span.places, values, color=colour, marker=".", markersize=2.5, linestyle="none" if alone else "-"
    )
    axes.grid(True)
    axes.set_ylabel(chart.kind.axis())
    _label(axes.xaxis, span)
    _ticks(axes.yaxis, chart.scale.log)
    if chart.scale.kinds:
        axes.set_yticks(*zip(*chart.scale.named or [], strict=True))


def _points(axes: Axes, chart: Chart) -> None:
    along, across = chart.points.T
    axes.scatter(
        along, across, c=chart.shades, cmap=COLOURS if chart.is_section else _colours(chart.scale), vmin=0, vmax=1,
        s=1.2 if chart.is_section else 3.0, linewidths=0, rasterized=True,
    )  # fmt: skip
    axes.grid(True)
    axes.set_axisbelow(True)
    for (name, log), axis in zip(chart.plane, (axes.xaxis, axes.yaxis), strict=True):
        axis.set_label_text(name)
        _ticks(axis, log)


def _label(axis: Any, span: Span) -> None:
    axis.set_label_text(span.title)
    _ticks(axis, span.log)
    if span.named:
        axis.set_ticks(*zip(*span.named, strict=True))


def _ticks(axis: Any, log: bool) -> None:
    """Of coordinates that are decades: at whole ones, or at 1, 2 and 5 where there are few."""
    if not log:
        return
    low, high = axis.get_view_interval()
    few = high - low < 2.5
    named = LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,), numticks=9).tick_values(10.0**low, 10.0**high)
    axis.set_ticks([place for place in np.log10(named) if low <= place <= high])
    axis.set_major_formatter(FuncFormatter(lambda place, _: f"{10.0**place:g}"))
    axis.set_minor_formatter(NullFormatter())


def _footnote(chart: Chart) -> str:
    """What the runs were, and what is dashed."""
    run, done, all_ = chart.plan.preset.run, int(chart.known.sum()), chart.known.size
    lane = chart.plan.lanes[chart.lane]
    said = tr(
        "{count} runs of {lane} up to t = {duration:g} s", count=f"{done:,}", lane=lane, duration=run.duration
    )
    if done < all_:
        said = tr("{said}, of {all} that were asked for", said=said, all=f"{all_:,}")
    if chart.is_points:
        return f"{said}; {chart.shaded}"
    if chart.scale.kinds and chart.is_map:
        said = tr("{said}; colours: {title}", said=said, title=tr(chart.kind.title))
    kind = boundary_of(chart.plan) if chart.is_map else None
    return said if kind is None else tr("{said}; dashed: {boundary}", said=said, boundary=tr(kind.title))


def _colours(scale: Scale) -> ListedColormap | str:
    return ListedColormap(scale.colours) if scale.colours else COLOURS
