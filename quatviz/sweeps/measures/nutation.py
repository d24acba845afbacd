"""How far a top nods."""

from typing import ClassVar

import numpy as np

from quatviz.sweeps.measures.base import SweepMeasure
from quatviz.sweeps.runs import Block, Runs


class Nutation(SweepMeasure):
    """Between the least and the largest angle of body axis 3 to the vertical, at the samples: A33 = e0^2 - e1^2 - e2^2 + e3^2."""

    name = "nutation"
    title = "Range of nutation"
    unit = "deg"
    told = "between the least and the largest angle of the third body axis to the vertical"
    place: ClassVar[int] = 40

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._least, self._most = np.full(runs.count, np.inf), np.full(runs.count, -np.inf)

    def take(self, block: Block) -> None:
        # By the tangent of the half: an angle near zero has all its digits, which its cosine has not.
        e0, e1, e2, e3 = block.p
        angle = 2.0 * np.degrees(np.arctan2(np.hypot(e1, e2), np.hypot(e0, e3)))
        self._least = np.fmin(self._least, np.fmin.reduce(angle, axis=0))
        self._most = np.fmax(self._most, np.fmax.reduce(angle, axis=0))

    def end(self) -> np.ndarray:
        return self._most - self._least
