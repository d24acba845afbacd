"""Sweep measure: period of the angular velocity."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import crossing_fractions, cubic_values, sign_changes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock

_RETURN_TOLERANCE = 1e-3
"""Largest distance of omega from its initial value, relative to the initial magnitude, at which omega
counts as returned."""


class Period(SweepMeasure):
    """Time at which omega in the body first returns to its initial value.

    Consider the plane through the initial omega that is perpendicular to its initial rate of change. A return
    is a crossing of this plane in the direction of that rate, close to the initial omega. NaN if omega does
    not return or never changes.
    """

    name = "period"
    title = "Period of the angular velocity"
    unit = "s"
    summary = "when ω in the body first returns to its initial value"
    sort_order: ClassVar[int] = 12

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._start, self._direction = runs.omega, np.zeros_like(runs.omega)
        self._time = np.full(runs.count, np.nan)

    def update(self, block: SampleBlock) -> None:
        if block.first_sample == 0:
            self._start, self._direction = block.omega[:, 0].copy(), block.omega_rate[:, 0].copy()
        x = np.einsum("ib,isb->sb", self._direction, block.omega - self._start[:, None])
        crossings = sign_changes(x, upward=True) & np.isnan(self._time)
        rows, runs = np.nonzero(crossings)
        if not len(rows):
            return
        slope = np.einsum("ib,isb->sb", self._direction, block.omega_rate)
        fraction = crossing_fractions(
            x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs], self.runs.interval
        )
        omega, rate = block.omega, block.omega_rate
        ends = (omega[:, rows, runs], omega[:, rows + 1, runs], rate[:, rows, runs], rate[:, rows + 1, runs])
        omega_at_crossing = cubic_values(*ends, self.runs.interval, fraction)
        distance = np.sqrt(((omega_at_crossing - self._start[:, runs]) ** 2).sum(axis=0))
        is_return = distance < _RETURN_TOLERANCE * np.sqrt((self._start[:, runs] ** 2).sum(axis=0))
        for run, row, run_fraction in zip(
            runs[is_return][::-1], rows[is_return][::-1], fraction[is_return][::-1], strict=True
        ):
            self._time[run] = block.t[row] + run_fraction * self.runs.interval

    def result(self) -> np.ndarray:
        return self._time
