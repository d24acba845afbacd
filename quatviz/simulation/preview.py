"""Motion of the small animated body on the card of a preset."""

import math

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.formulations._translation import is_coupled
from quatviz.physics.integrators.rk4 import RK4
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import normalize, rotation_matrix
from quatviz.physics.mechanics.rotor_system import RotorSystem

PREVIEW_RATE = 1.2
"""Angular rate [rad/s] with which every previewed body starts to rotate, whatever the rate in its preset. It
determines the playback speed of the preview."""
_STEP_ANGLE = 0.15
"""Rotation [rad] of the previewed body in one integration step."""
_MAX_STEPS = 24
"""Largest number of integration steps per displayed frame."""
_REST_RATE = 1e-6
"""Angular rate [rad/s] below which a body counts as at rest."""


class PreviewMotion:
    """Solution of Euler's equations with the loads of a preset, integrated by `rk4` in NumPy. A card on the
    start page cannot wait for compiled kernels.

    Events and a ring inside the body are ignored; rotors keep their initial momentum.
    """

    def __init__(self, preset: Preset) -> None:
        self._preset = preset
        body = preset.body
        system, omega = RotorSystem(body), preset.initial.omega(body)
        self._inertia = system.effective_inertia if body.rotors else body.inertia
        self._inverse = body.with_inertia(self._inertia).inverse_inertia
        self._stored_momentum = (
            system.stored_momentum + system.initial_momenta(omega) @ system.axes[system.state_indices]
        )
        self._loads = bind(preset.loads, body)
        self._mass = body.mass if is_coupled(body, preset.loads) else None
        spin = float(np.linalg.norm(omega))
        self.speed = PREVIEW_RATE / spin if spin > _REST_RATE else 1.0
        """Playback speed [seconds of motion per second]."""
        self._restart()

    @property
    def p(self) -> np.ndarray:
        """Unit Euler parameters (4,)."""
        return self._p

    @property
    def rotation(self) -> np.ndarray:
        """Rotation matrix from body to space (3, 3)."""
        matrix: np.ndarray = rotation_matrix(self._p)
        return matrix

    def advance(self, elapsed: float) -> None:
        """Advance by `elapsed` [s] of real time. At the end of the run the motion restarts."""
        remaining = elapsed * self.speed
        for _ in range(_MAX_STEPS):
            spin = float(np.linalg.norm(self._omega))
            step = min(remaining, _STEP_ANGLE / spin if spin > 0.0 else remaining, elapsed * self.speed)
            self._step(step)
            remaining -= step
            if not math.isfinite(float(self._p.sum() + self._omega.sum())):
                self._restart()
                return
            if remaining <= 0.0:
                break
        if self.time > self._preset.run.duration:
            self._restart()

    def _restart(self) -> None:
        self.time = 0.0
        initial = self._preset.initial
        self._p, self._omega = initial.p(), initial.omega(self._preset.body)
        start = (initial.position, initial.velocity) if self._mass else ()
        self._center = np.concatenate([np.zeros(0), *(np.zeros(3) if x is None else x for x in start)])

    def _step(self, step: float) -> None:
        with np.errstate(all="ignore"):
            state = np.concatenate((self._p, self._omega, self._center))
            state = RK4.tableau.step(self._slope, self.time, state, step)
            self._p, self._omega, self._center = normalize(state[:4]), state[4:7], state[7:]
        self.time += step

    def _slope(self, t: float, state: np.ndarray) -> np.ndarray:
        """Return the derivative (7,) of the state: p' and omega'. If rotation and translation are coupled, c'
        and c'' follow (13,). The gyroscopic terms use Python floats, which are five times as fast as arrays
        for a single state."""
        e0, e1, e2, e3, w1, w2, w3 = state[:7].tolist()
        p, omega, times = normalize(state[None, :4]), state[None, 4:7], np.array([t])
        momentum = self._inertia @ state[4:7] + self._stored_momentum
        h1, h2, h3 = momentum.tolist()
        torque = np.array((w3 * h2 - w2 * h3, w1 * h3 - w3 * h1, w2 * h1 - w1 * h2))
        loads, translation = self._loads, state[7:]
        if self._mass:
            loads = tuple(load.at_center(state[None, 7:10]) for load in loads)
            force = sum((load.center_force(times, p)[0] for load in loads), np.zeros(3))
            translation = np.concatenate((state[10:], force / self._mass))
        for load in loads:
            torque = torque + load.torque(times, p, omega)[0]
        rate = (
            0.5 * (-e1 * w1 - e2 * w2 - e3 * w3),
            0.5 * (e0 * w1 - e3 * w2 + e2 * w3),
            0.5 * (e3 * w1 + e0 * w2 - e1 * w3),
            0.5 * (-e2 * w1 + e1 * w2 + e0 * w3),
        )
        return np.concatenate((rate, self._inverse @ torque, translation))
