"""Sweep measure: drift of the Euler parameters from the unit sphere."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock


class ConstraintDrift(SweepMeasure):
    """Largest | |p|^2 - 1 | of p as integrated."""

    name = "constraint_drift"
    title = "Largest | |p|² − 1 |"
    summary = r"the largest \|\|p\|² − 1\|, of p as it is integrated"
    sort_order: ClassVar[int] = 33

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._largest = np.zeros(runs.count)

    def update(self, block: SampleBlock) -> None:
        deviation = np.abs(np.einsum("isb,isb->sb", block.p, block.p) - 1.0)
        self._largest = np.fmax(self._largest, np.fmax.reduce(deviation, axis=0))

    def result(self) -> np.ndarray:
        return self._largest
