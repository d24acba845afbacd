"""Whether a lane answers to its loads: their work against its energy, their angular impulse against its angular momentum.

For loads whose changes in time cannot be known before the run, as those that a person writes in Python. A method leaps over a pulse
that no stage of its steps meets; its error estimate, its status and all of its other lanes say nothing of that.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.loads import bind
from quatviz.physics.loads.base import LOADS, BoundLoad, Load
from quatviz.physics.mechanics.rotation_interpolation import interpolate_rotations
from quatviz.physics.mechanics.rotations import rotate
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.center_of_mass_motion import interpolate_center

MAX_SAMPLES = 4000
"""Samples of a stretch between two events that are looked at: the torques of a person's loads are Python."""
MAX_EVALUATIONS = 20_000
"""Evaluations of the torque in one stretch."""
MAX_IMBALANCE = 0.1
"""Part of the work, or of the angular impulse, from which on a lane is not to be trusted. The integrals over interpolated
states are good to a few percent where a pulse is short."""
MAX_TURN = 0.5
"""Angle [rad] by which a body may turn from row to row: the attitude between them is then known well enough."""
IMBALANCE_REMEDY = phrase("Try a method of fixed steps, with a dt that is shorter than the pulse")
"""What to try with an adaptive method."""
FIXED_STEP_REMEDY = phrase("Try a dt that is shorter than the pulse")
"""What to try with fixed steps."""
_QUADRATURE_TOLERANCE = 1e-3
"""Estimated error of the integrals, as a part of them, at which no interval is divided further."""
_MAX_LEVELS = 12


class BalancedLane(Protocol):
    """What is asked of a lane."""

    @property
    def intervals_between_events(self) -> Sequence[tuple[int, int, PhysicalConfig]]: ...

    @property
    def event_samples(self) -> tuple[int, ...]: ...

    def motion_at(self, samples: np.ndarray) -> Motion: ...

    def motion_within(self, first: int, stop: int, rows_per_sample: int) -> Motion: ...


class Imbalance(NamedTuple):
    """By how much the loads and the motion of a lane disagree, as parts of the larger of both, and from when on."""

    energy: float
    momentum: float
    time: float

    @property
    def largest(self) -> float:
        return max(self.energy, self.momentum)


def has_unknown_changes(loads: Sequence[Load]) -> bool:
    """Return True if a load may change in time in a way that cannot be read from its numbers and expressions."""
    known = set(LOADS.values())
    return any(type(load) not in known or not type(load).__module__.startswith("quatviz.") for load in loads)


def energy_balance_error(lane: BalancedLane) -> Imbalance:
    """Compare the work and the angular impulse of the loads with the change of energy and angular momentum of a lane.

    Parameters
    ----------
    lane
        A lane with at least two samples; of a body with a ring or rotors, whose momentum is not J omega alone, nothing is said.

    Returns
    -------
    Imbalance
        The largest in any stretch between two events.

    Notes
    -----
    T(t) - T(0) is the integral of n.omega + f.c', A h - A0 h0 that of A n, in space, and m c' - m c0' that of the force f on the
    center of mass, where rotation and translation depend on each other; else translation is left out. A body at rest gains no
    energy from a pulse that is leapt over, so that the momenta are needed too. The integrals are Simpson's, over states that are
    interpolated between samples, on intervals that are halved where the torque changes quickly.
    """
    worst = Imbalance(0.0, 0.0, 0.0)
    for first, last, config in lane.intervals_between_events:
        # The sample at an event is what the event made of it.
        stop = last if last in lane.event_samples else last + 1
        if stop - first < 2 or config.body.has_inner_motion:
            continue
        motion = _followed_motion(lane, first, stop)
        if motion is None:
            continue
        found = _imbalance(motion, bind(config.loads, config.body))
        worst = max(worst, found, key=lambda imbalance: imbalance.largest)
    return worst


def _followed_motion(lane: BalancedLane, first: int, stop: int) -> Motion | None:
    """The motion from sample `first` to `stop` - 1 in rows between which the body turns little, by the lane's dense output where
    samples are too far apart; None where there would be too many rows."""
    samples = np.unique(np.linspace(first, stop - 1, min(stop - first, MAX_SAMPLES)).astype(int))
    motion = lane.motion_at(samples)
    with np.errstate(all="ignore"):
        turn = float(np.max(np.linalg.norm(motion.omega, axis=1)[:-1] * np.diff(motion.t)))
    if turn <= MAX_TURN:
        return motion
    if not (stop - first) * turn / MAX_TURN <= MAX_SAMPLES:
        return None
    rows = math.ceil(turn / MAX_TURN)
    return lane.motion_within(first * rows, (stop - 1) * rows + 1, rows)


def imbalance_reason(imbalance: Imbalance) -> str:
    """Why a lane that does not answer to its loads is not accurate: a phrase without the lane's name."""
    return phrase(
        "its angular momentum or energy differs by {share:.0f} % from what its loads did, so that a step may have leapt over a "
        "pulse",
        share=100.0 * min(imbalance.largest, 1.0),
    )


class _States(NamedTuple):
    """States between rows: cubics on the group with the attitudes and rates of both ends, and a rate that changes linearly."""

    t: np.ndarray
    p: np.ndarray
    omega: np.ndarray
    center: np.ndarray | None
    """Position and velocity (n, 6) of the center of mass, where they are part of the state."""

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Unit Euler parameters (n, 4), rates (n, 3) [rad/s, body] and the center (n, 6) at times (n,) [s]."""
        low = np.clip(np.searchsorted(self.t, t, "right") - 1, 0, len(self.t) - 2)
        duration = self.t[low + 1] - self.t[low]
        fraction = (t - self.t[low]) / duration
        start, end = self.omega[low], self.omega[low + 1]
        p = interpolate_rotations(self.p[low], self.p[low + 1], start, end, duration, fraction)
        center = None
        if self.center is not None:
            ends = self.center[low], self.center[low + 1]
            center = interpolate_center(*ends, duration[:, None], fraction[:, None])
        return p, start + fraction[:, None] * (end - start), center


def _imbalance(motion: Motion, loads: Sequence[BoundLoad]) -> Imbalance:
    states = _States(motion.t, motion.unit_p, motion.omega, motion.coupled_center)
    with np.errstate(all="ignore"):
        supplied = _integrals(states, loads)
        gained = np.column_stack([motion.kinetic - motion.kinetic[0], motion.h_space - motion.h_space[0]])
        if states.center is not None:
            gained = np.column_stack([gained, motion.momentum - motion.momentum[0]])
        # Relative to what went in and out altogether, so that a load which gives and takes is not judged by the difference.
        totals = np.abs(np.diff(supplied, axis=0)).sum(axis=0)
        scales = np.maximum(np.ptp(gained, axis=0), totals)
        error = np.abs(gained - supplied)
        energy = error[:, 0] / scales[0] if scales[0] > 0.0 else np.zeros(len(error))
        scale = np.linalg.norm(scales[1:4])
        momentum = np.linalg.norm(error[:, 1:4], axis=1) / scale if scale > 0.0 else np.zeros(len(error))
        # Changes that are rounding errors of a motion which nothing changes.
        magnitudes = np.abs(motion.kinetic).max(), np.linalg.norm(motion.h_space, axis=1).max()
        energy[:] = np.where(scales[0] > 1e-6 * magnitudes[0], energy, 0.0)
        momentum[:] = np.where(scale > 1e-6 * magnitudes[1], momentum, 0.0)
        if states.center is not None and (linear_scale := np.linalg.norm(scales[4:])) > 0.0:
            linear_error = np.linalg.norm(error[:, 4:], axis=1) / linear_scale
            is_signal = linear_scale > 1e-6 * np.linalg.norm(motion.momentum, axis=1).max()
            momentum[:] = np.maximum(momentum, linear_error if is_signal else 0.0)
    largest = np.nan_to_num(np.maximum(energy, momentum))
    late = np.flatnonzero(largest > MAX_IMBALANCE)
    time = float(motion.t[late[0]]) if len(late) else 0.0
    return Imbalance(float(np.nan_to_num(energy).max()), float(np.nan_to_num(momentum).max()), time)


def _integrals(states: _States, loads: Sequence[BoundLoad]) -> np.ndarray:
    """Work [J] and angular impulse [N m s, space] of the loads from the first sample to each, (n, 4), and behind them the impulse
    (n, 3) [N s, space] on a center of mass that is part of the state."""

    def densities(t: np.ndarray) -> np.ndarray:
        p, omega, center = states.at(t)
        placed = loads if center is None else [load.at_center(center[:, :3]) for load in loads]
        torque = sum((load.torque(t, p, omega) for load in placed), np.zeros((len(t), 3)))
        power = np.einsum("ni,ni->n", torque, omega)
        if center is None:
            return np.column_stack([power, rotate(p, torque), torque])
        force = sum((load.center_force(t, p) for load in placed), np.zeros((len(t), 3)))
        power += np.einsum("ni,ni->n", force, center[:, 3:])
        return np.column_stack([power, rotate(p, torque), force, torque])

    low, high = states.t[:-1], states.t[1:]
    index, length = np.arange(len(low)), high - low
    start, middle = densities(states.t), densities(0.5 * (low + high))
    end, start = start[1:], start[:-1]
    sums, is_divided, evaluations = np.zeros_like(start), np.zeros(len(low), dtype=bool), 2 * len(low)
    for level in range(_MAX_LEVELS + 1):
        quarter = densities(np.concatenate([low + 0.25 * length, low + 0.75 * length]))
        first, second = quarter[: len(low)], quarter[len(low) :]
        coarse = length[:, None] / 6.0 * (start + 4.0 * middle + end)
        fine = length[:, None] / 12.0 * (start + 4.0 * first + 2.0 * middle + 4.0 * second + end)
        evaluations += 2 * len(low)
        total = np.abs(sums).sum(axis=0) + np.abs(fine).sum(axis=0)
        is_rough = (np.abs(fine - coarse) > _QUADRATURE_TOLERANCE * total / 10.0).any(axis=1)
        is_rough &= level < _MAX_LEVELS and evaluations + 4 * is_rough.sum() < MAX_EVALUATIONS
        np.add.at(sums, index[~is_rough], fine[~is_rough])
        if not is_rough.any():
            break
        is_divided[index[is_rough]] = True
        half = 0.5 * length[is_rough]
        low = np.concatenate([low[is_rough], low[is_rough] + half])
        length, index = np.tile(half, 2), np.tile(index[is_rough], 2)
        start, end = (
            np.concatenate([start[is_rough], middle[is_rough]]),
            np.concatenate([middle[is_rough], end[is_rough]]),
        )
        middle = np.concatenate([first[is_rough], second[is_rough]])
    # Within a short pulse the rate does not change linearly. The work of an impulse is its product with the mean of the rates.
    mean_omega = 0.5 * (states.omega[:-1] + states.omega[1:])
    sums[is_divided, 0] = np.einsum("ni,ni->n", sums[is_divided, -3:], mean_omega[is_divided])
    if states.center is not None:
        mean_velocity = 0.5 * (states.center[:-1, 3:] + states.center[1:, 3:])
        sums[is_divided, 0] += np.einsum("ni,ni->n", sums[is_divided, 4:7], mean_velocity[is_divided])
    return np.concatenate([np.zeros((1, sums.shape[1] - 3)), np.cumsum(sums[:, :-3], axis=0)])
