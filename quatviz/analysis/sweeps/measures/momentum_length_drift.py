"""Sweep measure: drift of the magnitude of the angular momentum."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._drift import DriftMeasure
from quatviz.analysis.sweeps.runs import Array, SampleBlock


class MomentumLengthDrift(DriftMeasure):
    """Largest ||h| - |h(0)|| / |h(0)|. Unlike `MomentumDrift` it ignores errors of the direction of h."""

    name = "momentum_length_drift"
    title = "Largest drift of |h|"
    summary = r"the largest \|\|h\| − \|h₀\|\| over \|h₀\|"
    sort_order: ClassVar[int] = 32
    quantity = "momentum_drift"

    def values(self, block: SampleBlock) -> Array:
        return np.asarray(np.linalg.norm(block.h, axis=0))[None]

    def reference_size(self, block: SampleBlock) -> Array:
        return np.asarray(np.linalg.norm(block.h[:, 0], axis=0))
