"""What the board shows, as the plain description that a figure for print is drawn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from PySide6.QtGui import QColor

from quatviz.export.figures.breaks import CAUSES
from quatviz.export.figures.description import Curve, FigurePicture, PanelPicture, Strip
from quatviz.export.figures.reduction import BUCKETS
from quatviz.ui.export.painted import image_of
from quatviz.ui.panels.base import Panel
from quatviz.ui.plotting.curves import Trace
from quatviz.ui.plotting.painted_panel import PaintedPanel
from quatviz.ui.plotting.scales import SCALES
from quatviz.ui.plotting.series import window
from quatviz.ui.plotting.strip_plot import StripPlot
from quatviz.ui.plotting.time_axis import TimeAxis
from quatviz.ui.plotting.time_panel import TimePanel
from quatviz.ui.theme import LIGHT, Theme
from quatviz.ui.tr import tr

Light = Callable[[QColor], str]
"""From a colour of the window's theme to that of the light theme which means the same."""


def describe(
    panels: Iterable[Panel],
    axis: TimeAxis,
    theme: Theme,
    title: str,
    footnote: str,
    width: float,
    size: float,
) -> FigurePicture:
    """These panels as they are now: lanes, option, difference and time range; in the colours of the light theme.

    `width` [mm] of a column and `size` [pt] of the figure are for panels that are pictures in it.
    """
    light = _in_light(theme)
    pictures = []
    legend: dict[str, str] = {}
    for panel in panels:
        if isinstance(panel, TimePanel):
            pictures.append(_panel(panel, axis, light))
            for plot in panel.plots:
                if plot.header.symbol:
                    own = (trace for trace in plot.traces if not (trace.theory or trace.part))
                    legend |= {trace.lane: light(trace.colour) for trace in own}
        elif isinstance(panel, PaintedPanel) and panel.said:
            pictures.append(PanelPicture(tr(panel.title), tr(panel.note), image=image_of(panel, width, size)))
    events = sorted({event.at for event in axis.events if axis.low <= event.at <= axis.high})
    pictures = [picture for picture in pictures if picture.strips or picture.image is not None]
    return FigurePicture(pictures, axis.low, axis.high, title, events, list(legend.items()), footnote)


def _in_light(theme: Theme) -> Light:
    """A function from a colour of `theme` to that of the light theme which means the same."""
    pairs = [(theme.text, LIGHT.text), *zip(theme.lanes, LIGHT.lanes, strict=True)]
    pairs += zip(theme.components, LIGHT.components, strict=True)
    known = {QColor(own).name(): light for own, light in pairs}
    return lambda colour: known.get(colour.name(), LIGHT.text)


def _panel(panel: TimePanel, axis: TimeAxis, light: Light) -> PanelPicture:
    units = {plot.header.unit for plot in panel.plots}
    said = [part for part in panel.said_note.split(", ") if part and part not in units]
    note = ", ".join([*_chosen(panel), *said])
    strips = [_strip(plot, axis, light) for plot in panel.plots]
    return PanelPicture(tr(panel.title), note, strips, panel.said_remark)


def _chosen(panel: TimePanel) -> list[str]:
    """What is chosen in the panel, such as the sequence of its angles: on paper nothing else says it."""
    return [
        f"{choice.text(panel.choices.option(choice))} {tr(choice.noun)}".strip() for choice in panel.offered
    ]


def _strip(plot: StripPlot, axis: TimeAxis, light: Light) -> Strip:
    kinds = {kind: name for name, kind in SCALES.items()}
    scale, empty = plot.y_scale, plot.y_scale.empty
    return Strip(
        _curves(plot.traces, axis, light),
        plot.header.symbol,
        plot.header.unit,
        kinds[type(scale)],  # type: ignore[arg-type]
        plot.weight,
        None if empty else scale.low,
        None if empty else scale.high,
        plot.band,
    )


def _curves(traces: Sequence[Trace], axis: TimeAxis, light: Light) -> list[Curve]:
    curves = []
    below: np.ndarray | None = None
    for trace in traces:
        series = trace.series
        times, values = series.curve(window(series.times, axis.low, axis.high, BUCKETS), trace.component)
        area = None
        if trace.part:
            area = np.zeros_like(values) if below is None or len(below) != len(values) else below
            below = values
        found = series.jumps(trace.component)
        jumps = [
            (float(time), CAUSES[cause]) for time, cause in zip(found.times, found.causes, strict=True)
            if axis.low <= time <= axis.high
        ]  # fmt: skip
        end = series.end(trace.component) if trace.ended and not trace.theory else None
        inside = end is not None and axis.low <= end[0] <= axis.high
        curves.append(
            Curve(
                times,
                values,
                light(trace.colour),
                tr("theory") if trace.theory else trace.label,
                trace.theory,
                area_from=area,
                jumps=jumps,
                end=end if inside else None,
            )
        )
    # The sum is drawn over its parts.
    return sorted(curves, key=lambda curve: curve.area_from is None)
