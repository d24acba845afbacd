"""Sweep measure: time of the first flip of the body."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import crossing_fractions, sign_changes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.measures.flips import spin_axis
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock, component_along


class FirstFlip(SweepMeasure):
    """Time of the first flip (see `Flips`), interpolated between samples from the values and rates of h."""

    name = "first_flip"
    title = "Time of the first flip"
    unit = "s"
    summary = "when h along the main spin axis of the preset first changes sign"
    sort_order: ClassVar[int] = 11

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._axis = spin_axis(runs.sweep_preset)
        self._time = np.full(runs.count, np.nan)

    def update(self, block: SampleBlock) -> None:
        x = block.h_along(self._axis)
        crossings = sign_changes(x)
        new = crossings.any(axis=0) & np.isnan(self._time)
        if not new.any():
            return
        runs = np.flatnonzero(new)
        rows = crossings[:, runs].argmax(axis=0)
        slope = component_along(self._axis, block.h_rate)
        ends = (x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs])
        fraction = crossing_fractions(*ends, self.runs.interval)
        self._time[runs] = block.t[rows] + fraction * self.runs.interval

    def result(self) -> np.ndarray:
        return self._time
