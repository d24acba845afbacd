"""Sweep measure: largest Lyapunov exponent of a motion."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, RunGroup, SampleBlock
from quatviz.base.errors import phrase
from quatviz.base.formatting import SAMPLE_INTERVAL
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.rotations import multiply, skew
from quatviz.simulation.lane import LaneRun

_MAX_TURN = 0.5
"""Largest rotation [rad] of the body in two sample intervals, the length of one step of the variational equation."""
_DIFFERENCE_STEP = 1e-5
"""Step of the finite differences of torques: an angle [rad], or a fraction of |omega|."""
_MATRICES_AT_ONCE = 2**13
"""Number of matrices that are computed at once, summed over all runs. They take a few megabytes."""


class LyapunovExponent(SweepMeasure):
    """Largest Lyapunov exponent: logarithmic growth of a small perturbation in the second half of the run, divided by
    the duration of this half.

    Notes
    -----
    The perturbation (theta, delta omega) satisfies, in the body frame,

        theta' = delta omega - omega x theta    J delta omega' = delta n - delta omega x J omega - omega x J delta omega

    It is integrated by a fourth-order Runge-Kutta step over two sample intervals, with the sample between them as
    midpoint. Torques are differentiated by central differences. Benettin et al. 1980. Every motion also has exponents
    that are zero, so a value that decreases like one over the duration is zero.
    """

    name = "lyapunov_exponent"
    title = "Largest Lyapunov exponent"
    unit = "1/s"
    summary = "exponential growth rate of the difference between neighboring motions"
    sort_order: ClassVar[int] = 50

    @classmethod
    def unsupported_reason(cls, preset: Preset, lane: LaneRun) -> str:
        if preset.body.has_inner_motion:
            return phrase(
                "the linearized equation of neighboring motions does not include a ring or rotors in the body"
            )
        speed = float(np.linalg.norm(preset.initial.omega(preset.body)))
        if 2.0 * speed * preset.run.sample_interval <= _MAX_TURN:
            return ""
        return phrase(
            "the sample interval, {interval:g} s, is too long for a rate of {speed:.3g} rad/s; set {name} = {least:.2g}",
            name=SAMPLE_INTERVAL,
            interval=preset.run.sample_interval, speed=speed, least=0.5 * _MAX_TURN / speed,
        )  # fmt: skip

    def __init__(self, runs: RunGroup) -> None:
        super().__init__(runs)
        speed = np.sqrt((runs.omega**2).sum(axis=0))
        self._speed = np.where(speed == 0.0, 1.0, speed)
        self._state = np.ones((6, runs.count))
        self._state[3:] *= self._speed
        self._log_growth, self._time = np.zeros(runs.count), np.zeros(runs.count)
        self._pending_matrices = np.empty((0, runs.count, 6, 6))

    def update(self, block: SampleBlock) -> None:
        slopes = self._torque_derivatives(block) if self.runs.is_loaded else None
        # The midpoint of a step that began in the previous block is the first row of this one.
        pending = len(self._pending_matrices)
        count = pending + block.p.shape[1]
        steps, at_once = (count - 1) // 2, max(1, _MATRICES_AT_ONCE // self.runs.count)
        for first in range(0, steps, at_once):
            last = 2 * min(first + at_once, steps) + 1
            rates = self._variational_matrices(
                block, slice(max(0, 2 * first - pending), last - pending), slopes
            )
            if first == 0 and pending:
                rates = np.concatenate([self._pending_matrices, rates])
            for number, growth in enumerate(self._growth_matrices(rates), first):
                self._apply_growth(growth, block.t[max(0, 2 * number - pending)])
        if count % 2:
            self._pending_matrices = self._pending_matrices[:0]
        elif block.p.shape[1] > 1:
            self._pending_matrices = self._variational_matrices(block, slice(-2, -1), slopes)

    def _apply_growth(self, growth: Array, t: float) -> None:
        """Multiply the perturbation of each run by the matrix `growth` (b, 6, 6) of the step that begins at t [s], and
        normalize the perturbation."""
        y = np.einsum("bij,jb->ib", growth, self._state)
        size = np.sqrt((y[:3] ** 2).sum(axis=0) + (y[3:] ** 2).sum(axis=0) / self._speed**2)
        known = np.isfinite(size) & (size > 0.0)
        self._state = np.where(known, y / size, self._state)
        if t >= 0.5 * self.runs.duration:
            self._log_growth += np.where(known, np.log(size), 0.0)
            self._time += np.where(known, 2.0 * self.runs.interval, 0.0)

    def _growth_matrices(self, rates: Array) -> Array:
        """Return the matrices (s, b, 6, 6) that advance the perturbation by Runge-Kutta steps over two rows."""
        dt, identity = 2.0 * self.runs.interval, np.eye(6)
        begin, middle, end = rates[:-1:2], rates[1::2], rates[2::2]
        k2 = middle @ (identity + 0.5 * dt * begin)
        k3 = middle @ (identity + 0.5 * dt * k2)
        k4 = end @ (identity + dt * k3)
        return np.asarray(identity + dt / 6.0 * (begin + 2.0 * (k2 + k3) + k4))

    def _variational_matrices(
        self, block: SampleBlock, rows: slice, slopes: tuple[Array, Array] | None
    ) -> Array:
        """Return the matrices (s, b, 6, 6) of the variational equation at `rows` of a block."""
        omega, h = (skew(np.moveaxis(vectors[:, rows], 0, -1)) for vectors in (block.omega, block.h))
        inertia, inverse = (
            np.moveaxis(vectors, -1, 0) for vectors in (self.runs.inertia, self.runs.inverse_inertia)
        )
        moment = h - omega @ inertia
        matrices = np.zeros((*omega.shape[:2], 6, 6))
        matrices[..., :3, :3], matrices[..., :3, 3:] = -omega, np.eye(3)
        if slopes is not None:
            by_angle, by_rate = (np.moveaxis(vectors[:, :, rows], (2, 3), (0, 1)) for vectors in slopes)
            matrices[..., 3:, :3] = inverse @ by_angle
            moment = moment + by_rate
        matrices[..., 3:, 3:] = inverse @ moment
        return matrices

    def _torque_derivatives(self, block: SampleBlock) -> tuple[Array, Array]:
        """Return dn/dtheta and dn/domega (3, 3, s, b), with n in body components."""

        def torque(p: Array, omega: Array) -> Array:
            return self.runs.sum_over_loads(
                3, lambda load, t, p, omega: load.torque(t, p, omega), block.t, p, omega
            )

        by_angle, by_rate = [], []
        for axis in range(3):
            rotated_torques, accelerated_torques = [], []
            for sign in (1.0, -1.0):
                rotated_torques.append(
                    torque(_rotate_about_body_axis(block.unit_p, axis, sign * _DIFFERENCE_STEP), block.omega)
                )
                changed_omega = block.omega.copy()
                changed_omega[axis] += sign * _DIFFERENCE_STEP * self._speed
                accelerated_torques.append(torque(block.unit_p, changed_omega))
            by_angle.append((rotated_torques[0] - rotated_torques[1]) / (2.0 * _DIFFERENCE_STEP))
            by_rate.append(
                (accelerated_torques[0] - accelerated_torques[1]) / (2.0 * _DIFFERENCE_STEP * self._speed)
            )
        return np.stack(by_angle, axis=1), np.stack(by_rate, axis=1)

    def result(self) -> np.ndarray:
        return self._log_growth / np.where(self._time > 0.0, self._time, np.nan)


def _rotate_about_body_axis(p: Array, axis: int, angle: float) -> Array:
    """Return p (4, ...) rotated about a body axis."""
    half = np.zeros_like(p)
    half[0], half[1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return np.moveaxis(multiply(np.moveaxis(p, 0, -1), np.moveaxis(half, 0, -1)), -1, 0)
