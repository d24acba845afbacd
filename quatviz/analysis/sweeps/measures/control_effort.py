"""Sweep measure: control effort of a run."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._control import ControlMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock


class ControlEffort(ControlMeasure):
    """Integral over the run of |n|, the magnitude of the torque of all controllers, by the trapezoidal rule."""

    name = "control_effort"
    title = "Control effort"
    unit = "N m s"
    summary = r"the integral of \|n\| of controllers over the run"
    sort_order: ClassVar[int] = 44

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._effort = np.zeros(runs.count)

    def update(self, block: SampleBlock) -> None:
        n = self.control_torque(block)
        self._effort += 0.5 * self.runs.interval * (n[1:] + n[:-1]).sum(axis=0)

    def result(self) -> np.ndarray:
        return self._effort
