"""Why a lane or a run of a sweep ended early: the sentences, from the state at which it ended."""

import math
from typing import Any

import numpy as np

from quatviz.base.errors import Phrase, phrase
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.formulations import lane_title
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.loads import bind, undefined_value_message
from quatviz.physics.observables.quantities import Motion

FOLLOWED_TURN = 0.3
"""Turn [rad] of a body in one step that a method of fourth order follows."""
SLOW_TURN = 1e-4
"""Turn [rad] in one step below which a body is taken for one at rest."""
GROWTH = 5.0
"""Factor by which the angular velocity must grow, in steps that follow it, to be called the motion's own growth."""
GROWTH_STEPS = 30
"""Number of steps over which it must be seen growing: wrong steps let it grow within a few."""
STEP_MARGIN = 0.5
"""Suggested step over the longest one that the estimated approach to a singularity allows."""


def end_message(lane: str, time: float, reason: str) -> str:
    """The message of a lane that ended at a time [s]; the reason says what to try."""
    return phrase("{lane} ended at t = {time:.6g} s: {reason}", lane=lane, time=time, reason=reason)


def with_lane_title(message: str, lane: str) -> str:
    """The message with the title of the lane in place of its name."""
    if not isinstance(message, Phrase) or "lane" not in message.values:
        return message
    return phrase(message.template, **{**message.values, "lane": lane_title(lane)})


def singularity_reason(
    formulation: Formulation, parameters: Any, dt: float, interval: float, state: np.ndarray, measure: float
) -> str:
    """Describe the singularity that ended a lane of steps of dt [s] in a state (k,), whose singularity `measure` is given.

    A state within the formulation's `threshold` is really singular. One outside of it is too near for steps of this length; if the
    motion passes the singularity at a distance, shorter steps can follow it, and the sentence names their length [s], a divisor
    of the sample `interval` [s].
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
    """Return the step [s] that passes the singularity ahead of a state (k,), 0 where none does; `limit` is what steps of dt [s]
    need."""
    nearest = formulation.closest_approach(state, parameters)
    if not (nearest > formulation.threshold / STEP_MARGIN and math.isfinite(limit)):
        return 0.0
    return interval / math.ceil(interval / (STEP_MARGIN * dt * min(nearest / limit, 1.0)))


def divergence_reason(config: PhysicalConfig, dt: float, time: float, title: str, measure: float) -> str:
    """Describe why numbers became infinite or undefined in the step of dt [s] that ended at a time [s]; `title` and `measure` are
    the formulation's singularity measure at the last sample, "" where it has none."""
    times = [time - dt, time - 0.5 * dt, time]
    if reason := undefined_value_message(bind(config.loads, config.body), times):
        return phrase("{lack}; change the expression, or end the run before", lack=reason)
    return overflow_message(dt, title, measure)


def growth_reason(motion: Motion, dt: float) -> str:
    """Describe a motion that itself grew beyond all bounds, so that shorter steps change nothing; "" where the steps are the cause.

    Parameters
    ----------
    motion
        Samples of the lane up to its end, in order.
    dt
        Step [s] of a method of fourth order or more, which follows turns of up to `FOLLOWED_TURN` in a step.
    """
    with np.errstate(all="ignore"):
        rates = np.linalg.norm(motion.omega, axis=1)
        reference = max(float(rates[0]), SLOW_TURN / dt)
        is_followed = rates * dt < FOLLOWED_TURN
    grown = np.flatnonzero(is_followed & (rates > GROWTH * reference))
    if not len(grown) or motion.t[grown[-1]] - motion.t[grown[0]] < GROWTH_STEPS * dt:
        return ""
    last = grown[-1]
    return phrase(
        "the motion itself grew beyond all bounds: at t = {time:.4g} s it turned with {rate:.3g} rad/s, in steps that are short "
        "enough for that. Check the loads, such as the sign of a gain; a smaller dt only delays the end",
        time=float(motion.t[last]), rate=float(rates[last]),
    )  # fmt: skip


def non_finite_message(term: str, time: float) -> str:
    """Name the term that is no finite number at a time [s]."""
    return phrase(
        "{what} is not a number at t = {time:.6g} s; look there for a division by zero, or a root or logarithm of what is negative",
        what=term, time=time,
    )  # fmt: skip


def overflow_message(dt: float, title: str = "", measure: float = 0.0) -> str:
    """Describe numbers that grew beyond all bounds in steps of dt [s], with the singularity measure where there is one."""
    if not title:
        return phrase("its numbers grew beyond what a computer holds; try a smaller dt than {dt:g} s", dt=dt)
    return phrase(
        "its numbers grew beyond what a computer holds ({title} = {measure:.2g} at its last sample); try a smaller dt than "
        "{dt:g} s",
        title=phrase(title),
        measure=measure,
        dt=dt,
    )
