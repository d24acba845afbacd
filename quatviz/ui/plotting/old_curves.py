"""The curves of an old future: thin and faint, below those of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from quatviz.ui.old_future import OldFuture
from quatviz.ui.plotting.curves import Trace, paths, stroke
from quatviz.ui.plotting.scales import Scale
from quatviz.ui.plotting.series import Series
from quatviz.ui.plotting.time_axis import TimeAxis

FAINT = 0.45
"""Opacity."""

Old = list[tuple[Trace, Trace]]
"""Traces of the run, whose colours hold for both, and of its old future."""


def old_traces(old: OldFuture | None, traces: Sequence[Trace], series_of: Callable[[Trace], Series]) -> Old:
    """The old future of each trace that has one; `series_of` makes an empty series of a trace's kind."""
    if old is None:
        return []
    made: dict[tuple[str, str], Series] = {}
    found = []
    for trace in traces:
        if trace.theory or trace.part or trace.lane not in old.lanes:
            continue
        key = (trace.lane, trace.quantity)
        if key not in made:
            made[key] = series_of(trace)
            made[key].take(*old.values(*key))
        found.append((trace, replace(trace, series=made[key], shape="", ended=False)))
    return found


def draw_old(painter: QPainter, old: Old, scale: Scale, axis: TimeAxis, area: QRectF) -> None:
    """Each curve by itself, whole: which lane is which matters less here than where they would have gone."""
    for now, before in old:
        colour = QColor(now.colour)
        colour.setAlphaF(FAINT)
        before.colour = colour
        for path in paths([before], scale, axis, area):
            stroke(painter, path, before, 1.0)
