"""When a body turns over for the first time."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import changes, roots
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.measures.flips import spun_axis
from quatviz.analysis.sweeps.runs import Block, Runs, along


class FirstFlip(SweepMeasure):
    """The time of the first of `flips`, from h and its rate at the samples before and after."""

    name = "first_flip"
    title = "Time of the first flip"
    unit = "s"
    told = "when the first of these is"
    place: ClassVar[int] = 11

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._axis = spun_axis(runs.own)
        self._time = np.full(runs.count, np.nan)

    def take(self, block: Block) -> None:
        x = block.h_along(self._axis)
        there = changes(x)
        new = there.any(axis=0) & np.isnan(self._time)
        if not new.any():
            return
        runs = np.flatnonzero(new)
        rows = there[:, runs].argmax(axis=0)
        slope = along(self._axis, block.h_rate)
        ends = (x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs])
        share = roots(*ends, self.runs.interval)
        self._time[runs] = block.t[rows] + share * self.runs.interval

    def end(self) -> np.ndarray:
        return self._time
