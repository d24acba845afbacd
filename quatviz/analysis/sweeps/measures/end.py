"""Sweep measure: status at the end of runs."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import STATUSES, RunGroup, SampleBlock


class EndStatus(SweepMeasure):
    """Status at the end of a run: an index into `quatviz.analysis.sweeps.runs.STATUSES`."""

    name = "end"
    title = "How the run ended"
    summary = "how the lane ended: complete, singular, not finite, …"
    sort_order: ClassVar[int] = 46
    is_count = True
    measures_end = True
    category_titles = ("complete", *(status.replace("_", " ") for status in STATUSES[1:]))

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._status = np.full(runs.count, np.nan)

    def update(self, block: SampleBlock) -> None:
        """Ignore samples, which do not contain the outcome."""

    def set_outcome(self, status: np.ndarray, ended: np.ndarray) -> None:
        self._status = status.astype(np.float64)

    def result(self) -> np.ndarray:
        return self._status
