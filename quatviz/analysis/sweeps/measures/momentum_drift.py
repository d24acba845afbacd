"""Sweep measure: drift of the angular momentum of a free body in space."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._drift import DriftMeasure
from quatviz.analysis.sweeps.runs import Array, SampleBlock


class MomentumDrift(DriftMeasure):
    """Largest |h - h(0)| / |h(0)| in space components, which includes errors of both magnitude and direction."""

    name = "momentum_drift"
    title = "Largest drift of h in space"
    summary = r"the largest \|h − h₀\| over \|h₀\|, in space components"
    sort_order: ClassVar[int] = 31
    quantity = "h_space_drift"

    def values(self, block: SampleBlock) -> Array:
        return block.h_space

    def reference_size(self, block: SampleBlock) -> Array:
        return np.asarray(np.linalg.norm(block.h_space[:, 0], axis=0))
