"""How long runs last."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock


class SurvivalTime(SweepMeasure):
    """The time [s] at which a run ended: the duration, where it did not end early. Why it did stands beside all measures."""

    name = "lasting"
    title = "Time of the end"
    unit = "s"
    summary = "when the lane ended: early where it was singular, grew beyond all bounds or was stopped; else at the duration"
    sort_order: ClassVar[int] = 45
    measures_end = True

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._ended = np.full(runs.count, np.nan)

    def update(self, block: SampleBlock) -> None:
        """Samples do not tell it."""

    def set_outcome(self, status: np.ndarray, ended: np.ndarray) -> None:
        self._ended = np.where(np.isnan(ended), self.runs.duration, ended)

    def result(self) -> np.ndarray:
        return self._ended
