"""How far the axis of a body nods."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._axes import NutationAxes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock


class Nutation(SweepMeasure):
    """The largest tilt less the least: of the line from the pivot to the centre of mass against the vertical, of a free body
    of the axis that the preset spins about most against h. Where a sample stands between two lower or higher ones, the
    turning point of the parabola through the three counts."""

    name = "nutation"
    title = "Range of nutation"
    unit = "deg"
    summary = (
        "the largest tilt of the axis less the least, against the vertical, or against h where nothing acts"
    )
    sort_order: ClassVar[int] = 40

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._axes = NutationAxes(runs)
        self._smallest, self._largest = np.full(runs.count, np.inf), np.full(runs.count, -np.inf)
        self._previous_row = np.empty((0, runs.count))

    def update(self, block: SampleBlock) -> None:
        tilt = self._axes.tilt(block)
        rows = np.concatenate([self._previous_row, tilt])
        self._previous_row = tilt[-2:-1].copy()
        extremes = np.concatenate([rows, turning_points(rows)])
        self._smallest = np.fmin(self._smallest, np.fmin.reduce(extremes))
        self._largest = np.fmax(self._largest, np.fmax.reduce(extremes))

    def result(self) -> np.ndarray:
        return np.where(np.isfinite(self._largest), np.degrees(self._largest - self._smallest), np.nan)


def turning_points(x: Array) -> Array:
    """The values (s - 2, b) of the parabolas through three neighbours where they turn, if that is between them; else NaN."""
    before, current, after = x[:-2], x[1:-1], x[2:]
    curvature = before - 2.0 * current + after
    is_extremum = (current - before) * (after - current) < 0.0
    return np.where(
        is_extremum,
        current - (after - before) ** 2 / (8.0 * np.where(curvature == 0.0, np.inf, curvature)),
        np.nan,
    )
