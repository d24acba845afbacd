"""Base class of sweep measures of the drift of a conserved quantity."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.schedule import run_conserved_quantities


class DriftMeasure(SweepMeasure):
    """Largest deviation of a conserved quantity from its initial value, relative to a reference size.

    A subclass names the quantity and computes it in `values`.
    """

    quantity: ClassVar[str]

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        return (
            ""
            if cls.quantity in run_conserved_quantities(preset)
            else phrase("this quantity is not conserved in this motion")
        )

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._first: Array | None = None
        self._size: Array = np.ones(runs.count)
        self._largest = np.zeros(runs.count)

    @abstractmethod
    def values(self, block: SampleBlock) -> Array:
        """Return the conserved quantity (k, s, b) at the samples of a block."""

    @abstractmethod
    def reference_size(self, block: SampleBlock) -> Array:
        """Return the size (b,) by which deviations of the quantity are divided. It is computed from the first row of
        each run."""

    def update(self, block: SampleBlock) -> None:
        values = self.values(block)
        if self._first is None:
            self._first, size = values[:, :1], self.reference_size(block)
            self._size = np.where(size > 0.0, size, 1.0)
        deviation = values - self._first
        self._largest = np.fmax(
            self._largest, np.fmax.reduce(np.sqrt((deviation * deviation).sum(axis=0)), axis=0)
        )

    def result(self) -> np.ndarray:
        return self._largest / self._size
