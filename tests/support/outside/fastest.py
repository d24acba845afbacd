"""A sweep measure: the largest angular velocity of a run."""

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock


class Fastest(SweepMeasure):
    name = "fastest"
    title = "Largest angular velocity"
    unit = "rad/s"
    summary = "the largest rate, from outside"

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._largest = np.zeros(runs.count)

    def update(self, block: SampleBlock) -> None:
        speed = np.sqrt((block.omega**2).sum(axis=0))
        self._largest = np.fmax(self._largest, np.fmax.reduce(speed))

    def result(self) -> np.ndarray:
        return self._largest
