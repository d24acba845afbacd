"""How long it takes a motion to settle."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, Block, Runs
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.physics.loads import keeps_energy
from quatviz.physics.loads.attitude_control import AttitudeControl
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.simulation.lane import LaneRun

WITHIN = 0.02
"""Of what it was at the start: the usual band of two in a hundred."""


class SettlingTime(SweepMeasure):
    """The time after which the angle from the target of an attitude control, or |omega| where there is none, stays within two
    hundredths of what it was at the start. NaN where it does not settle before the end."""

    name = "settling_time"
    title = "Settling time"
    unit = "s"
    told = "when the angle from the target, or |ω| without a target, comes within 2 % of its start to stay"
    place: ClassVar[int] = 42

    @classmethod
    def lack(cls, preset: Preset, lane: LaneRun) -> str:
        return phrase("nothing damps the motion") if all(map(keeps_energy, preset.loads)) else ""

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        targets = [load.target for load in runs.presets(0).loads if isinstance(load, AttitudeControl)]
        self._target = targets[0] if targets else None
        self._limit, self._time = np.zeros(runs.count), np.full(runs.count, np.nan)

    def take(self, block: Block) -> None:
        x = self._away(block)
        if block.first == 0:
            self._limit = WITHIN * x[0]
        outside = x > self._limit
        rows = len(x) - 1 - outside[::-1].argmax(axis=0)
        left = outside.any(axis=0)
        inside = left & (rows < len(x) - 1)
        runs = np.flatnonzero(inside)
        low, high = x[rows[runs], runs], x[rows[runs] + 1, runs]
        share = (low - self._limit[runs]) / (low - high)
        self._time[left] = np.nan
        self._time[runs] = block.t[rows[runs]] + share * self.runs.interval

    def _away(self, block: Block) -> Array:
        if self._target is None:
            return np.sqrt((block.omega**2).sum(axis=0))
        return relative_angle(np.moveaxis(block.p, 0, -1), self._target)

    def end(self) -> np.ndarray:
        return self._time
