"""How far the Euler parameters leave the unit sphere."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Block, Runs


class ConstraintDrift(SweepMeasure):
    """The largest | |p|^2 - 1 |, of p as it is integrated."""

    name = "constraint_drift"
    title = "Largest | |p|² − 1 |"
    told = r"the largest \|\|p\|² − 1\|, of p as it is integrated"
    place: ClassVar[int] = 33

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._most = np.zeros(runs.count)

    def take(self, block: Block) -> None:
        away = np.abs(np.einsum("isb,isb->sb", block.p, block.p) - 1.0)
        self._most = np.fmax(self._most, np.fmax.reduce(away, axis=0))

    def end(self) -> np.ndarray:
        return self._most
