"""Sweep measure: rotation number of the body axis."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._axes import NutationAxes
from quatviz.analysis.sweeps.measures._crossings import crossing_fractions, cubic_values, sign_changes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock


class RotationNumber(SweepMeasure):
    """Turns of the body axis about the vertical (about h without loads) per nutation period.

    The turns are counted from the first to the last maximum of the height of the axis. If the number is rational, the
    motion is periodic.
    """

    name = "rotation_number"
    title = "Rotation number"
    summary = "turns of the axis about the vertical, or about h without loads, per nutation period"
    sort_order: ClassVar[int] = 41

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._axes = NutationAxes(runs)
        self._azimuth = np.zeros(runs.count)
        self._first, self._latest = np.full(runs.count, np.nan), np.full(runs.count, np.nan)
        self._nod_count = np.zeros(runs.count)

    def update(self, block: SampleBlock) -> None:
        rise, bend, angle, azimuth_rate = self._axes.nutation_rates(block)
        steps = np.diff(angle, axis=0)
        steps -= 2.0 * np.pi * np.round(steps / (2.0 * np.pi))
        azimuth = self._azimuth + np.concatenate(
            [np.zeros((1, len(self._azimuth))), np.cumsum(steps, axis=0)]
        )
        rows, runs = np.nonzero(sign_changes(rise, upward=False))
        fraction = crossing_fractions(
            rise[rows, runs], rise[rows + 1, runs], bend[rows, runs], bend[rows + 1, runs], self.runs.interval
        )
        ends = (
            azimuth[rows, runs],
            azimuth[rows + 1, runs],
            azimuth_rate[rows, runs],
            azimuth_rate[rows + 1, runs],
        )
        crossing_azimuths = cubic_values(*ends, self.runs.interval, fraction)
        for run, crossing_azimuth in zip(runs.tolist(), crossing_azimuths.tolist(), strict=True):
            if np.isnan(self._first[run]):
                self._first[run] = crossing_azimuth
            else:
                self._nod_count[run] += 1
            self._latest[run] = crossing_azimuth
        self._azimuth = azimuth[-1]

    def result(self) -> np.ndarray:
        return (self._latest - self._first) / (
            2.0 * np.pi * np.where(self._nod_count > 0, self._nod_count, np.nan)
        )
