"""Web page of a sweep: one file that a browser shows without quatviz, with values at the pointer and the preset."""

import html
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quatviz.analysis.sweeps.boundaries import boundary_lines, known_boundary
from quatviz.analysis.sweeps.chart import COLORMAP, AxisSpan, Chart, ColorScale
from quatviz.analysis.sweeps.dataset import encode_reasons
from quatviz.base import resources
from quatviz.base.formatting import (
    format_fixed,
    format_four_digits,
    format_unit,
    nice_step,
    tick_decimals,
    tick_values,
)
from quatviz.base.translation import tr
from quatviz.files.addresses import label_at
from quatviz.files.files import checked_extension, refuse_unwritable, write_text
from quatviz.files.preset_edits import shown_title
from quatviz.physics.formulations import lane_title

SUFFIXES = (".html", ".htm")
_TICKS, _SHADES = 6, 64
_MIN_RELATIVE_WIDTH = 1e-3
"""Smallest range of the axes of a section, relative to the values. Smaller differences are rounding
errors."""
_VALUE_DIGITS = 6
"""Number of significant digits of values in the page."""


def render_page(chart: Chart) -> str:
    """Return the page of a chart as HTML, with the points computed so far."""
    parts = {
        "TITLE": html.escape(shown_title(chart.plan.preset)),
        "CHART": json.dumps(_chart_data(chart), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c"),
        "SCRIPT": resources.asset_path("web/sweep.js").read_text("utf-8"),
    }
    # All placeholders are replaced in one pass, because the text of a preset may contain placeholders.
    template = resources.asset_path("web/sweep.html").read_text("utf-8")
    return re.sub(r"@@([A-Z]+)@@", lambda match: parts[match[1]], template)


def write_page(chart: Chart, path: str | Path) -> None:
    """Write the page of a chart, completely or not at all.

    Raises `InputError` if the suffix is not `.html` or `.htm`, or the file cannot be written.
    """
    check_page_path(path)
    write_text(path, render_page(chart))


def check_page_path(path: str | Path) -> None:
    """Raise the `InputError` that `write_page` would raise for `path`. Call this before a long sweep begins."""
    checked_extension(path, SUFFIXES, "map.html")
    refuse_unwritable(path)


def _chart_data(chart: Chart) -> dict[str, Any]:
    plan, scale = chart.plan, chart.scale
    codes, reasons = encode_reasons(chart.results.reason[chart.lane], chart.results.status[chart.lane])
    chart_type = "section" if chart.is_points else "map" if chart.is_map else "diagram"
    x_axis, y_axis = _axes(chart)
    return {
        "kind": chart_type,
        "title": shown_title(plan.preset),
        "about": _description(chart),
        "settings": tr("The preset that repeats this map"),
        "preset": plan.preset_text,
        "axes": [x_axis, y_axis],
        "dimensions": [_dimension_data(chart, index) for index in range(len(plan.axes))],
        "scattered": bool(plan.random_axes),
        "scale": {
            "low": scale.low, "high": scale.high, "log": scale.log, "whole": scale.is_integer,
            "title": chart.measure_class.axis_label(), "words": tr(chart.measure_class.title),
            "unit": "" if chart.is_section else format_unit(chart.measure_class.unit),
            "ticks": scale.tick_labels or _ticks(scale.low, scale.high, scale.log),
            "kinds": [tr(title) for _, title in scale.categories],
        },
        "colours": _color_table(scale.category_colors),
        "values": _json_values(_shown_values(chart.values, scale)),
        "striped": chart.holes.ravel().astype(int).tolist(),
        "computed": chart.computed.ravel().astype(int).tolist(),
        "holes": codes.ravel().tolist(),
        "reasons": [tr(reason) for reason in reasons],
        "nothing": tr("{title}: no value for this run", title=tr(chart.measure_class.title)),
        "missing": tr("not computed yet"),
        "contours": [_json_points(line) for line in chart.contours()],
        "boundary": _boundary_data(chart),
        **_points_data(chart),
    }  # fmt: skip


def _axes(chart: Chart) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both axes of the plot, with their limits and ticks."""
    if chart.is_points:
        points = (
            chart.point_coordinates if len(chart.point_coordinates) else np.array([[0.0, 0.0], [1.0, 1.0]])
        )
        low, high = points.min(axis=0), points.max(axis=0)
        min_width = np.maximum(_MIN_RELATIVE_WIDTH * np.maximum(np.abs(low), np.abs(high)), 1e-9)
        margin = np.maximum(0.04 * (high - low), (min_width - (high - low)) / 2)
        (x_min, y_min), (x_max, y_max) = (low - margin).tolist(), (high + margin).tolist()
        (along, log), (aside, up_log) = chart.plot_axes
        return _axis_data(along, x_min, x_max, log), _axis_data(aside, y_min, y_max, up_log)
    across = _span_axis(chart.spans[0])
    if chart.is_map:
        return across, _span_axis(chart.spans[1])
    scale = chart.scale
    margin = 0.04 * (scale.high - scale.low)
    return across, _axis_data(
        chart.measure_class.axis_label(), scale.low - margin, scale.high + margin, scale.log
    )


def _span_axis(span: AxisSpan) -> dict[str, Any]:
    axis = _axis_data(span.title, *span.edges, span.log, span.count)
    return {**axis, "ticks": span.tick_labels} if span.tick_labels else axis


def _axis_data(title: str, low: float, high: float, log: bool = False, count: int = 1) -> dict[str, Any]:
    return {"title": title, "low": low, "high": high, "count": count, "ticks": _ticks(low, high, log)}


def _ticks(low: float, high: float, log: bool) -> list[tuple[float, str]]:
    """Return the positions and labels of ticks. Coordinates of a logarithmic axis are decades."""
    step = nice_step(high - low, _TICKS)
    if log:
        return [(at, format_four_digits(10.0**at)) for at in tick_values(low, high, step)]
    return [(at, format_fixed(at, tick_decimals(step))) for at in tick_values(low, high, step)]


def _dimension_data(chart: Chart, index: int) -> dict[str, Any]:
    plan = chart.plan
    address = plan.addresses[index]
    values = plan.axes[index].values
    if plan.random_axes:
        values = plan.values_at(np.arange(plan.point_count)[:, None])[:, index]
    return {
        "words": label_at(plan.preset, address),
        "unit": format_unit(plan.unit(address)),
        "values": [float(f"{value:.{_VALUE_DIGITS}g}") for value in values.tolist()],
    }


def _description(chart: Chart) -> str:
    run, done, total = chart.plan.preset.run, int(chart.computed.sum()), chart.computed.size
    lane = lane_title(chart.plan.lanes[chart.lane])
    parts = [
        tr("{done:,} of {all:,} runs of {lane} up to t = {duration:g} s", done=done, all=total, lane=lane, duration=run.duration)
    ]  # fmt: skip
    boundary = known_boundary(chart.plan) if chart.is_map else None
    if boundary is not None:
        parts.append(tr("Dashed: {boundary} ({source})", boundary=tr(boundary.title), source=boundary.source))
    if chart.is_points:
        parts.append(chart.color_legend)
    return ". ".join(parts)


def _shown_values(values: np.ndarray, scale: ColorScale) -> np.ndarray:
    """Return the array of values that the page shows. Indices of categories are replaced by positions among
    the categories that occur."""
    if not scale.categories:
        return values
    return scale.low + scale.normalize(values) * len(scale.categories)


def _color_table(category_colors: Sequence[str] | None) -> list[list[int]]:
    """Return the given category colors, or samples of the color map, as lists of red, green and blue (0 to 255)."""
    if category_colors is not None:
        return [list(bytes.fromhex(color[1:])) for color in category_colors]
    from matplotlib import colormaps  # a slow import

    return (colormaps[COLORMAP](np.linspace(0, 1, _SHADES))[:, :3] * 255).round().astype(int).tolist()


def _boundary_data(chart: Chart) -> list[list[list[float]]]:
    boundary = known_boundary(chart.plan) if chart.is_map else None
    return [] if boundary is None else [_json_points(line) for line in boundary_lines(chart.plan, boundary)]


def _points_data(chart: Chart) -> dict[str, Any]:
    if not chart.is_points:
        return {}
    return {
        "points": _json_points(chart.point_coordinates),
        "shades": [
            round(shade, 4) if math.isfinite(shade) else None for shade in chart.point_shades.tolist()
        ],
        "cells": chart.point_cells.tolist(),
    }


def _json_values(values: np.ndarray) -> list[float | None]:
    """Return the values (n,) as a list with few digits, and None for values that are not finite."""
    flat = values.ravel().tolist()
    return [float(f"{value:.{_VALUE_DIGITS}g}") if math.isfinite(value) else None for value in flat]


def _json_points(points: np.ndarray) -> list[list[float]]:
    return [[float(f"{value:.{_VALUE_DIGITS}g}") for value in point] for point in points.tolist()]
