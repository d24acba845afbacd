"""Sweep measure: Poincaré section of the angular velocity."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import crossing_fractions, cubic_values, sign_changes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.measures.flips import spin_axis
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock, component_along
from quatviz.physics.mechanics.body import principal_axes


class SectionPoints(SweepMeasure):
    """Points of a Poincaré section, at most 64 per run.

    The spin axis is the principal axis that the preset mainly spins about; a is the first of the other two
    axes. When omega_a crosses zero upward, a point is recorded. It consists of omega along the spin axis,
    omega along the third axis, and the time [s].
    """

    name = "section_points"
    title = "Points of a Poincaré section"
    unit = "rad/s"
    summary = (
        "ω along the spin axis and along the last axis, whenever ω along the remaining axis passes zero "
        "upward, and the time t [s] of each crossing"
    )
    sort_order: ClassVar[int] = 51
    shape: ClassVar[tuple[int, ...]] = (64, 3)
    component_names: ClassVar[tuple[str, ...]] = ("along", "across", "t")
    plane_titles: ClassVar[tuple[str, ...]] = ("ω along the spin axis", "ω along the last axis")

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        spun = spin_axis(runs.sweep_preset)
        _, axes = principal_axes(runs.sweep_preset.body.inertia)
        others = [axis for axis in axes.T if abs(float(axis @ spun)) < 0.5]
        self._section_axis, self._plot_axes = others[0], (spun, others[1])
        self._points = np.full((runs.count, *self.shape), np.nan)
        self._count = np.zeros(runs.count, dtype=np.int64)

    def update(self, block: SampleBlock) -> None:
        x = component_along(self._section_axis, block.omega)
        rows, runs = np.nonzero(sign_changes(x, upward=True))
        if not len(rows):
            return
        slope, step = component_along(self._section_axis, block.omega_rate), self.runs.interval
        fraction = crossing_fractions(
            x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs], step
        )
        coordinates = [
            cubic_values(*self._end_values(axis, block, rows, runs), step, fraction)
            for axis in self._plot_axes
        ]
        points = np.stack([*coordinates, (block.first_sample + rows + fraction) * step], axis=-1)
        for run, point in zip(runs.tolist(), points, strict=True):
            if self._count[run] < self.shape[0]:
                self._points[run, self._count[run]] = point
                self._count[run] += 1

    def _end_values(
        self, axis: Array, block: SampleBlock, rows: Array, runs: Array
    ) -> tuple[Array, Array, Array, Array]:
        x, slope = component_along(axis, block.omega), component_along(axis, block.omega_rate)
        return x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs]

    def result(self) -> np.ndarray:
        return self._points
