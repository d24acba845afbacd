"""Times at which a quantity of a lane goes through zero."""

import math
from collections.abc import Callable

import numpy as np

from quatviz.simulation.lane import LaneRun

MAX_TURN = 0.05
"""Turn [rad] of the body from one evaluation to the next within which at most one crossing is expected."""
RATE_MARGIN = 1.5
"""How much faster than at all of its samples the body may turn between them."""
MAX_EVALUATIONS = 2**19
"""Evaluations at steps, at most: of more steps only as many are looked at as `MAX_TURN` asks for."""
EVALUATIONS_AT_ONCE = 2**16
LEFT_LIMIT = 1e-9
"""Part of a sample interval before an event at which a quantity is taken for what led there."""
_BISECTIONS = 40
"""Of the time between two evaluations, in which a crossing is located."""
_MAX_JUMP = 0.5
"""Part of the difference over a bracket that is left when it is bisected, above which the quantity has leapt over zero."""

Evaluate = Callable[[np.ndarray], np.ndarray]
"""From times (n,) [s] to the values (n,) there."""


def find_crossings(lane: LaneRun, evaluate: Evaluate) -> np.ndarray:
    """Return the times (n,) [s], in order, at which a quantity of a lane is zero or changes its sign.

    The quantity is evaluated at each step of the lane, or as often as the body turns by `MAX_TURN` where no steps are made, so that
    crossings do not depend on the sample interval; then each change of sign is bisected. Leaps over zero are none, be it at an
    event or at a branch of an angle.

    Parameters
    ----------
    lane
        The lane.
    evaluate
        Gives the values at any times of the lane.
    """
    times, is_left_limit = _evaluation_times(lane)
    values = np.concatenate(
        [
            evaluate(times[first : first + EVALUATIONS_AT_ONCE])
            for first in range(0, len(times), EVALUATIONS_AT_ONCE)
        ]
    )
    signs = np.sign(values)
    brackets = np.flatnonzero((signs[:-1] * signs[1:] < 0) & ~is_left_limit[:-1])
    roots = times[(values == 0.0) & ~is_left_limit]
    if brackets.size:
        roots = np.concatenate((roots, _bisect(evaluate, times, values, brackets)))
    return np.sort(roots)


def _bisect(evaluate: Evaluate, times: np.ndarray, values: np.ndarray, brackets: np.ndarray) -> np.ndarray:
    """The zeros behind these evaluations (n,), where the values do not leap."""
    start, end, side = times[brackets], times[brackets + 1], np.sign(values[brackets])
    for _ in range(_BISECTIONS):
        middle = 0.5 * (start + end)
        is_before = np.sign(evaluate(middle)) == side
        start, end = np.where(is_before, middle, start), np.where(is_before, end, middle)
    jump = np.abs(evaluate(end) - evaluate(start))
    roots: np.ndarray = 0.5 * (start + end)
    return roots[jump < _MAX_JUMP * np.abs(values[brackets + 1] - values[brackets])]


def _evaluation_times(lane: LaneRun) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) [s] at which to evaluate, and whether each stands for what led to an event."""
    count = _evaluations_per_sample(lane)
    events = np.array([sample for sample in lane.event_samples if sample < lane.samples], dtype=int)
    positions = np.concatenate((np.arange((lane.samples - 1) * count + 1) / count, events - LEFT_LIMIT))
    is_left_limit = np.arange(len(positions)) >= len(positions) - len(events)
    order = np.argsort(positions, kind="stable")
    return positions[order] * lane.interval, is_left_limit[order]


def _evaluations_per_sample(lane: LaneRun) -> int:
    if lane.samples < 2 or lane.formulation.is_recorded:
        return 1
    with np.errstate(all="ignore"):
        rates = np.linalg.norm(lane.motion(0, lane.samples).omega, axis=1)
    rate = float(np.max(rates, where=np.isfinite(rates), initial=0.0))
    by_turn = min(math.ceil(RATE_MARGIN * rate * lane.interval / MAX_TURN), MAX_EVALUATIONS)
    if lane.formulation.has_closed_form:
        return max(by_turn, 1)
    steps = max(
        lane.steps_per_sample if lane.integrator.fixed_step else 0, math.ceil(lane.steps / (lane.samples - 1))
    )
    return max(min(steps, MAX_EVALUATIONS // lane.samples), min(by_turn, steps), 1)
