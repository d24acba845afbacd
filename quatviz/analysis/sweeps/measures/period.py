"""How long it takes the angular velocity to come back."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import between, changes, roots
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Block, Runs

_NEAR = 1e-3
"""Relative to the largest |omega|: how near it has to come."""


class Period(SweepMeasure):
    """The time after which omega in the body is again what it was at the start: where it passes the plane through that,
    across its first rate, near it and in the same way. NaN where it does not come back, and where it never changes."""

    name = "period"
    title = "Period of the angular velocity"
    unit = "s"
    told = "when ω in the body is for the first time what it was at the start"
    place: ClassVar[int] = 12

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._start, self._way = runs.omega, np.zeros_like(runs.omega)
        self._time = np.full(runs.count, np.nan)

    def take(self, block: Block) -> None:
        if block.first == 0:
            self._start, self._way = block.omega[:, 0].copy(), block.omega_rate[:, 0].copy()
        x = np.einsum("ib,isb->sb", self._way, block.omega - self._start[:, None])
        there = changes(x, upward=True) & np.isnan(self._time)
        rows, runs = np.nonzero(there)
        if not len(rows):
            return
        slope = np.einsum("ib,isb->sb", self._way, block.omega_rate)
        share = roots(
            x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs], self.runs.interval
        )
        omega, rate = block.omega, block.omega_rate
        ends = (omega[:, rows, runs], omega[:, rows + 1, runs], rate[:, rows, runs], rate[:, rows + 1, runs])
        back = between(*ends, self.runs.interval, share)
        away = np.sqrt(((back - self._start[:, runs]) ** 2).sum(axis=0))
        near = away < _NEAR * np.sqrt((self._start[:, runs] ** 2).sum(axis=0))
        for run, row, part in zip(runs[near][::-1], rows[near][::-1], share[near][::-1], strict=True):
            self._time[run] = block.t[row] + part * self.runs.interval

    def end(self) -> np.ndarray:
        return self._time
