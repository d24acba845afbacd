"""Torque of controllers alone, without gravity or drag. Not a measure."""

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, SampleBlock
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.simulation.lane import LaneRun


class ControlMeasure(SweepMeasure):
    """What is measured of the torque that controllers exert."""

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        return "" if any(load.is_control for load in preset.loads) else phrase("no load is a controller")

    def control_torque(self, block: SampleBlock) -> Array:
        """The magnitude (s, b) [N m] of the torque of all controllers."""
        n = self.runs.sum_over_loads(
            3,
            lambda load, t, p, omega: (
                load.torque(t, p, omega) if load.load.is_control else np.zeros((len(t), 3))
            ),
            block.t,
            block.unit_p,
            block.omega,
        )
        return np.sqrt((n * n).sum(axis=0))
