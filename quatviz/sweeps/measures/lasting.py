"""How long runs last."""

from typing import ClassVar

import numpy as np

from quatviz.sweeps.measures.base import SweepMeasure
from quatviz.sweeps.runs import Block, Runs


class Lasting(SweepMeasure):
    """The time [s] of the last sample: the duration, where a run does not end early. When it ended between two samples, and why,
    stands beside all measures."""

    name = "lasting"
    title = "Time of the last sample"
    unit = "s"
    told = "the time of the last sample of a lane that ends early: singular, grown beyond all bounds or stopped; else the duration"
    place: ClassVar[int] = 45

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._last = np.full(runs.count, np.nan)

    def take(self, block: Block) -> None:
        there = np.isfinite(block.p).all(axis=0)
        self._last = np.fmax(self._last, np.fmax.reduce(np.where(there, block.t[:, None], np.nan), axis=0))

    def end(self) -> np.ndarray:
        return self._last
