"""Sweep measure: distance of Euler angles from gimbal lock."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, angles_from_p, det_S

_DEFAULT_SEQUENCE = "313"


class SmallestDetS(SweepMeasure):
    """Smallest |det S| of the Euler angles of the lane's sequence, or 3-1-3 if it has none. It is 0 at gimbal lock."""

    name = "smallest_det_s"
    title = "Smallest |det S|"
    summary = "the smallest \\|det S\\| of the lane's Euler angles, 3-1-3 if it has none; 0 at gimbal lock"
    sort_order: ClassVar[int] = 34

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        sequence = runs.formulation_id.partition("/")[2]
        self._sequence = sequence if sequence in SEQUENCES else _DEFAULT_SEQUENCE
        self._smallest = np.full(runs.count, np.inf)

    def update(self, block: SampleBlock) -> None:
        determinants = np.abs(
            det_S(angles_from_p(np.moveaxis(block.p, 0, -1), self._sequence), self._sequence)
        )
        self._smallest = np.fmin(self._smallest, np.fmin.reduce(determinants))

    def result(self) -> np.ndarray:
        return np.where(np.isfinite(self._smallest), self._smallest, np.nan)
