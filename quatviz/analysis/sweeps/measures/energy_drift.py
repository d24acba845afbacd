"""Sweep measure: energy drift of a run."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._drift import DriftMeasure
from quatviz.analysis.sweeps.runs import Array, SampleBlock


class EnergyDrift(DriftMeasure):
    """Largest |E - E(0)|, divided by the larger of |E(0)| and T(0), as in all energy drifts of the program."""

    name = "energy_drift"
    title = "Largest energy drift"
    summary = r"the largest \|E − E₀\|, over the larger of \|E₀\| and T₀"
    sort_order: ClassVar[int] = 30
    quantity = "energy_drift"

    def values(self, block: SampleBlock) -> Array:
        return block.energy[None]

    def reference_size(self, block: SampleBlock) -> Array:
        return np.maximum(np.abs(block.energy[0]), block.kinetic[0])
