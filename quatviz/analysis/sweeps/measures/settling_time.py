"""Sweep measure: settling time of a motion."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.physics.loads import conserves_energy, target_attitude
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.settling import last_rows_outside
from quatviz.simulation.lane import LaneRun

SETTLING_BAND = 0.02
"""Settling band relative to the initial distance: the usual 2 %."""


class SettlingTime(SweepMeasure):
    """Time after which the distance from the target stays within 2 % of its initial value.

    The distance is the angle from the target of a controller (see `Load.target_attitude`) or, without one, |omega|.
    NaN if the motion does not settle.
    """

    name = "settling_time"
    title = "Settling time"
    unit = "s"
    summary = "when the angle from the target, or |ω| without a target, finally stays within 2 % of its initial value"
    sort_order: ClassVar[int] = 42

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        return (
            phrase("no load of the preset damps the motion")
            if all(map(conserves_energy, preset.loads))
            else ""
        )

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._target = target_attitude(runs.preset_of(0).loads)
        self._limit, self._time = np.zeros(runs.count), np.full(runs.count, np.nan)

    def update(self, block: SampleBlock) -> None:
        x = self._distance(block)
        if block.first_sample == 0:
            self._limit = SETTLING_BAND * x[0]
        rows = last_rows_outside(x, self._limit)
        runs = np.flatnonzero((rows >= 0) & (rows < len(x) - 1))
        low, high = x[rows[runs], runs], x[rows[runs] + 1, runs]
        fraction = (low - self._limit[runs]) / (low - high)
        self._time[rows >= 0] = np.nan
        self._time[runs] = block.t[rows[runs]] + fraction * self.runs.interval

    def _distance(self, block: SampleBlock) -> Array:
        if self._target is None:
            return np.sqrt((block.omega**2).sum(axis=0))
        return relative_angle(np.moveaxis(block.p, 0, -1), self._target)

    def result(self) -> np.ndarray:
        return self._time
