"""Explanations of why a lane, or a run of a parameter map, ended early."""

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from quatviz.base.errors import Phrase, join_phrases, phrase
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.formulations import lane_title
from quatviz.physics.formulations._rotors import motor_loads
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.loads import bind, undefined_value_message
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.history import History
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment, run_conserved_quantities
from quatviz.simulation.stepping import (
    RECORDING_ENDED,
    STATUSES,
    SolverState,
    StepResult,
    advance,
    begin,
)

FOLLOWED_TURN = 0.3
"""Largest rotation [rad] per step that a fourth-order method resolves."""
SLOW_TURN = 1e-4
"""Rotation [rad] per step below which a body counts as at rest."""
GROWTH = 5.0
"""Smallest factor of growth of the angular velocity, in steps that resolve the rotation, that is attributed to the
motion and not to the steps."""
GROWTH_STEPS = 30
"""Smallest number of steps over which the angular velocity must grow. With steps that are too long, numbers
overflow within a few steps."""
GROWTH_SAMPLES = 200
"""Number of samples at which the growth of the angular velocity is examined, first and last included."""
STEP_MARGIN = 0.5
"""Ratio of the suggested step to the longest step with which the motion is predicted to pass the singularity."""

OVERFLOW_LIMIT = 1e100
"""Magnitude above which a number counts as overflowing. Infinite or undefined numbers soon follow."""


class EndedLane(Protocol):
    """Interface that `early_end` requires of a lane that ended early."""

    name: str
    problem: Problem
    history: History

    @property
    def samples(self) -> int: ...

    @property
    def computed_to(self) -> float: ...

    def motion_at(self, samples: np.ndarray) -> Motion: ...

    def singularity_measure(self, state: np.ndarray, segment: LaneSegment) -> float: ...


def early_end(lane: EndedLane, result: StepResult) -> tuple[float, str]:
    """Return the time [s] at which a lane ended early, and the message that explains why. `result` is the result of the
    last block of steps."""
    if result.status == RECORDING_ENDED:
        time = lane.computed_to
        return time, phrase(
            "{lane} ends at t = {time:.6g} s, the last time of the recording", lane=lane.name, time=time
        )
    problem, segment = lane.problem, result.state.segment

    def growth() -> str:
        if lane.samples < 2 or not can_tell_growth(problem, segment):
            return ""
        motion = lane.motion_at(growth_samples(lane.samples))
        return growth_reason(motion.t, motion.omega, segment.dt)

    def measure(state: np.ndarray) -> float:
        return lane.singularity_measure(state, segment)

    last = result.state._replace(y=tuple(lane.history.rows[-1].tolist()), substeps=0)
    reason = end_reason(problem, last, result.status, np.array(result.state.y), result.time, measure, growth)
    return result.time, end_message(lane.name, result.time, reason)


def end_reason(
    problem: Problem,
    last: SolverState,
    status: int,
    state: np.ndarray,
    time: float,
    measure: Callable[[np.ndarray], float],
    growth: Callable[[], str],
) -> str:
    """Explain why a lane ended early, and what to try.

    Parameters
    ----------
    problem
        Problem of the lane.
    last
        Solver state at the last recorded sample.
    status, state, time
        Status of the block, state (k,) and time [s] at the end of the lane.
    measure
        Function that returns the singularity measure of a state.
    growth
        Function that explains unbounded growth of the motion itself, or returns "".
    """
    segment, formulation = last.segment, problem.formulation
    if STATUSES[status] == "singular":
        return singularity_reason(
            formulation, segment.parameters, segment.step, problem.interval, state, measure(state)
        )
    if problem.has_user_code(segment) and (reason := _non_finite_reason(problem, last, state, time)):
        return reason
    if STATUSES[status] == "step_failed":
        return segment.integrator.explain_failure()
    if reason := growth():
        return reason
    title = formulation.singularity_title
    return divergence_reason(
        segment.config, segment.dt, time, title, measure(np.array(last.y)) if title else 0.0
    )


def end_message(lane: str, time: float, reason: str) -> str:
    """Return the message for a lane that ended early at `time` [s]. `reason` explains why and includes the
    remedy."""
    return phrase("{lane} ended at t = {time:.6g} s: {reason}", lane=lane, time=time, reason=reason)


def with_lane_title(message: str, lane: str) -> str:
    """Return a message with the title of the lane instead of its name."""
    if not isinstance(message, Phrase) or "lane" not in message.values:
        return message
    return phrase(message.template, **{**message.values, "lane": lane_title(lane)})


def singularity_reason(
    formulation: Formulation, parameters: Any, dt: float, interval: float, state: np.ndarray, measure: float
) -> str:
    """Explain the singularity that ended a lane.

    A state is singular if its measure is below the formulation's `threshold`. Any other state that ended a lane is too
    near to the singularity for steps of length `dt`. If the predicted motion passes the singularity at a sufficient
    distance, the explanation suggests a shorter step that divides the sample interval.

    Parameters
    ----------
    formulation, parameters
        Formulation and its parameters.
    dt, interval
        Time step and sample interval [s].
    state, measure
        State (k,) at the end and its singularity measure.
    """
    limit = formulation.singularity_limit(state, parameters, dt)
    if not formulation.threshold < abs(measure) <= limit:
        return formulation.explain_singularity(state, measure)
    return formulation.explain_step_limit(
        state, measure, passing_step(formulation, parameters, dt, interval, state, limit)
    )


def passing_step(
    formulation: Formulation, parameters: Any, dt: float, interval: float, state: np.ndarray, limit: float
) -> float:
    """Return a step [s] that is short enough for the motion to pass the singularity ahead of `state` (k,); 0 if no such
    step exists."""
    nearest = formulation.closest_approach(state, parameters)
    if not (nearest > formulation.threshold / STEP_MARGIN and math.isfinite(limit)):
        return 0.0
    return interval / math.ceil(interval / (STEP_MARGIN * dt * min(nearest / limit, 1.0)))


def divergence_reason(config: PhysicalConfig, dt: float, time: float, title: str, measure: float) -> str:
    """Explain why numbers became infinite or undefined in the step of `dt` [s] that ended at `time` [s].

    `title` and `measure` are the name and value of the formulation's singularity measure at the last sample;
    `title` is "" if there is none.
    """
    times = [time - dt, time - 0.5 * dt, time]
    loads = bind([*config.loads, *motor_loads(config.body)], config.body)
    if reason := undefined_value_message(loads, times):
        return phrase("{reason}; correct the expression, or end the run earlier", reason=reason)
    return overflow_message(dt, title, measure)


def can_tell_growth(problem: Problem, segment: LaneSegment) -> bool:
    """Return True if unbounded growth can be attributed to the motion itself. This requires loads that may
    add energy, and fixed steps of order 4 or more, which resolve the growth."""
    integrator = segment.integrator
    follows = integrator.fixed_step and integrator.order >= 4
    return follows and "energy_drift" not in run_conserved_quantities(problem.preset, problem.spec)


def growth_samples(count: int) -> np.ndarray:
    """Return evenly spaced indices (m,) among the first `count` samples, at which `growth_reason` examines the angular
    velocity."""
    return np.unique(np.linspace(0, count - 1, GROWTH_SAMPLES).astype(int))


def growth_reason(times: np.ndarray, omega: np.ndarray, dt: float) -> str:
    """Explain that the motion itself grew without bound, so that shorter steps do not help. Return "" if it did
    not.

    Parameters
    ----------
    times
        Times (n,) [s] of samples up to the end, in order.
    omega
        Angular velocity (n, 3) [rad/s, body] at these times.
    dt
        Step [s] of a method of at least fourth order, which resolves rotations of up to `FOLLOWED_TURN` per step.
    """
    with np.errstate(all="ignore"):
        rates = np.linalg.norm(omega, axis=1)
        reference = max(float(rates[0]), SLOW_TURN / dt)
        is_followed = rates * dt < FOLLOWED_TURN
    grown = np.flatnonzero(is_followed & (rates > GROWTH * reference))
    if not len(grown) or times[grown[-1]] - times[grown[0]] < GROWTH_STEPS * dt:
        return ""
    last = grown[-1]
    return phrase(
        "the motion itself grew without bound: at t = {time:.4g} s the body rotated at {rate:.3g} rad/s, which the steps still "
        "resolved. Check the loads, such as the sign of a gain; a smaller dt only delays the end",
        time=float(times[last]), rate=float(rates[last]),
    )  # fmt: skip


def non_finite_message(term: str, time: float) -> str:
    """Return the message that says that `term` is not finite at `time` [s]."""
    return phrase(
        "{term} is not a number at t = {time:.6g} s; check for a division by zero, or a root or logarithm of a negative number",
        term=term, time=time,
    )  # fmt: skip


def overflow_message(dt: float, title: str = "", measure: float = 0.0) -> str:
    """Return the message that numbers overflowed in steps of `dt` [s]. It includes the singularity measure if
    `title` is given."""
    if not title:
        return phrase(
            "the numbers of the lane became too large to represent. Try a smaller dt than {dt:g} s", dt=dt
        )
    return phrase(
        "the numbers of the lane became too large to represent ({title} = {measure:.2g} at its last sample). Try a smaller dt than "
        "{dt:g} s",
        title=phrase(title),
        measure=measure,
        dt=dt,
    )


def _non_finite_reason(problem: Problem, last: SolverState, state: np.ndarray, time: float) -> str:
    """Return the message that names the first non-finite term and its time, or "" if all rates are finite.

    The terms are evaluated in a classical Runge-Kutta step from `state` (k,) or, if that is not finite, from
    the last finite state.
    """
    segment = last.segment
    if not np.isfinite(state).all():
        time, state = _last_finite(problem, last)
    rate = np.zeros_like(state)
    for fraction in (0.0, 0.5, 0.5, 1.0):
        t, stage_state = time + fraction * segment.step, state + fraction * segment.step * rate
        if not np.abs(stage_state).max() < OVERFLOW_LIMIT:
            return ""
        rate = np.array(blocks.derivative(segment.parameters, t, tuple(stage_state.tolist()))[0])
        if not np.isfinite(rate).all():
            return non_finite_message(_non_finite_term(problem, segment, t, stage_state, rate), t)
    return ""


def _last_finite(problem: Problem, last: SolverState) -> tuple[float, np.ndarray]:
    """Return time [s] and state (k,) after the last step with finite numbers; for adaptive steps, those of the last
    sample."""
    segment, time, state = last.segment, last.sample * problem.interval, np.array(last.y)
    if not segment.integrator.fixed_step:
        return time, state
    low, high = 0, segment.steps_per_sample
    row = np.empty((1, len(last.y) + len(segment.integrator.records)))
    while high - low > 1:
        middle = (low + high) // 2
        start = begin(problem, segment, last.sample, np.array(last.y))
        reached = np.array(advance(problem, start, row, middle).state.y)
        if np.isfinite(reached).all():
            low, state = middle, reached
        else:
            high = middle
    return time + low * segment.step, state


def _non_finite_term(
    problem: Problem, segment: LaneSegment, t: float, state: np.ndarray, rate: np.ndarray
) -> str:
    """Name the term that has no finite value: the torque of a load, or the rates of the formulation. `rate`
    (k,) is the derivative of `state` (k,) at t [s]."""
    config, formulation = segment.config, problem.formulation
    p, omega = formulation.observe(state[None], segment.parameters)
    for load in bind(config.loads, config.body):
        if not np.isfinite(load.torque(np.array([t]), normalize(p), omega)).all():
            return phrase("the torque of the load {load}", load=phrase(load.name.replace("_", " ")))
    names = [
        name
        for name, rate_component in zip(formulation.component_names, rate, strict=True)
        if not np.isfinite(rate_component)
    ]
    return phrase(
        "the time derivative of {names} computed by {form}",
        names=join_phrases(names),
        form=formulation.titled_id,
    )
