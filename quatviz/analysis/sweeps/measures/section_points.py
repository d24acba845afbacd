"""Where the angular velocity pierces a plane."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import between, changes, roots
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.measures.flips import spun_axis
from quatviz.analysis.sweeps.runs import Array, Block, Runs, along
from quatviz.physics.mechanics.body import principal_axes


class SectionPoints(SweepMeasure):
    """A Poincare section: omega along the principal axis about which the preset spins most, and along the last of the two others,
    whenever that along the first of these passes zero upward, and the time [s] when it does; as many as there are, up to 64."""

    name = "section_points"
    title = "Points of a Poincaré section"
    unit = "rad/s"
    told = (
        "ω along the axis that the preset spins about and along the last axis, whenever that along the first passes zero "
        "upward, and the time t [s] of each"
    )
    place: ClassVar[int] = 51
    shape: ClassVar[tuple[int, ...]] = (64, 3)
    parts: ClassVar[tuple[str, ...]] = ("along", "across", "t")
    plane: ClassVar[tuple[str, ...]] = ("ω along the axis of the spin", "ω along the last axis")

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        spun = spun_axis(runs.own)
        _, axes = principal_axes(runs.own.body.inertia)
        others = [axis for axis in axes.T if abs(float(axis @ spun)) < 0.5]
        self._through, self._seen = others[0], (spun, others[1])
        self._points = np.full((runs.count, *self.shape), np.nan)
        self._count = np.zeros(runs.count, dtype=np.int64)

    def take(self, block: Block) -> None:
        x = along(self._through, block.omega)
        rows, runs = np.nonzero(changes(x, upward=True))
        if not len(rows):
            return
        slope, step = along(self._through, block.omega_rate), self.runs.interval
        share = roots(x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs], step)
        there = [between(*self._ends(axis, block, rows, runs), step, share) for axis in self._seen]
        found = np.stack([*there, (block.first + rows + share) * step], axis=-1)
        for run, point in zip(runs.tolist(), found, strict=True):
            if self._count[run] < self.shape[0]:
                self._points[run, self._count[run]] = point
                self._count[run] += 1

    def _ends(self, axis: Array, block: Block, rows: Array, runs: Array) -> tuple[Array, Array, Array, Array]:
        x, slope = along(axis, block.omega), along(axis, block.omega_rate)
        return x[rows, runs], x[rows + 1, runs], slope[rows, runs], slope[rows + 1, runs]

    def end(self) -> np.ndarray:
        return self._points
