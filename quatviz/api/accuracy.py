"""How far a lane is off, and why it should not be believed."""

from typing import NamedTuple

import numpy as np

from quatviz.api.reference_propagator import AttitudeStates, ReferencePropagator
from quatviz.base.errors import phrase
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.loads import bind
from quatviz.physics.mechanics.rotations import normalize
from quatviz.simulation.lane import LaneRun

MAX_ATTITUDE_ERROR = 1e-3
"""Error of the attitude [rad] from which a lane is not to be believed: a twentieth of a degree, which no plot of angles shows."""
_NEAR_SINGULARITY = 0.3
"""Distance from a singularity below which it is named as the reason."""


def _make_propagator(config: PhysicalConfig) -> ReferencePropagator:
    return ReferencePropagator(config.body, bind(config.loads, config.body))


def _recorded_states(lane: LaneRun, start: int, stop: int) -> AttitudeStates:
    motion = lane.motion(start, stop)
    return AttitudeStates(np.arange(start, stop) * lane.interval, normalize(motion.p), motion.omega)


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
