"""How far the axis of a body goes round while it nods once."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._axes import Nodding
from quatviz.analysis.sweeps.measures._crossings import between, changes, roots
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Block, Runs


class RotationNumber(SweepMeasure):
    """Turns of the axis about the vertical, about h where nothing acts, for each nod: from where it is highest for the first
    time to where it is for the last. A rational number is a motion that closes."""

    name = "rotation_number"
    title = "Rotation number"
    told = "turns of the axis about the vertical for each nod; about h where nothing acts"
    place: ClassVar[int] = 41

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._nodding = Nodding(runs)
        self._turned = np.zeros(runs.count)
        self._first, self._latest = np.full(runs.count, np.nan), np.full(runs.count, np.nan)
        self._nods = np.zeros(runs.count)

    def take(self, block: Block) -> None:
        rise, bend, angle, turn = self._nodding.path(block)
        steps = np.diff(angle, axis=0)
        steps -= 2.0 * np.pi * np.round(steps / (2.0 * np.pi))
        turned = self._turned + np.concatenate([np.zeros((1, len(self._turned))), np.cumsum(steps, axis=0)])
        rows, runs = np.nonzero(changes(rise, upward=False))
        share = roots(
            rise[rows, runs], rise[rows + 1, runs], bend[rows, runs], bend[rows + 1, runs], self.runs.interval
        )
        ends = (turned[rows, runs], turned[rows + 1, runs], turn[rows, runs], turn[rows + 1, runs])
        at = between(*ends, self.runs.interval, share)
        for run, place in zip(runs.tolist(), at.tolist(), strict=True):
            if np.isnan(self._first[run]):
                self._first[run] = place
            else:
                self._nods[run] += 1
            self._latest[run] = place
        self._turned = turned[-1]

    def end(self) -> np.ndarray:
        return (self._latest - self._first) / (2.0 * np.pi * np.where(self._nods > 0, self._nods, np.nan))
