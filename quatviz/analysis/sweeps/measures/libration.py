"""Sweep measure: largest pitch of a satellite in its orbital plane."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock, rotate
from quatviz.base.errors import phrase
from quatviz.files.preset import Preset
from quatviz.physics.loads import orbiting_load
from quatviz.simulation.lane import LaneRun


class Libration(SweepMeasure):
    """Largest pitch over all samples. The pitch is the angle in the orbital plane from the local vertical to the third
    body axis.

    The result is 180 degrees if the body turns over. Runs without an orbit have no pitch.
    """

    name = "libration"
    title = "Largest pitch in the orbit"
    unit = "deg"
    summary = "the largest angle in the orbital plane between the local vertical and the body's third axis"
    sort_order: ClassVar[int] = 42

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        return phrase("no load of the preset has an orbit") if orbiting_load(preset.loads) is None else ""

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        numbers = range(1 if runs.has_shared_body else runs.count)
        self._loads = [orbiting_load(runs.bound_loads(number)) for number in numbers]
        self._largest = np.full(runs.count, -np.inf)

    def update(self, block: SampleBlock) -> None:
        third_axis = np.array([0.0, 0.0, 1.0])[:, None, None]
        in_space = rotate(block.unit_p, np.broadcast_to(third_axis, block.omega.shape))
        pitch = np.abs(self._pitch(block.t, in_space))
        self._largest = np.fmax(self._largest, np.fmax.reduce(pitch))

    def result(self) -> np.ndarray:
        return np.where(np.isfinite(self._largest), np.degrees(self._largest), np.nan)

    def _pitch(self, t: Array, axis: Array) -> Array:
        """Return the angle (s, b) [rad] from the vertical to a direction (3, s, b) in space, positive about the orbit normal."""
        pitch = np.full(axis.shape[1:], np.nan)
        for number, load in enumerate(self._loads):
            frame = None if load is None else load.orbital_frame(t)
            if frame is None:
                continue
            columns = slice(None) if self.runs.has_shared_body else slice(number, number + 1)
            forward, up = (
                np.einsum("si,isb->sb", frame[:, :, column], axis[:, :, columns]) for column in (0, 2)
            )
            pitch[:, columns] = np.arctan2(forward, up)
        return pitch
