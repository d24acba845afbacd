"""How often a body turns over."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import changes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, Block, Runs
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.body import principal_axes


class Flips(SweepMeasure):
    """How often h changes sides along the principal axis about which the preset of the sweep itself spins most. Of a free body it
    never does where h circles that axis: the separatrix, on the map."""

    name = "flips"
    title = "Flips"
    told = "how often h changes its side along the principal axis about which the preset spins most"
    place: ClassVar[int] = 10
    whole = True

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        self._axis = spun_axis(runs.own)
        self._count = np.zeros(runs.count)

    def take(self, block: Block) -> None:
        # Sums of truth values in numbers that are as small as can be: ten times as fast.
        there = changes(block.h_side(self._axis)).view(np.uint8)
        self._count += np.add.reduce(there, axis=0, dtype=np.uint8 if len(there) < 256 else np.int32)

    def end(self) -> np.ndarray:
        return self._count


def spun_axis(preset: Preset) -> Array:
    """The unit vector (3,) of the principal axis of a preset's body along which its h is largest."""
    _, axes = principal_axes(preset.body.inertia)
    h = preset.body.inertia @ preset.initial.omega(preset.body)
    return axes[:, int(np.argmax(np.abs(axes.T @ h)))]
