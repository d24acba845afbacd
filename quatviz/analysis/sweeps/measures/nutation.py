"""Sweep measure: range of nutation of the body axis."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._axes import NutationAxes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock


class Nutation(SweepMeasure):
    """Difference between the largest and the smallest tilt of the body axis.

    The tilt is the angle between the vertical and the line from the pivot to the center of mass. For a free body, the
    tilt is the angle between h and the axis about which the preset mainly spins. Extreme values between samples are
    computed from the parabola through three samples.
    """

    name = "nutation"
    title = "Range of nutation"
    unit = "deg"
    summary = "largest minus smallest tilt of the axis from the vertical, or from h without loads"
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
    """Return the extreme values (s - 2, b) of the parabolas through each three consecutive samples; NaN where the
    middle sample is not an extremum."""
    before, current, after = x[:-2], x[1:-1], x[2:]
    curvature = before - 2.0 * current + after
    is_extremum = (current - before) * (after - current) < 0.0
    return np.where(
        is_extremum,
        current - (after - before) ** 2 / (8.0 * np.where(curvature == 0.0, np.inf, curvature)),
        np.nan,
    )
