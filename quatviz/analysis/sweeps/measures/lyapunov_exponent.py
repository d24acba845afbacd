"""How fast neighbouring motions part."""

from typing import ClassVar

import numpy as np

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import Array, Block, Runs
from quatviz.base.errors import phrase
from quatviz.base.formatting import SAMPLE_INTERVAL
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.rotations import multiply, skew
from quatviz.simulation.lane import LaneRun

_COARSE = 0.5
"""|omega| times two sample intervals [rad] beyond which the variation is not followed any more."""
_SMALL = 1e-5
"""Angle [rad], or part of |omega|, over which torques are differentiated."""
_AT_ONCE = 2**13
"""Matrices that are made together, of all runs: a few megabytes."""


class LyapunovExponent(SweepMeasure):
    """The largest Lyapunov exponent, by the variational equation beside the motion: the logarithm by which a small difference
    (theta, delta omega) grows in the second half of the run, over that time. In the body

        theta' = delta omega - omega x theta    J delta omega' = delta n - delta omega x J omega - omega x J delta omega

    by a Runge-Kutta step of order four over two sample intervals, whose middle is the sample between. Torques are
    differentiated by central differences. Benettin et al. 1980. Every motion has exponents of zero: what falls with one over
    the duration is none.
    """

    name = "lyapunov_exponent"
    title = "Largest Lyapunov exponent"
    unit = "1/s"
    told = "how fast neighbouring motions part, by the variational equation beside the motion"
    place: ClassVar[int] = 50

    @classmethod
    def lack(cls, preset: Preset, lane: LaneRun) -> str:
        speed = float(np.linalg.norm(preset.initial.omega(preset.body)))
        if 2.0 * speed * preset.run.sample_interval <= _COARSE:
            return ""
        return phrase(
            "samples {interval:g} s apart, too far for {speed:.3g} rad/s: {name} = {least:.2g} would do",
            name=SAMPLE_INTERVAL,
            interval=preset.run.sample_interval, speed=speed, least=0.5 * _COARSE / speed,
        )  # fmt: skip

    def __init__(self, runs: Runs) -> None:
        super().__init__(runs)
        speed = np.sqrt((runs.omega**2).sum(axis=0))
        self._speed = np.where(speed == 0.0, 1.0, speed)
        self._state = np.ones((6, runs.count))
        self._state[3:] *= self._speed
        self._grown, self._time = np.zeros(runs.count), np.zeros(runs.count)
        self._begun = np.empty((0, runs.count, 6, 6))

    def take(self, block: Block) -> None:
        slopes = self._slopes(block) if self.runs.loaded else None
        before = len(self._begun)  # a step that the block before began has its middle where this one begins
        count = before + block.p.shape[1]
        steps, at_once = (count - 1) // 2, max(1, _AT_ONCE // self.runs.count)
        for first in range(0, steps, at_once):
            behind = 2 * min(first + at_once, steps) + 1
            rates = self._rates(block, slice(max(0, 2 * first - before), behind - before), slopes)
            if first == 0 and before:
                rates = np.concatenate([self._begun, rates])
            for number, growth in enumerate(self._growths(rates), first):
                self._grow(growth, block.t[max(0, 2 * number - before)])
        if count % 2:
            self._begun = self._begun[:0]
        elif block.p.shape[1] > 1:
            self._begun = self._rates(block, slice(-2, -1), slopes)

    def _grow(self, growth: Array, t: float) -> None:
        """Follow the variation by a step that begins at t [s]."""
        y = np.einsum("bij,jb->ib", growth, self._state)
        size = np.sqrt((y[:3] ** 2).sum(axis=0) + (y[3:] ** 2).sum(axis=0) / self._speed**2)
        known = np.isfinite(size) & (size > 0.0)
        self._state = np.where(known, y / size, self._state)
        if t >= 0.5 * self.runs.duration:
            self._grown += np.where(known, np.log(size), 0.0)
            self._time += np.where(known, 2.0 * self.runs.interval, 0.0)

    def _growths(self, rates: Array) -> Array:
        """What a Runge-Kutta step makes of any variation (s, b, 6, 6), from every second row to the next but one: the equation is
        linear."""
        dt, one = 2.0 * self.runs.interval, np.eye(6)
        begin, middle, end = rates[:-1:2], rates[1::2], rates[2::2]
        k2 = middle @ (one + 0.5 * dt * begin)
        k3 = middle @ (one + 0.5 * dt * k2)
        k4 = end @ (one + dt * k3)
        return np.asarray(one + dt / 6.0 * (begin + 2.0 * (k2 + k3) + k4))

    def _rates(self, block: Block, rows: slice, slopes: tuple[Array, Array] | None) -> Array:
        """The variational equation's matrices at these rows (s, b, 6, 6)."""
        omega, h = (skew(np.moveaxis(each[:, rows], 0, -1)) for each in (block.omega, block.h))
        inertia, inverse = (
            np.moveaxis(each, -1, 0) for each in (self.runs.inertia, self.runs.inverse_inertia)
        )
        moment = h - omega @ inertia
        found = np.zeros((*omega.shape[:2], 6, 6))
        found[..., :3, :3], found[..., :3, 3:] = -omega, np.eye(3)
        if slopes is not None:
            by_angle, by_rate = (np.moveaxis(each[:, :, rows], (2, 3), (0, 1)) for each in slopes)
            found[..., 3:, :3] = inverse @ by_angle
            moment = moment + by_rate
        found[..., 3:, 3:] = inverse @ moment
        return found

    def _slopes(self, block: Block) -> tuple[Array, Array]:
        """dn/dtheta and dn/domega (3, 3, s, b), of n in the body."""

        def torque(p: Array, omega: Array) -> Array:
            return self.runs.of_loads(
                3, lambda load, t, p, omega: load.torque(t, p, omega), block.t, p, omega
            )

        by_angle, by_rate = [], []
        for axis in range(3):
            turns, rates = [], []
            for way in (1.0, -1.0):
                turns.append(torque(_turned(block.unit_p, axis, way * _SMALL), block.omega))
                moved = block.omega.copy()
                moved[axis] += way * _SMALL * self._speed
                rates.append(torque(block.unit_p, moved))
            by_angle.append((turns[0] - turns[1]) / (2.0 * _SMALL))
            by_rate.append((rates[0] - rates[1]) / (2.0 * _SMALL * self._speed))
        return np.stack(by_angle, axis=1), np.stack(by_rate, axis=1)

    def end(self) -> np.ndarray:
        return self._grown / np.where(self._time > 0.0, self._time, np.nan)


def _turned(p: Array, axis: int, angle: float) -> Array:
    """p (4, ...) after a turn about a body axis."""
    half = np.zeros_like(p)
    half[0], half[1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return np.moveaxis(multiply(np.moveaxis(p, 0, -1), np.moveaxis(half, 0, -1)), -1, 0)
