"""Axes of nutation for several sweep measures: the body axis whose nutation is measured, and the direction in space
about which it nutates."""

import numpy as np

from quatviz.analysis.sweeps.measures.flips import spin_axis
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock, cross, rotate
from quatviz.files.preset import Preset


def nodding_axis(preset: Preset) -> Array:
    """Return the body axis (3,) whose nutation is measured.

    For a body on a pivot, this axis points from the pivot to the center of mass. For a free body it is the
    principal axis about which the preset mainly spins.
    """
    centre = preset.body.centre_of_mass
    if preset.body.about == "pivot" and centre is not None and np.any(centre):
        return np.asarray(centre / np.linalg.norm(centre))
    return spin_axis(preset)


def nutation_reference(runs: RunGroup) -> Array:
    """Return the direction (3, b) in space about which a body nutates.

    The direction is that of h if no load acts, otherwise the vertical.
    """
    if runs.is_loaded:
        return np.array([[0.0], [0.0], [1.0]])
    h = rotate(runs.p, np.broadcast_to(runs.h, runs.omega.shape))
    return h / np.sqrt((h * h).sum(axis=0))


class NutationAxes:
    """Tilt and azimuth of the measured body axis relative to the direction about which it nutates, for each run."""

    def __init__(self, runs: RunGroup) -> None:
        self.axis = nodding_axis(runs.sweep_preset)
        self.vertical = nutation_reference(runs)
        across = np.zeros_like(self.vertical)
        across[np.argmin(np.abs(self.vertical), axis=0), np.arange(self.vertical.shape[1])] = 1.0
        first = cross(across, self.vertical)
        self.first = first / np.sqrt((first * first).sum(axis=0))
        self.second = cross(self.vertical, self.first)

    def tilt(self, block: SampleBlock) -> Array:
        """Return the angle (s, b) [rad] between axis and reference. Sine and cosine are used for accuracy near zero."""
        axis = rotate(block.unit_p, self._axis_rows(block))
        x, y, z = (self._component(direction, axis) for direction in (self.first, self.second, self.vertical))
        return np.arctan2(np.hypot(x, y), z)

    def nutation_rates(self, block: SampleBlock) -> tuple[Array, Array, Array, Array]:
        """Return the rates of tilt and azimuth at each sample.

        Returns
        -------
        tuple of ndarray
            First and second time derivative of the cosine of the tilt [1/s, 1/s^2], azimuth about the reference [rad,
            not unwrapped], and azimuth rate [rad/s], each (s, b).
        """
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
