"""How often a body turns over."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import sign_changes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.body import principal_axes


class Flips(SweepMeasure):
    """How often h changes sides along the principal axis about which the preset of the sweep itself spins most. Of a free body it
    never does where h circles that axis: the separatrix, on the map."""

    name = "flips"
    title = "Flips"
    summary = "how often h changes its side along the principal axis about which the preset spins most"
    sort_order: ClassVar[int] = 10
    is_count = True

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._axis = spin_axis(runs.sweep_preset)
        self._count = np.zeros(runs.count)

    def update(self, block: SampleBlock) -> None:
        # Sums of truth values in numbers that are as small as can be: ten times as fast.
        crossings = sign_changes(block.h_sign(self._axis)).view(np.uint8)
        self._count += np.add.reduce(crossings, axis=0, dtype=np.uint8 if len(crossings) < 256 else np.int32)

    def result(self) -> np.ndarray:
        return self._count


def spin_axis(preset: Preset) -> Array:
    """The unit vector (3,) of the principal axis of a preset's body along which its h is largest."""
    _, axes = principal_axes(preset.body.inertia)
    h = preset.body.inertia @ preset.initial.omega(preset.body)
    return axes[:, int(np.argmax(np.abs(axes.T @ h)))]
