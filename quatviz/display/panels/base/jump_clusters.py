"""Jumps of angles and signs that are in sight, those that lie together as one mark. Nothing here draws."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quatviz.base.translation import tr
from quatviz.display.panels.base.curves import Trace
from quatviz.display.panels.base.time_axis import TimeAxis
from quatviz.physics.observables.jumps import CAUSES

MERGE_DISTANCE = 10.0
"""Jumps closer than this many pixels are one mark."""


@dataclass
class JumpCluster:
    """Jumps that lie together: from `x_start` to `x_end`, and how many of each cause one trace has."""

    x_start: float
    x_end: float
    counts: dict[int, int]

    @property
    def cause(self) -> int:
        """The gravest."""
        return max(self.counts)

    @property
    def text(self) -> str:
        counted_causes = ((count, tr(CAUSES[cause])) for cause, count in sorted(self.counts.items()))
        return ", ".join(
            f"{count} × {cause_text}" if count > 1 else cause_text for count, cause_text in counted_causes
        )


def jump_clusters(
    traces: Sequence[Trace], axis: TimeAxis, area_left: float, width: float
) -> list[JumpCluster]:
    """The jumps of all traces that are in sight, in an area that begins at `x_start` and has this `width` [pixels], from left to
    right. Lanes that agree jump together."""
    curve_jumps = [trace.series.jumps(trace.component, axis.low, axis.high) for trace in traces]
    if not any(len(jumps.times) for jumps in curve_jumps):
        return []
    times = np.concatenate([jumps.times for jumps in curve_jumps])
    owners = np.repeat(np.arange(len(curve_jumps)), [len(jumps.times) for jumps in curve_jumps])
    order = np.argsort(times, kind="stable")
    x = area_left + (times[order] - axis.low) * (width / axis.span)
    causes, owners = np.concatenate([jumps.causes for jumps in curve_jumps])[order], owners[order]
    starts = np.flatnonzero(np.diff(x, prepend=-math.inf) > MERGE_DISTANCE)
    stops = np.append(starts[1:], len(x))
    return [
        JumpCluster(float(x[start]), float(x[stop - 1]), _max_counts(causes[start:stop], owners[start:stop]))
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]


def _max_counts(causes: np.ndarray, owners: np.ndarray) -> dict[int, int]:
    """How many jumps (n,) of each cause that owner has who has most of these."""
    most: dict[int, int] = {}
    for (cause, _), count in Counter(zip(causes.tolist(), owners.tolist(), strict=True)).items():
        most[cause] = max(count, most.get(cause, 0))
    return most
