"""Clusters of visible jumps of angles and signs, for drawing as single markers."""

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
"""Distance [pixels] below which jumps are merged into one marker."""


@dataclass
class JumpCluster:
    """Adjacent jumps that share one marker, from `x_start` to `x_end` [pixels]. `counts` maps each cause to
    the largest number of jumps that a single trace has."""

    x_start: float
    x_end: float
    counts: dict[int, int]

    @property
    def cause(self) -> int:
        """The most important cause among the jumps of the cluster."""
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
    """Return the clusters of visible jumps of all traces, from left to right.

    The plot starts at `area_left` and has this `width` [pixels]. Jumps of several lanes at the same time count once.
    """
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
    """Return, for each cause, the largest number of jumps in a single trace. The arrays (n,) give the
    cause of each jump and the index of its trace."""
    most: dict[int, int] = {}
    for (cause, _), count in Counter(zip(causes.tolist(), owners.tolist(), strict=True)).items():
        most[cause] = max(count, most.get(cause, 0))
    return most
