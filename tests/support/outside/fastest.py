"""The largest angular velocity of a run."""

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Block, Runs


class Fastest(SweepMeasure):
    name = "fastest"
    title = "Largest angular velocity"
    unit = "rad/s"
    told = "the largest rate, from outside"

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._most = np.zeros(runs.count)

    def take(self, block: Block) -> None:
        speed = np.sqrt((block.omega**2).sum(axis=0))
        self._most = np.fmax(self._most, np.fmax.reduce(speed))

    def end(self) -> np.ndarray:
        return self._most
