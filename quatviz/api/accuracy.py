"""What follows from a lane beside its samples: where it is between them, how far it is off, and why it should not be believed."""

from typing import NamedTuple

import numpy as np

from quatviz.api.reference_propagator import Flow, States
from quatviz.base.errors import InputError, phrase
from quatviz.physics.events.base import Setting
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import norm, normalise
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.trajectory import joined

TOLERANCE = 1e-3
"""Error of the attitude [rad] from which a lane is not to be believed: a twentieth of a degree, which no plot of angles shows."""
_NEAR = 0.3
"""Distance from a singularity below which it is named as the reason."""


def _flow_of(setting: Setting) -> Flow:
    return Flow(setting.body, bind(setting.loads, setting.body))


def _states(lane: LaneRun, start: int, stop: int) -> States:
    motion = lane.motion(start, stop)
    return States(np.arange(start, stop) * lane.interval, normalise(motion.p), motion.omega)


def moments(lane: LaneRun, times: np.ndarray) -> Motion:
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
    for first, last, setting in lane.stretches:
        inside = np.flatnonzero(
            (times >= first * lane.interval) & ((times < last * lane.interval) | (last == lane.samples - 1))
        )
        if inside.size:
            parts.append(_within(lane, first, last, setting, times[inside]))
            order.append(inside)
    return joined(parts, np.argsort(np.concatenate(order)))


def _within(lane: LaneRun, first: int, last: int, setting: Setting, times: np.ndarray) -> Motion:
    """At times of a stretch, the last sample of which is what its event has made of it."""
    low = np.clip(np.floor(times / lane.interval + 1e-9).astype(int), first, max(last - 1, first))
    recorded = lane.motion_at(low)
    start = States(low * lane.interval, normalise(recorded.p), recorded.omega)
    h = np.full(len(low), lane.interval)
    share = np.clip(times / lane.interval - low, 0.0, 1.0)
    length = norm(recorded.p)
    flow, found = _flow_of(setting), start
    followed = low + 1 < (last + 1 if last == lane.samples - 1 else last)
    for rows, led in ((followed, True), (~followed, False)):
        if rows.any():
            after = lane.motion_at(low[rows] + 1) if led else None
            high = None if after is None else States(start.t[rows] + h[rows], normalise(after.p), after.omega)
            reached = flow.between(start[rows], high, h[rows], share[rows])
            found.p[rows], found.omega[rows] = reached.p, reached.omega
            if after is not None:
                length[rows] += share[rows] * (norm(after.p) - length[rows])
    return lane.motion_at_times(times, found.p * length[:, None], found.omega, first)


class Estimate(NamedTuple):
    """How far the attitude of a lane is off at each sample (n,) [rad], about, and what each sample adds to that (n,) [rad]."""

    errors: np.ndarray
    added: np.ndarray


def estimate_of(lane: LaneRun) -> Estimate:
    """Of a lane as far as it has come; NaN for a body with a ring."""
    found, added = np.zeros((2, lane.samples, 6))
    if lane.preset.body.ring is not None:
        found[:] = added[:] = np.nan
        return Estimate(found[:, 0], added[:, 0])
    for first, last, setting in lane.stretches:
        ends_here = last == lane.samples - 1
        stop = last + 1 if ends_here else last
        flow, states = _flow_of(setting), _states(lane, first, stop)
        found[first:stop], added[first:stop] = flow.errors(states, found[first])
        if not ends_here:
            found[last] = found[last - 1]
    return Estimate(*(np.linalg.norm(each[:, :3], axis=1) for each in (found, added)))


def doubts_of(lane: LaneRun, estimate: Estimate) -> str:
    """Why a lane that is off by so much should not be believed; empty where it is not."""
    if lane.preset.body.ring is not None:
        return phrase(
            "how far {lane} is off is not known: the place of the ring is recorded at samples only; compare it with a run of half "
            "the dt, {dt:g} s",
            lane=lane.name, dt=0.5 * lane.dt,
        )  # fmt: skip
    worst = float(np.max(estimate.errors, initial=0.0))
    if not worst > TOLERANCE:
        return ""
    if not lane.formulation.yields_motion:
        return phrase("{lane} does not follow the body: its form is shown for comparison", lane=lane.name)
    sample = int(np.argmax(estimate.added))
    off = phrase(
        "the attitude of {lane} is off by about {worst:.1e} rad; the most is added at t = {time:.4g} s",
        lane=lane.name, worst=worst, time=sample * lane.interval,
    )  # fmt: skip
    distance = float(np.abs(lane.motion(max(sample - 1, 0), sample + 1).singularity).min())
    if lane.formulation.singularity_title and distance < _NEAR:
        return phrase(
            "{off}, near its singularity ({title} = {distance:.2g}); try other coordinates, or a smaller dt than {dt:g} s",
            off=off, title=phrase(lane.formulation.singularity_title), distance=distance, dt=lane.dt,
        )  # fmt: skip
    return phrase("{off}; try a smaller dt than {dt:g} s, or a method of higher order", off=off, dt=lane.dt)
