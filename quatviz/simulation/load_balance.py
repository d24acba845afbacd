"""Check of a lane against its loads: work against energy, and angular impulse against angular momentum.

The check is used for loads whose changes in time are unknown before the run, such as Python functions of the user.
An integrator may skip a pulse between the stages of its steps. Neither its error estimate nor a comparison of lanes
detects this.
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
"""Largest number of samples checked between two events. More would be slow, since torques of user loads are
computed in Python."""
MAX_EVALUATIONS = 20_000
"""Largest number of torque evaluations between two events."""
MAX_IMBALANCE = 0.1
"""Largest accepted imbalance, relative to the work or angular impulse. For short pulses, integrals over
interpolated states are accurate to a few percent only."""
MAX_TURN = 0.5
"""Largest rotation between rows [rad], for accurate interpolation of the attitude."""
ADAPTIVE_STEP_REMEDY = phrase(
    "Try an integrator with fixed steps and a dt shorter than the pulse of the load"
)
"""Remedy in the message about a lane that does not follow its loads, for adaptive methods."""
FIXED_STEP_REMEDY = phrase("Try a dt shorter than the pulse of the load")
"""Remedy in the message about a lane that does not follow its loads, for methods with fixed steps."""
_QUADRATURE_TOLERANCE = 1e-3
"""Relative error of the integrals of work and impulse below which time intervals are not divided further."""
_MAX_LEVELS = 12


class BalancedLane(Protocol):
    """Interface of a lane that this check requires."""

    @property
    def intervals_between_events(self) -> Sequence[tuple[int, int, PhysicalConfig]]: ...

    @property
    def event_samples(self) -> tuple[int, ...]: ...

    def motion_at(self, samples: np.ndarray) -> Motion: ...

    def motion_within(self, first: int, stop: int, rows_per_sample: int) -> Motion: ...


class Imbalance(NamedTuple):
    """Relative imbalances of energy and of momentum: differences between the effect of the loads and the change in the
    motion of a lane. `time` [s] is the time from which the larger one exceeds `MAX_IMBALANCE`."""

    energy: float
    momentum: float
    time: float

    @property
    def largest(self) -> float:
        return max(self.energy, self.momentum)


def has_unknown_changes(loads: Sequence[Load]) -> bool:
    """Return True if a load may change in time in a way that its parameters do not describe."""
    known = set(LOADS.values())
    return any(type(load) not in known or not type(load).__module__.startswith("quatviz.") for load in loads)


def energy_balance_error(lane: BalancedLane) -> Imbalance:
    """Compare the work and the angular impulse of the loads with the changes of energy and angular momentum of a lane.

    Parameters
    ----------
    lane
        A lane with at least two samples. Intervals in which the body has a ring or rotors, whose momentum is
        not J omega alone, are skipped.

    Returns
    -------
    Imbalance
        The largest imbalance in any interval between two events.

    Notes
    -----
    Three balances are checked in space: T(t) - T(0) is the integral of n.omega + f.c', A h - A0 h0 is the integral
    of A n, and m c' - m c0' is the integral of the force f on the center of mass. The translation is included only
    if it is coupled to the rotation. The momenta are needed because a skipped pulse does no work on a body at rest.
    The integrals are computed by Simpson's rule over interpolated states. Intervals are halved where the torque
    changes quickly.
    """
    worst = Imbalance(0.0, 0.0, 0.0)
    for first, last, config in lane.intervals_between_events:
        # A sample with events contains the state after them.
        stop = last if last in lane.event_samples else last + 1
        if stop - first < 2 or config.body.has_inner_motion:
            continue
        motion = _followed_motion(lane, first, stop)
        if motion is None:
            continue
        current = _imbalance(motion, bind(config.loads, config.body))
        worst = max(worst, current, key=lambda imbalance: imbalance.largest)
    return worst


def _followed_motion(lane: BalancedLane, first: int, stop: int) -> Motion | None:
    """Return the motion from sample `first` to `stop` - 1 in rows between which the body rotates little. Rows
    between samples are computed if needed. Return None if too many rows would be needed."""
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
    """Return the phrase (without the name of the lane) that explains that the lane does not follow its loads and is
    therefore not accurate."""
    return phrase(
        "the change of {quantity} differs by {share:.0f} % from the effect of the loads; a step may have skipped a pulse",
        quantity=phrase("energy" if imbalance.energy >= imbalance.momentum else "momentum"),
        share=100.0 * min(imbalance.largest, 1.0),
    )


class _States(NamedTuple):
    """Motion between the recorded rows. The attitude is a cubic on the rotation group through the attitudes
    and rates at the two neighboring rows; the rates are interpolated linearly."""

    t: np.ndarray
    p: np.ndarray
    omega: np.ndarray
    center: np.ndarray | None
    """Position and velocity (n, 6) of the center of mass if they are part of the state, or None."""

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return unit Euler parameters (n, 4), rates (n, 3) [rad/s, body] and the center of mass (n, 6) at times (n,) [s]."""
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
        # Relative to the total variation, so that a load that adds and removes energy is not judged by the net change.
        totals = np.abs(np.diff(supplied, axis=0)).sum(axis=0)
        scales = np.maximum(np.ptp(gained, axis=0), totals)
        error = np.abs(gained - supplied)
        energy = error[:, 0] / scales[0] if scales[0] > 0.0 else np.zeros(len(error))
        scale = np.linalg.norm(scales[1:4])
        momentum = np.linalg.norm(error[:, 1:4], axis=1) / scale if scale > 0.0 else np.zeros(len(error))
        # Ignore changes that are rounding errors of a free motion.
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
    """Return work [J] and angular impulse [N m s, space] of the loads from the first sample to each sample, as
    rows (n, 4). If the center of mass is part of the state, three more columns contain the impulse [N s, space]
    on it."""

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
    # Within a short pulse the rate is not linear. The work of an impulse is its product with the mean of both rates.
    mean_omega = 0.5 * (states.omega[:-1] + states.omega[1:])
    sums[is_divided, 0] = np.einsum("ni,ni->n", sums[is_divided, -3:], mean_omega[is_divided])
    if states.center is not None:
        mean_velocity = 0.5 * (states.center[:-1, 3:] + states.center[1:, 3:])
        sums[is_divided, 0] += np.einsum("ni,ni->n", sums[is_divided, 4:7], mean_velocity[is_divided])
    return np.concatenate([np.zeros((1, sums.shape[1] - 3)), np.cumsum(sums[:, :-3], axis=0)])
