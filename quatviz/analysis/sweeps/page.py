"""The page of a sweep: one file that a browser shows without quatviz, with the values under the pointer and the preset."""

import html
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from quatviz.analysis.sweeps.boundaries import boundary_of, lines
from quatviz.analysis.sweeps.chart import COLOURS, Chart, Span
from quatviz.analysis.sweeps.dataset import coded
from quatviz.base import resources
from quatviz.base.formatting import decimals_for, fixed, four_digits, nice_step, ticks, unit_text
from quatviz.base.translation import told, tr
from quatviz.files.addresses import words_at
from quatviz.files.files import refuse_ending, refuse_place, write_text

SUFFIXES = (".html", ".htm")
_TICKS, _SHADES = 6, 64
_NARROWEST = 1e-3
"""Of the values of a section, the width that its axes have at least: less is rounding."""
_DIGITS = 6
"""That values keep in the page."""


def page_of(chart: Chart) -> str:
    """The page of a chart, as far as it is computed."""
    parts = {
        "TITLE": html.escape(chart.plan.preset.title),
        "CHART": json.dumps(_told(chart), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c"),
        "SCRIPT": resources.asset("web/sweep.js").read_text("utf-8"),
    }
    # In one pass, for a preset's text may hold anything.
    template = resources.asset("web/sweep.html").read_text("utf-8")
    return re.sub(r"@@([A-Z]+)@@", lambda found: parts[found[1]], template)


def write_page(chart: Chart, path: str | Path) -> None:
    """Write the page of a chart, whole or not at all. `InputError` for another ending than `.html`, and for a place that cannot be
    written."""
    refuse_page(path)
    write_text(path, page_of(chart))


def refuse_page(path: str | Path) -> None:
    """Refuse, before a long sweep, the `path` that `write_page` would refuse after it."""
    refuse_ending(path, SUFFIXES, "map.html")
    refuse_place(path)


def _told(chart: Chart) -> dict[str, Any]:
    plan, scale = chart.plan, chart.scale
    codes, reasons = coded(chart.found.reason[chart.lane], chart.found.status[chart.lane])
    kind = "section" if chart.is_points else "map" if chart.is_map else "diagram"
    across, up = _axes(chart)
    return {
        "kind": kind,
        "title": plan.preset.title,
        "about": _about(chart),
        "settings": tr("The preset that repeats this sweep"),
        "preset": plan.text,
        "axes": [across, up],
        "dimensions": [_dimension(chart, place) for place in range(len(plan.axes))],
        "scattered": bool(plan.scattered),
        "scale": {
            "low": scale.low, "high": scale.high, "log": scale.log, "whole": scale.whole, "title": chart.kind.axis(),
            "words": tr(chart.kind.title), "unit": "" if chart.is_section else unit_text(chart.kind.unit),
            "ticks": scale.named or _ticks(scale.low, scale.high, scale.log),
            "kinds": [tr(title) for _, title in scale.kinds],
        },
        "colours": _colours(scale.colours),
        "values": _plain(scale.low + scale.shares(chart.values) * len(scale.kinds) if scale.kinds else chart.values),
        "striped": chart.holes.ravel().astype(int).tolist(),
        "computed": chart.known.ravel().astype(int).tolist(),
        "holes": codes.ravel().tolist(),
        "reasons": [told(reason) for reason in reasons],
        "nothing": tr("{title}: none in this run", title=tr(chart.kind.title)),
        "missing": tr("not computed yet"),
        "contours": [_plain_points(line) for line in chart.contours()],
        "boundary": _boundary(chart),
        **_section(chart),
    }  # fmt: skip


def _axes(chart: Chart) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both axes of what is drawn, with their edges and ticks."""
    if chart.is_points:
        points = chart.points if len(chart.points) else np.array([[0.0, 0.0], [1.0, 1.0]])
        low, high = points.min(axis=0), points.max(axis=0)
        least = np.maximum(_NARROWEST * np.maximum(np.abs(low), np.abs(high)), 1e-9)
        room = np.maximum(0.04 * (high - low), (least - (high - low)) / 2)
        (left, below), (right, above) = (low - room).tolist(), (high + room).tolist()
        (along, log), (aside, up_log) = chart.plane
        return _axis(along, left, right, log), _axis(aside, below, above, up_log)
    across = _of_span(chart.spans[0])
    if chart.is_map:
        return across, _of_span(chart.spans[1])
    scale = chart.scale
    room = 0.04 * (scale.high - scale.low)
    return across, _axis(chart.kind.axis(), scale.low - room, scale.high + room, scale.log)


def _of_span(span: Span) -> dict[str, Any]:
    made = _axis(span.title, *span.edges, span.log, span.count)
    return {**made, "ticks": span.named} if span.named else made


def _axis(title: str, low: float, high: float, log: bool = False, count: int = 1) -> dict[str, Any]:
    return {"title": title, "low": low, "high": high, "count": count, "ticks": _ticks(low, high, log)}


def _ticks(low: float, high: float, log: bool) -> list[tuple[float, str]]:
    """Where values are written beside an axis, and how; coordinates of one in decades are their logarithms."""
    step = nice_step(high - low, _TICKS)
    if log:
        return [(at, four_digits(10.0**at)) for at in ticks(low, high, step)]
    return [(at, fixed(at, decimals_for(step))) for at in ticks(low, high, step)]


def _dimension(chart: Chart, place: int) -> dict[str, Any]:
    plan = chart.plan
    address = plan.addresses[place]
    values = plan.axes[place].values
    if plan.scattered:
        values = plan.values(np.arange(plan.points)[:, None])[:, place]
    return {
        "words": words_at(plan.preset, address),
        "unit": unit_text(plan.unit(address)),
        "values": [float(f"{value:.{_DIGITS}g}") for value in values.tolist()],
    }


def _about(chart: Chart) -> str:
    run, done, all_ = chart.plan.preset.run, int(chart.known.sum()), chart.known.size
    lane = chart.plan.lanes[chart.lane]
    parts = [
        tr("{done:,} of {all:,} runs of {lane} up to t = {duration:g} s", done=done, all=all_, lane=lane, duration=run.duration)
    ]  # fmt: skip
    kind = boundary_of(chart.plan) if chart.is_map else None
    if kind is not None:
        parts.append(tr("Dashed: {boundary} ({source})", boundary=tr(kind.title), source=kind.source))
    if chart.is_points:
        parts.append(chart.shaded)
    return ". ".join(parts)


def _colours(own: Sequence[str] | None) -> list[list[int]]:
    """`own` ones, `#rrggbb`, or a ramp."""
    if own is not None:
        return [list(bytes.fromhex(colour[1:])) for colour in own]
    from matplotlib import colormaps  # late: a quarter of a second

    return (colormaps[COLOURS](np.linspace(0, 1, _SHADES))[:, :3] * 255).round().astype(int).tolist()


def _boundary(chart: Chart) -> list[list[list[float]]]:
    kind = boundary_of(chart.plan) if chart.is_map else None
    return [] if kind is None else [_plain_points(line) for line in lines(chart.plan, kind)]


def _section(chart: Chart) -> dict[str, Any]:
    if not chart.is_points:
        return {}
    return {
        "points": _plain_points(chart.points),
        "shades": [round(shade, 4) if math.isfinite(shade) else None for shade in chart.shades.tolist()],
        "cells": chart.cells.tolist(),
    }


def _plain(values: np.ndarray) -> list[float | None]:
    """Numbers of few digits; none where there is none."""
    flat = values.ravel().tolist()
    return [float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None for value in flat]


def _plain_points(points: np.ndarray) -> list[list[float]]:
    return [[float(f"{value:.{_DIGITS}g}") for value in point] for point in points.tolist()]
