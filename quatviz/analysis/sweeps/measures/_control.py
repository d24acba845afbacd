"""Base class of sweep measures of the torque of controllers. Gravity and drag are not included in this
torque."""

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, SampleBlock
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.simulation.lane import LaneRun


class ControlMeasure(SweepMeasure):
    """Base class of measures of the torque that controllers exert."""

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        return (
            ""
            if any(load.is_control for load in preset.loads)
            else phrase("no load of the preset is a controller")
        )

    def control_torque(self, block: SampleBlock) -> Array:
        """Return the magnitude (s, b) [N m] of the total torque of all controllers."""
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
