"""What follows from a lane beside its samples: where it is between them, how far it is off, and why it should not be believed."""

from typing import NamedTuple

import numpy as np

from quatviz.api.reference_propagator import AttitudeStates, ReferencePropagator
from quatviz.base.errors import InputError, phrase
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import norm, normalize
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.trajectory import concatenate_motions

MAX_ATTITUDE_ERROR = 1e-3
"""Error of the attitude [rad] from which a lane is not to be believed: a twentieth of a degree, which no plot of angles shows."""
_NEAR_SINGULARITY = 0.3
"""Distance from a singularity below which it is named as the reason."""


def _make_propagator(config: PhysicalConfig) -> ReferencePropagator:
    return ReferencePropagator(config.body, bind(config.loads, config.body))


def _recorded_states(lane: LaneRun, start: int, stop: int) -> AttitudeStates:
    motion = lane.motion(start, stop)
    return AttitudeStates(np.arange(start, stop) * lane.interval, normalize(motion.p), motion.omega)


def motion_at_times(lane: LaneRun, times: np.ndarray) -> Motion:
    """The motion of a lane at times (n,) [s]. `InputError` beyond its ends, and for a body with a ring."""
    end = lane.computed_to
    if not ((times >= 0.0) & (times <= end * (1.0 + 1e-12))).all():
        raise InputError(
            "the times of a lane", expected=phrase("times from 0 to {end:g} s", end=end),
            found=phrase("{low:g} to {high:g} s", low=times.min(), high=times.max()) if times.size else "none",
            remedy="choose times within, or run for longer", key="times", topic="scripting#what-a-lane-knows",
        )  # fmt: skip
    if lane.preset.body.ring is not None:
        raise InputError(
            "the times of a lane", expected="a body without a ring", found="a ring, whose place is recorded at samples only",
            remedy="choose a shorter sample_interval", key="times", topic="scripting#what-a-lane-knows",
        )  # fmt: skip
    if not times.size:
        return lane.motion(0, 0)
    parts, order = [], []
    for first, last, config in lane.intervals_between_events:
        inside = np.flatnonzero(
            (times >= first * lane.interval) & ((times < last * lane.interval) | (last == lane.samples - 1))
        )
        if inside.size:
            parts.append(_motion_in_interval(lane, first, last, config, times[inside]))
            order.append(inside)
    return concatenate_motions(parts, np.argsort(np.concatenate(order)))


def _motion_in_interval(
    lane: LaneRun, first: int, last: int, config: PhysicalConfig, times: np.ndarray
) -> Motion:
    """At times of a stretch, the last sample of which is what its event has made of it."""
    low = np.clip(np.floor(times / lane.interval + 1e-9).astype(int), first, max(last - 1, first))
    recorded = lane.motion_at(low)
    start = AttitudeStates(low * lane.interval, normalize(recorded.p), recorded.omega)
    h = np.full(len(low), lane.interval)
    fraction = np.clip(times / lane.interval - low, 0.0, 1.0)
    length = norm(recorded.p)
    propagator, states = _make_propagator(config), start
    has_next_sample = low + 1 < (last + 1 if last == lane.samples - 1 else last)
    for rows, uses_next_sample in ((has_next_sample, True), (~has_next_sample, False)):
        if rows.any():
            next_motion = lane.motion_at(low[rows] + 1) if uses_next_sample else None
            high = (
                None
                if next_motion is None
                else AttitudeStates(start.t[rows] + h[rows], normalize(next_motion.p), next_motion.omega)
            )
            reached = propagator.interpolate(start[rows], high, h[rows], fraction[rows])
            states.p[rows], states.omega[rows] = reached.p, reached.omega
            if next_motion is not None:
                length[rows] += fraction[rows] * (norm(next_motion.p) - length[rows])
    return lane.motion_at_times(times, states.p * length[:, None], states.omega, first)


class ErrorEstimate(NamedTuple):
    """How far the attitude of a lane is off at each sample (n,) [rad], about, and what each sample adds to that (n,) [rad]."""

    errors: np.ndarray
    added: np.ndarray


def estimate_error(lane: LaneRun) -> ErrorEstimate:
    """Of a lane as far as it has come; NaN for a body with a ring."""
    errors, added = np.zeros((2, lane.samples, 6))
    if lane.preset.body.ring is not None:
        errors[:] = added[:] = np.nan
        return ErrorEstimate(errors[:, 0], added[:, 0])
    for first, last, config in lane.intervals_between_events:
        is_last = last == lane.samples - 1
        stop = last + 1 if is_last else last
        propagator, states = _make_propagator(config), _recorded_states(lane, first, stop)
        errors[first:stop], added[first:stop] = propagator.accumulated_errors(states, errors[first])
        if not is_last:
            errors[last] = errors[last - 1]
    return ErrorEstimate(*(np.linalg.norm(components[:, :3], axis=1) for components in (errors, added)))


def accuracy_warning(lane: LaneRun, estimate: ErrorEstimate) -> str:
    """Why a lane that is off by so much should not be believed; empty where it is not."""
    if lane.preset.body.ring is not None:
        return phrase(
            "how far {lane} is off is not known: the place of the ring is recorded at samples only; compare it with a run of half "
            "the dt, {dt:g} s",
            lane=lane.name, dt=0.5 * lane.dt,
        )  # fmt: skip
    worst = float(np.max(estimate.errors, initial=0.0))
    if not worst > MAX_ATTITUDE_ERROR:
        return ""
    if not lane.formulation.yields_motion:
        return phrase("{lane} does not follow the body: its form is shown for comparison", lane=lane.name)
    sample = int(np.argmax(estimate.added))
    error_text = phrase(
        "the attitude of {lane} is off by about {worst:.1e} rad; the most is added at t = {time:.4g} s",
        lane=lane.name, worst=worst, time=sample * lane.interval,
    )  # fmt: skip
    distance = float(np.abs(lane.motion(max(sample - 1, 0), sample + 1).singularity).min())
    if lane.formulation.singularity_title and distance < _NEAR_SINGULARITY:
        return phrase(
            "{off}, near its singularity ({title} = {distance:.2g}); try other coordinates, or a smaller dt than {dt:g} s",
            off=error_text, title=phrase(lane.formulation.singularity_title), distance=distance, dt=lane.dt,
        )  # fmt: skip
    return phrase(
        "{off}; try a smaller dt than {dt:g} s, or a method of higher order", off=error_text, dt=lane.dt
    )
