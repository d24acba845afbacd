"""Sweep measure: number of flips of a body."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures._crossings import sign_changes
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.body import principal_axes


class Flips(SweepMeasure):
    """Number of sign changes of h along the principal axis that the sweep's preset mainly spins about.

    The number is zero for a free body whose h circles that axis, so that a map of this measure shows the separatrix.
    """

    name = "flips"
    title = "Flips"
    summary = (
        "number of sign changes of h along the main spin axis of the preset; 0 while h circles this axis in the body, 2 per turn "
        "about another axis"
    )
    sort_order: ClassVar[int] = 10
    is_count = True

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        self._axis = spin_axis(runs.sweep_preset)
        self._count = np.zeros(runs.count)

    def update(self, block: SampleBlock) -> None:
        # Summing booleans in the smallest integer type is ten times as fast.
        crossings = sign_changes(block.h_sign(self._axis)).view(np.uint8)
        self._count += np.add.reduce(crossings, axis=0, dtype=np.uint8 if len(crossings) < 256 else np.int32)

    def result(self) -> np.ndarray:
        return self._count


def spin_axis(preset: Preset) -> Array:
    """Return the unit vector (3,) along that principal axis of the preset's body along which h has its largest
    component."""
    _, axes = principal_axes(preset.body.inertia)
    h = preset.body.initial_momentum(preset.initial.omega(preset.body))
    return axes[:, int(np.argmax(np.abs(axes.T @ h)))]
