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

MERGED = 10.0
"""Jumps closer than this many pixels are one mark."""


@dataclass
class Mark:
    """Jumps that lie together: from `left` to `right`, and how many of each cause one trace has."""

    left: float
    right: float
    counts: dict[int, int]

    @property
    def cause(self) -> int:
        """The gravest."""
        return max(self.counts)

    @property
    def words(self) -> str:
        told = ((count, tr(CAUSES[cause])) for cause, count in sorted(self.counts.items()))
        return ", ".join(f"{count} × {said}" if count > 1 else said for count, said in told)


def marks(traces: Sequence[Trace], axis: TimeAxis, left: float, width: float) -> list[Mark]:
    """The jumps of all traces that are in sight, in an area that begins at `left` and has this `width` [pixels], from left to
    right. Lanes that agree jump together."""
    found = [trace.series.jumps(trace.component, axis.low, axis.high) for trace in traces]
    if not any(len(jumps.times) for jumps in found):
        return []
    times = np.concatenate([jumps.times for jumps in found])
    owners = np.repeat(np.arange(len(found)), [len(jumps.times) for jumps in found])
    order = np.argsort(times, kind="stable")
    x = left + (times[order] - axis.low) * (width / axis.span)
    causes, owners = np.concatenate([jumps.causes for jumps in found])[order], owners[order]
    starts = np.flatnonzero(np.diff(x, prepend=-math.inf) > MERGED)
    stops = np.append(starts[1:], len(x))
    return [
        Mark(float(x[start]), float(x[stop - 1]), _most(causes[start:stop], owners[start:stop]))
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
    ]


def _most(causes: np.ndarray, owners: np.ndarray) -> dict[int, int]:
    """How many jumps (n,) of each cause that owner has who has most of these."""
    most: dict[int, int] = {}
    for (cause, _), count in Counter(zip(causes.tolist(), owners.tolist(), strict=True)).items():
        most[cause] = max(count, most.get(cause, 0))
    return most
