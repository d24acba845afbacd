"""Sweep measure: largest torque that controllers exert."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._control import ControlMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock


class PeakTorque(ControlMeasure):
    """Largest magnitude, over all samples, of the total torque of all controllers."""

    name = "peak_torque"
    title = "Peak torque"
    unit = "N m"
    summary = r"the largest \|n\| of controllers"
    sort_order: ClassVar[int] = 46

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._peak = np.full(runs.count, np.nan)

    def update(self, block: SampleBlock) -> None:
        self._peak = np.fmax(self._peak, np.fmax.reduce(self.control_torque(block), axis=0))

    def result(self) -> np.ndarray:
        return self._peak
