"""In which way runs end."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import STATUSES, Block, Runs


class End(SweepMeasure):
    """The kind of a run's end: its number in `quatviz.analysis.sweeps.runs.STATUSES`."""

    name = "end"
    title = "Kind of the end"
    told = "how the lane ended: complete, singular, not finite or otherwise, as a map of kinds"
    place: ClassVar[int] = 46
    whole = True
    of_ends = True
    kinds = ("complete", *(status.replace("_", " ") for status in STATUSES[1:]))

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._status = np.full(runs.count, np.nan)

    def take(self, block: Block) -> None:
        """Samples do not tell it."""

    def hear(self, status: np.ndarray, ended: np.ndarray) -> None:
        self._status = status.astype(np.float64)

    def end(self) -> np.ndarray:
        return self._status
