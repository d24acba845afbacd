"""How long runs last."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Block, Runs


class Lasting(SweepMeasure):
    """The time [s] at which a run ended: the duration, where it did not end early. Why it did stands beside all measures."""

    name = "lasting"
    title = "Time of the end"
    unit = "s"
    told = "when the lane ended: early where it was singular, grew beyond all bounds or was stopped; else at the duration"
    place: ClassVar[int] = 45
    of_ends = True

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._ended = np.full(runs.count, np.nan)

    def take(self, block: Block) -> None:
        """Samples do not tell it."""

    def hear(self, status: np.ndarray, ended: np.ndarray) -> None:
        self._ended = np.where(np.isnan(ended), self.runs.duration, ended)

    def end(self) -> np.ndarray:
        return self._ended
