"""How near Euler angles come to where they are singular."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Block, Runs
from quatviz.physics.mechanics.euler_sequences import SEQUENCES, angles_from_p, det_S

_USUAL = "313"


class SmallestDetS(SweepMeasure):
    """The smallest |det S| of the angles of the lane's own sequence, 3-1-3 where it has none: 0 where they are locked."""

    name = "smallest_det_s"
    title = "Smallest |det S|"
    told = "the smallest \\|det S\\| of the lane's Euler angles, 3-1-3 where it has none: 0 where they are singular"
    place: ClassVar[int] = 34

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        sequence = runs.lane.partition("/")[2]
        self._sequence = sequence if sequence in SEQUENCES else _USUAL
        self._least = np.full(runs.count, np.inf)

    def take(self, block: Block) -> None:
        found = np.abs(det_S(angles_from_p(np.moveaxis(block.p, 0, -1), self._sequence), self._sequence))
        self._least = np.fmin(self._least, np.fmin.reduce(found))

    def end(self) -> np.ndarray:
        return np.where(np.isfinite(self._least), self._least, np.nan)
