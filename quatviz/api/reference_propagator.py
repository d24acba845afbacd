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
    normalize,
    rate_from_omega,
    to_rotation_vector,
)

_MAX_TURN_PER_STEP = 0.03
"""Of a step [rad], which is off by 1e-10 of one, and less with the help of two steps of half the length."""
_PERTURBATION = 1e-5
"""By which a start is turned [rad], and its rate changed, to see what becomes of an error."""
_ROWS_PER_CHUNK = 4096


@dataclass(frozen=True)
class AttitudeStates:
    """Times t (n,) [s], unit p (n, 4), omega (n, 3) [rad/s, body]."""

    t: np.ndarray
    p: np.ndarray
    omega: np.ndarray

    def __getitem__(self, rows: slice | np.ndarray) -> "AttitudeStates":
        return AttitudeStates(self.t[rows], self.p[rows], self.omega[rows])

    def difference_to(self, other: "AttitudeStates") -> np.ndarray:
        """The turn [rad] to the attitude of other states, and the difference of rates [rad/s] (n, 6), body."""
        turn = to_rotation_vector(multiply(conjugate(self.p), other.p))
        return np.concatenate((turn, other.omega - self.omega), axis=1)

    def displaced(self, difference: np.ndarray) -> "AttitudeStates":
        """These, turned and with other rates: what `to` says of two states leads from the one to the other."""
        return AttitudeStates(
            self.t, multiply(self.p, from_rotation_vector(difference[:, :3])), self.omega + difference[:, 3:]
        )


@dataclass(frozen=True)
class ReferencePropagator:
    """A body that turns under its loads, without anything that moves inside it."""

    body: Body
    loads: Sequence[BoundLoad]

    def propagate(self, start: AttitudeStates, h: np.ndarray) -> AttitudeStates:
        """What becomes of each state within `h` (n,) [s]."""
        steps = self._step_count(start, h)
        coarse, fine = self._integrate(start, h, steps), self._integrate(start, h, 2 * steps)
        y = fine + (fine - coarse) / 15.0
        return AttitudeStates(start.t + h, normalize(y[:, :4]), y[:, 4:])

    def error_growth(self, start: AttitudeStates, h: np.ndarray) -> np.ndarray:
        """What becomes of a small error (n, 6, 6) of each state within `h` (n,) [s]."""
        size = np.maximum(np.linalg.norm(start.omega, axis=1), 1.0 / h.max(initial=1.0))
        steps = self._step_count(start, h, 10.0 * _MAX_TURN_PER_STEP)
        ends = []
        for component in range(6):
            perturbation = np.zeros((len(h), 6))
            perturbation[:, component] = _PERTURBATION if component < 3 else _PERTURBATION * size
            sides = []
            for sign in (1.0, -1.0):
                y = self._integrate(start.displaced(sign * perturbation), h, steps)
                sides.append(AttitudeStates(start.t + h, normalize(y[:, :4]), y[:, 4:]))
            ends.append(sides[1].difference_to(sides[0]) / (2.0 * perturbation[:, component, None]))
        return np.stack(ends, axis=2)

    @staticmethod
    def _step_count(start: AttitudeStates, h: np.ndarray, max_turn: float = _MAX_TURN_PER_STEP) -> int:
        turn = float((np.linalg.norm(start.omega, axis=1) * h).max(initial=0.0))
        return max(2, int(np.ceil(turn / max_turn)))

    def _integrate(self, start: AttitudeStates, h: np.ndarray, steps: int) -> np.ndarray:
        """p and omega (n, 7) after so many steps."""
        y, dt = np.concatenate((start.p, start.omega), axis=1), h / steps
        for step_index in range(steps):
            t, step = start.t + step_index * dt, dt[:, None]
            k1 = self._rate(t, y)
            k2 = self._rate(t + 0.5 * dt, y + 0.5 * step * k1)
            k3 = self._rate(t + 0.5 * dt, y + 0.5 * step * k2)
            k4 = self._rate(t + dt, y + step * k3)
            y = y + step / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
        return y

    def _rate(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        p, omega = y[:, :4], y[:, 4:]
        torque = -np.cross(omega, omega @ self.body.inertia)
        if self.loads:
            unit = normalize(p)
            torque = torque + sum(load.torque(t, unit, omega) for load in self.loads)
        return np.concatenate((rate_from_omega(p, omega), torque @ self.body.inverse_inertia), axis=1)

    def accumulated_errors(
        self, states: AttitudeStates, initial_error: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """By how much a lane with these samples is off (n, 6), about, if it is off by `initial_error` (6,) at the first, and
        what each sample adds (n, 6): what it is off from what follows from the one before it."""
        errors, added = np.zeros((2, len(states.t), 6))
        errors[0] = initial_error
        for first in range(0, len(states.t) - 1, _ROWS_PER_CHUNK):
            rows = slice(first, min(first + _ROWS_PER_CHUNK, len(states.t) - 1))
            start, end = states[rows], states[slice(rows.start + 1, rows.stop + 1)]
            h = end.t - start.t
            growths, defects = self.error_growth(start, h), self.propagate(start, h).difference_to(end)
            added[rows.start + 1 : rows.stop + 1] = defects
            for number, (growth, defect) in enumerate(zip(growths, defects, strict=True), first):
                errors[number + 1] = growth @ errors[number] + defect
        return errors, added
