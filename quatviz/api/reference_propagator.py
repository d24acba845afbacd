"""What Newton's and Euler's equations make of recorded samples: between two of them, and how far a lane is off by them.

Nothing here is shared with the kernels of a lane but the body and its loads. Each sample is carried on to the next by itself,
all of them at once, by classical Runge-Kutta steps as short as the turn asks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    normalise,
    rate_from_omega,
    to_rotation_vector,
)

_TURN = 0.03
"""Of a step [rad], which is off by 1e-10 of one, and less with the help of two steps of half the length."""
_NUDGE = 1e-5
"""By which a start is turned [rad], and its rate changed, to see what becomes of an error."""
_ROWS_AT_ONCE = 4096


@dataclass(frozen=True)
class States:
    """Times t (n,) [s], unit p (n, 4), omega (n, 3) [rad/s, body]."""

    t: np.ndarray
    p: np.ndarray
    omega: np.ndarray

    def __getitem__(self, rows: slice | np.ndarray) -> "States":
        return States(self.t[rows], self.p[rows], self.omega[rows])

    def to(self, other: "States") -> np.ndarray:
        """The turn [rad] to the attitude of other states, and the difference of rates [rad/s] (n, 6), body."""
        turn = to_rotation_vector(multiply(conjugate(self.p), other.p))
        return np.concatenate((turn, other.omega - self.omega), axis=1)

    def moved(self, by: np.ndarray) -> "States":
        """These, turned and with other rates: what `to` says of two states leads from the one to the other."""
        return States(self.t, multiply(self.p, from_rotation_vector(by[:, :3])), self.omega + by[:, 3:])


@dataclass(frozen=True)
class Flow:
    """A body that turns under its loads, without anything that moves inside it."""

    body: Body
    loads: Sequence[BoundLoad]

    def after(self, start: States, h: np.ndarray) -> States:
        """What becomes of each state within `h` (n,) [s]."""
        steps = self._steps(start, h)
        one, two = self._stepped(start, h, steps), self._stepped(start, h, 2 * steps)
        y = two + (two - one) / 15.0
        return States(start.t + h, normalise(y[:, :4]), y[:, 4:])

    def growth(self, start: States, h: np.ndarray) -> np.ndarray:
        """What becomes of a small error (n, 6, 6) of each state within `h` (n,) [s]."""
        size = np.maximum(np.linalg.norm(start.omega, axis=1), 1.0 / h.max(initial=1.0))
        steps = self._steps(start, h, 10.0 * _TURN)
        ends = []
        for component in range(6):
            by = np.zeros((len(h), 6))
            by[:, component] = _NUDGE if component < 3 else _NUDGE * size
            sides = []
            for sign in (1.0, -1.0):
                y = self._stepped(start.moved(sign * by), h, steps)
                sides.append(States(start.t + h, normalise(y[:, :4]), y[:, 4:]))
            ends.append(sides[1].to(sides[0]) / (2.0 * by[:, component, None]))
        return np.stack(ends, axis=2)

    @staticmethod
    def _steps(start: States, h: np.ndarray, most: float = _TURN) -> int:
        turn = float((np.linalg.norm(start.omega, axis=1) * h).max(initial=0.0))
        return max(2, int(np.ceil(turn / most)))

    def _stepped(self, start: States, h: np.ndarray, steps: int) -> np.ndarray:
        """p and omega (n, 7) after so many steps."""
        y, dt = np.concatenate((start.p, start.omega), axis=1), h / steps
        for number in range(steps):
            t, step = start.t + number * dt, dt[:, None]
            one = self._rate(t, y)
            two = self._rate(t + 0.5 * dt, y + 0.5 * step * one)
            three = self._rate(t + 0.5 * dt, y + 0.5 * step * two)
            four = self._rate(t + dt, y + step * three)
            y = y + step / 6.0 * (one + 2.0 * (two + three) + four)
        return y

    def _rate(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        p, omega = y[:, :4], y[:, 4:]
        torque = -np.cross(omega, omega @ self.body.inertia)
        if self.loads:
            unit = normalise(p)
            torque = torque + sum(load.torque(t, unit, omega) for load in self.loads)
        return np.concatenate((rate_from_omega(p, omega), torque @ self.body.inverse_inertia), axis=1)

    def between(self, low: States, high: States | None, h: np.ndarray, share: np.ndarray) -> States:
        """Where the motion is at a `share` (n,) of the time `h` (n,) [s] from a sample to the next: it goes on from the first, and
        is led to the second where that follows from it."""
        reached = self.after(low, share * h)
        if high is None:
            return reached
        return reached.moved(share[:, None] * self.after(low, h).to(high))

    def errors(self, states: States, before: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By how much a lane with these samples is off (n, 6), about, if it is off by `before` (6,) at the first, and what each
        sample adds (n, 6): what it is off from what follows from the one before it."""
        found, added = np.zeros((2, len(states.t), 6))
        found[0] = before
        for first in range(0, len(states.t) - 1, _ROWS_AT_ONCE):
            rows = slice(first, min(first + _ROWS_AT_ONCE, len(states.t) - 1))
            start, end = states[rows], states[slice(rows.start + 1, rows.stop + 1)]
            h = end.t - start.t
            growths, defects = self.growth(start, h), self.after(start, h).to(end)
            added[rows.start + 1 : rows.stop + 1] = defects
            for number, (growth, defect) in enumerate(zip(growths, defects, strict=True), first):
                found[number + 1] = growth @ found[number] + defect
        return found, added
