"""Sweep measure: time at which runs end."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock


class SurvivalTime(SweepMeasure):
    """Time [s] at which a run ended; its duration if it did not end early."""

    name = "lasting"
    title = "When the run ended"
    unit = "s"
    summary = "when the lane ended: at the end of the run, or earlier if it became singular, diverged or was stopped"
    sort_order: ClassVar[int] = 45
    measures_end = True

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._ended = np.full(runs.count, np.nan)

    def update(self, block: SampleBlock) -> None:
        """Ignore samples, which do not contain the outcome."""

    def set_outcome(self, status: np.ndarray, ended: np.ndarray) -> None:
        self._ended = np.where(np.isnan(ended), self.runs.duration, ended)

    def result(self) -> np.ndarray:
        return self._ended
