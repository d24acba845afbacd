"""The largest difference of what is constant in theory from what it was at the start: what such measures share, and none itself."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, Block, Runs
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.schedule import constants_of


class Drift(SweepMeasure):
    """The largest difference of a quantity that is constant in theory from what it was at the start, over a size. A subclass says
    which, by the name of the quantity and by `values`."""

    quantity: ClassVar[str]

    @classmethod
    def lack(cls, preset: Preset, lane: LaneRun) -> str:
        return "" if cls.quantity in constants_of(preset) else phrase("it is not constant in this motion")

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._first: Array | None = None
        self._size: Array = np.ones(runs.count)
        self._most = np.zeros(runs.count)

    @abstractmethod
    def values(self, block: Block) -> Array:
        """The quantity (k, s, b)."""

    @abstractmethod
    def size(self, block: Block) -> Array:
        """What its differences are divided by (b,), from the first row of the run."""

    def take(self, block: Block) -> None:
        values = self.values(block)
        if self._first is None:
            self._first, size = values[:, :1], self.size(block)
            self._size = np.where(size > 0.0, size, 1.0)
        away = values - self._first
        self._most = np.fmax(self._most, np.fmax.reduce(np.sqrt((away * away).sum(axis=0)), axis=0))

    def end(self) -> np.ndarray:
        return self._most / self._size
