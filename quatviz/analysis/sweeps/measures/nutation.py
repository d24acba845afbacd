"""How far the axis of a body nods."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._axes import Nodding
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, Block, Runs


class Nutation(SweepMeasure):
    """The largest tilt less the least: of the line from the pivot to the centre of mass against the vertical, of a free body
    of the axis that the preset spins about most against h. Where a sample stands between two lower or higher ones, the
    turning point of the parabola through the three counts."""

    name = "nutation"
    title = "Range of nutation"
    unit = "deg"
    told = (
        "the largest tilt of the axis less the least, against the vertical, or against h where nothing acts"
    )
    place: ClassVar[int] = 40

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._nodding = Nodding(runs)
        self._least, self._most = np.full(runs.count, np.inf), np.full(runs.count, -np.inf)
        self._before = np.empty((0, runs.count))

    def take(self, block: Block) -> None:
        tilt = self._nodding.tilt(block)
        rows = np.concatenate([self._before, tilt])
        self._before = tilt[-2:-1].copy()
        extremes = np.concatenate([rows, turning_points(rows)])
        self._least = np.fmin(self._least, np.fmin.reduce(extremes))
        self._most = np.fmax(self._most, np.fmax.reduce(extremes))

    def end(self) -> np.ndarray:
        return np.where(np.isfinite(self._most), np.degrees(self._most - self._least), np.nan)


def turning_points(x: Array) -> Array:
    """The values (s - 2, b) of the parabolas through three neighbours where they turn, if that is between them; else NaN."""
    before, here, after = x[:-2], x[1:-1], x[2:]
    bend = before - 2.0 * here + after
    turns = (here - before) * (after - here) < 0.0
    return np.where(turns, here - (after - before) ** 2 / (8.0 * np.where(bend == 0.0, np.inf, bend)), np.nan)
