"""What would have come of a run: its rows behind the place where another one has branched off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quatviz.core.events import sample_of
from quatviz.core.observables import QUANTITIES, Motion
from quatviz.core.preset import Preset
from quatviz.simulation.simulation import Simulation
from quatviz.ui.lazy import large_numbers

_ROWS = 20_000
"""How many rows are kept of each lane: enough for every curve, and little beside a run of a million."""


class OldFuture:
    """Rows of the lanes of a run from the sample `first` on. It keeps copies: the run itself may go."""

    def __init__(self, run: Simulation, first: int) -> None:
        self._motions: dict[str, Motion] = {
            lane.name: lane.motion(first, first + _ROWS, copy=True)
            for lane in run
            if lane.prepared and lane.samples > first + 1
        }
        self._columns: dict[tuple[str, str], np.ndarray] = {}

    @property
    def lanes(self) -> tuple[str, ...]:
        """Names of the lanes that it has."""
        return tuple(self._motions)

    @large_numbers
    def values(self, lane: str, quantity: str) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) [s] and values (n, k) of a quantity."""
        motion = self._motions[lane]
        if (lane, quantity) not in self._columns:
            self._columns[lane, quantity] = QUANTITIES[quantity].of(motion)
        return motion.t, self._columns[lane, quantity]


def parting(before: Preset, after: Preset) -> int | None:
    """The first sample at which runs of two presets may differ, where only their events do; None where they do not, or
    where the runs differ from their start."""
    if not replace(before, events=()).same_run(replace(after, events=())):
        return None
    interval = before.run.sample_interval
    one, other = list(before.events), list(after.events)
    different = [event for event in one if event not in other] + [
        event for event in other if event not in one
    ]
    first = min((sample_of(event.at, interval) for event in different), default=0)
    return first or None
