"""Which axis of a body nods about which direction of space. Not a measure."""

import numpy as np

from quatviz.analysis.sweeps.measures.flips import spun_axis
from quatviz.analysis.sweeps.runs import Array, Block, Runs, crossed, rotated
from quatviz.files.preset import Preset


def nodding_axis(preset: Preset) -> Array:
    """The unit vector (3,) of the body from its pivot to its centre of mass; of a free body the axis that it spins about most."""
    centre = preset.body.centre_of_mass
    if preset.body.about == "pivot" and centre is not None and np.any(centre):
        return np.asarray(centre / np.linalg.norm(centre))
    return spun_axis(preset)


def invariable(runs: Runs) -> Array:
    """The direction (3, b) of space about which a body nods: that of h where nothing acts, else the vertical."""
    if runs.loaded:
        return np.array([[0.0], [0.0], [1.0]])
    h = rotated(runs.p, np.broadcast_to(runs.h, runs.omega.shape))
    return h / np.sqrt((h * h).sum(axis=0))


class Nodding:
    """The axis of runs in space, seen from the direction about which it nods, with its rates at every sample."""

    def __init__(self, runs: Runs) -> None:
        self.axis = nodding_axis(runs.own)
        self.up = invariable(runs)
        across = np.zeros_like(self.up)
        across[np.argmin(np.abs(self.up), axis=0), np.arange(self.up.shape[1])] = 1.0
        first = crossed(across, self.up)
        self.first = first / np.sqrt((first * first).sum(axis=0))
        self.second = crossed(self.up, self.first)

    def tilt(self, block: Block) -> Array:
        """(s, b) [rad], by sine and cosine: an angle near zero has all its digits."""
        axis = rotated(block.unit_p, self._fixed(block))
        x, y, z = (self._on(direction, axis) for direction in (self.first, self.second, self.up))
        return np.arctan2(np.hypot(x, y), z)

    def path(self, block: Block) -> tuple[Array, Array, Array, Array]:
        """Rate of the tilt's cosine and of that (s, b) [1/s, 1/s^2]; the angle about the direction (s, b), not unwrapped, and its
        rate [rad, rad/s]."""
        axis, p, omega = self._fixed(block), block.unit_p, block.omega
        swing = crossed(omega, axis)
        pull = crossed(block.omega_rate, axis) + crossed(omega, swing)
        place, rate, bend = (rotated(p, each) for each in (axis, swing, pull))
        x, y = self._on(self.first, place), self._on(self.second, place)
        x_rate, y_rate = self._on(self.first, rate), self._on(self.second, rate)
        turn = (x * y_rate - y * x_rate) / (x * x + y * y)
        return self._on(self.up, rate), self._on(self.up, bend), np.arctan2(y, x), turn

    def _fixed(self, block: Block) -> Array:
        return np.broadcast_to(self.axis[:, None, None], block.omega.shape)

    def _on(self, direction: Array, v: Array) -> Array:
        return np.einsum("ib,isb->sb", np.broadcast_to(direction, (3, v.shape[2])), v)
