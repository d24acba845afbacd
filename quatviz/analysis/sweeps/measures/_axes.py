"""Which axis of a body nods about which direction of space. Not a measure."""

import numpy as np

from quatviz.analysis.sweeps.measures.flips import spin_axis
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock, cross, rotate
from quatviz.files.preset import Preset


def nodding_axis(preset: Preset) -> Array:
    """The unit vector (3,) of the body from its pivot to its centre of mass; of a free body the axis that it spins about most."""
    centre = preset.body.centre_of_mass
    if preset.body.about == "pivot" and centre is not None and np.any(centre):
        return np.asarray(centre / np.linalg.norm(centre))
    return spin_axis(preset)


def nutation_reference(runs: RunGroup) -> Array:
    """The direction (3, b) of space about which a body nods: that of h where nothing acts, else the vertical."""
    if runs.is_loaded:
        return np.array([[0.0], [0.0], [1.0]])
    h = rotate(runs.p, np.broadcast_to(runs.h, runs.omega.shape))
    return h / np.sqrt((h * h).sum(axis=0))


class NutationAxes:
    """The axis of runs in space, seen from the direction about which it nods, with its rates at every sample."""

    def __init__(self, runs: RunGroup) -> None:
        self.axis = nodding_axis(runs.sweep_preset)
        self.vertical = nutation_reference(runs)
        across = np.zeros_like(self.vertical)
        across[np.argmin(np.abs(self.vertical), axis=0), np.arange(self.vertical.shape[1])] = 1.0
        first = cross(across, self.vertical)
        self.first = first / np.sqrt((first * first).sum(axis=0))
        self.second = cross(self.vertical, self.first)

    def tilt(self, block: SampleBlock) -> Array:
        """(s, b) [rad], by sine and cosine: an angle near zero has all its digits."""
        axis = rotate(block.unit_p, self._axis_rows(block))
        x, y, z = (self._component(direction, axis) for direction in (self.first, self.second, self.vertical))
        return np.arctan2(np.hypot(x, y), z)

    def nutation_rates(self, block: SampleBlock) -> tuple[Array, Array, Array, Array]:
        """Rate of the tilt's cosine and of that (s, b) [1/s, 1/s^2]; the angle about the direction (s, b), not unwrapped, and its
        rate [rad, rad/s]."""
        axis, p, omega = self._axis_rows(block), block.unit_p, block.omega
        swing = cross(omega, axis)
        swing_rate = cross(block.omega_rate, axis) + cross(omega, swing)
        direction, rate, acceleration = (rotate(p, vector) for vector in (axis, swing, swing_rate))
        x, y = self._component(self.first, direction), self._component(self.second, direction)
        x_rate, y_rate = self._component(self.first, rate), self._component(self.second, rate)
        azimuth_rate = (x * y_rate - y * x_rate) / (x * x + y * y)
        return (
            self._component(self.vertical, rate),
            self._component(self.vertical, acceleration),
            np.arctan2(y, x),
            azimuth_rate,
        )

    def _axis_rows(self, block: SampleBlock) -> Array:
        return np.broadcast_to(self.axis[:, None, None], block.omega.shape)

    def _component(self, direction: Array, v: Array) -> Array:
        return np.einsum("ib,isb->sb", np.broadcast_to(direction, (3, v.shape[2])), v)
