"""Zeros, extrema, slope and period of a quantity of a lane as a function of time.

All are computed from the dense output of the lane, so that they do not depend on its sample interval.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from quatviz.base.cancellation import raise_if_cancelled
from quatviz.physics.observables.settling import last_rows_outside
from quatviz.simulation.lane import LaneRun

MAX_TURN = 0.05
"""Largest rotation [rad] of the body between two evaluations of a curve.

It is so small that a curve crosses zero at most once in between.
"""
RATE_MARGIN = 1.5
"""Safety factor by which the largest angular rate at the samples is multiplied, since the rate may be larger
between samples.
"""
MAX_EVALUATIONS = 2**19
"""Largest number of integration steps at which a curve is evaluated step by step.

A lane with more steps is evaluated only as often as `MAX_TURN` requires.
"""
EVALUATIONS_AT_ONCE = 2**16
LEFT_LIMIT = 1e-9
"""Distance from an event at which a curve is evaluated to obtain its value before the event, as a fraction of the
sample interval.
"""
_BISECTIONS = 40
"""Number of bisections that locate a zero in the interval between two evaluations."""
_MAX_JUMP = 0.5
"""Limit for the detection of jumps over zero. Bisection shrinks an interval that contains a change of sign. If the
difference of the values at its ends remains above this fraction of the initial difference, the curve jumps and has no
zero there.
"""
MIN_PROMINENCE = 1e-6
"""Smallest prominence of an extremum, relative to the range of the values."""
_PROMINENCE_WINDOW = 20_001
"""Length [evaluations] of the window in which the prominence of an extremum is determined. Without this
limit, the computing time would grow with the square of the number of evaluations."""
ROUNDING = 1e-12
"""Largest range of the values, relative to their magnitude, of a quantity that counts as constant."""
DERIVATIVE_STEP, MAX_DERIVATIVE_TURN = 1.0, 0.0125
"""`DERIVATIVE_STEP` is the distance between the five values from which a derivative is computed, in
evaluation intervals. `MAX_DERIVATIVE_TURN` limits this distance to a rotation of the body [rad].
"""
_STENCIL = np.arange(-2.0, 3.0)
"""Positions of the five values from which a derivative is computed, relative to the middle value and in units
of their distance.
"""
_TO_COEFFICIENTS = np.linalg.inv(np.vander(_STENCIL, increasing=True))
"""Matrix (5, 5) that converts the values at `_STENCIL` to polynomial coefficients, constant term first."""
MAX_PERIOD_DEVIATION = 1e-3
"""Largest deviation of the duration of a repetition from the mean period, relative to the mean, for which a
curve counts as periodic.
"""
MAX_CROSSINGS_PER_PERIOD = 6
"""Largest number of upward crossings of the middle value in one period."""

Evaluate = Callable[[np.ndarray], np.ndarray]
"""Function that returns the values (n,) at times (n,) [s]."""


class SampledCurve(NamedTuple):
    """A quantity of a lane, sampled so densely that no crossing and no extremum is missed."""

    evaluate: Evaluate
    """Function that returns the values (n,) of the curve at times (n,) [s] of the lane."""
    times: np.ndarray
    """Times (n,) [s] of the values."""
    is_left_limit: np.ndarray
    """Mask (n,) that is True for each time just before an event."""
    values: np.ndarray
    """Values (n,)."""


def sample_curve(lane: LaneRun, evaluate: Evaluate) -> SampledCurve:
    """Return a quantity of a lane at times that do not depend on its sample interval.

    The times are the integration steps or, for lanes without steps, spaced so that the body turns by at most `MAX_TURN`.

    Parameters
    ----------
    lane
        Lane to examine.
    evaluate
        Function that returns the values at any times of the lane.
    """
    times, is_left_limit = _evaluation_times(lane)
    return SampledCurve(evaluate, times, is_left_limit, _evaluate_in_parts(evaluate, times))


def find_crossings(curve: SampledCurve) -> np.ndarray:
    """Return the sorted times (n,) [s] at which a curve is zero or changes its sign.

    Each change of sign is located by bisection. Jumps over zero, at an event or at the branch cut of an angle, are
    not crossings.
    """
    evaluate, times, is_left_limit, values = curve
    signs = np.sign(values)
    brackets = np.flatnonzero((signs[:-1] * signs[1:] < 0) & ~is_left_limit[:-1])
    roots = times[(values == 0.0) & ~is_left_limit]
    if brackets.size:
        crossing_times = _bisect(
            evaluate, times[brackets], times[brackets + 1], values[brackets], values[brackets + 1]
        )
        roots = np.concatenate((roots, crossing_times))
    return np.sort(roots)


def find_extrema(lane: LaneRun, curve: SampledCurve) -> np.ndarray:
    """Return the sorted times (n,) [s] of the local maxima and minima of a curve of a lane.

    These are the zeros of its derivative. Extrema whose prominence is below `MIN_PROMINENCE` times the range of the
    values are ignored as rounding errors. The ends of the lane, events and branch cuts of angles are no extrema.
    """
    from scipy.signal import find_peaks  # it takes 70 MB, and as long as a third of a start

    evaluate, times, _, values = curve
    finite_values = values[np.isfinite(values)]
    swing = float(np.ptp(finite_values)) if finite_values.size else 0.0
    if swing <= ROUNDING * float(np.max(np.abs(finite_values), initial=0.0)):
        return np.empty(0)
    extrema = []
    for sign in (1.0, -1.0):
        _, properties = find_peaks(
            sign * values, prominence=MIN_PROMINENCE * swing, plateau_size=1, wlen=_PROMINENCE_WINDOW
        )
        start, end = times[properties["left_edges"] - 1], times[properties["right_edges"] + 1]
        slopes = derivative(lane, evaluate, np.stack([start, end]))
        (rising_then_falling,) = np.nonzero((sign * slopes[0] > 0.0) & (sign * slopes[1] < 0.0))
        start, end, slopes = (
            start[rising_then_falling],
            end[rising_then_falling],
            slopes[:, rising_then_falling],
        )
        extrema.append(_bisect(lambda at: derivative(lane, evaluate, at), start, end, slopes[0], slopes[1]))
    return np.sort(np.concatenate(extrema))


def derivative(lane: LaneRun, evaluate: Evaluate, times: np.ndarray) -> np.ndarray:
    """Return the rate of change [unit/s] of a quantity of a lane, with the shape of `times`.

    The rate is the derivative of a fourth-degree polynomial through five values of the dense output. The distance
    of the values is a step of the lane, or less if the body turns fast. All five values are within the lane and on
    the same side of every event. At the time of an event the rate is that after the event.

    Parameters
    ----------
    lane
        Lane to examine.
    evaluate
        Function that returns the values at any times of the lane.
    times
        Times [s] within the lane.
    """
    shape, times = np.shape(times), np.ravel(np.asarray(times, dtype=float))
    step = _derivative_step(lane)
    limits = np.unique([0.0, *(sample * lane.interval for sample in lane.event_samples), lane.computed_to])
    number = np.clip(np.searchsorted(limits, times, "right"), 1, max(len(limits) - 1, 1))
    low, high = limits[number - 1], limits[np.minimum(number, len(limits) - 1)]
    high = np.where(high < lane.computed_to, high - LEFT_LIMIT * lane.interval, high)
    centers = np.clip(times, low + 2.0 * step, np.maximum(high - 2.0 * step, low + 2.0 * step))
    nodes = np.minimum(centers[:, None] + step * _STENCIL, lane.computed_to)
    coefficients = _evaluate_in_parts(evaluate, nodes.ravel()).reshape(-1, 5) @ _TO_COEFFICIENTS.T
    offsets = (times - centers)[:, None] / step
    powers = np.arange(1, 5)
    rates: np.ndarray = (powers * coefficients[:, 1:] * offsets ** (powers - 1)).sum(axis=1) / step
    return rates.reshape(shape)


class MeasuredPeriod(NamedTuple):
    """Period of a curve, as measured in a lane."""

    period: float
    """Mean duration of all repetitions [s]."""
    deviation: float
    """Largest deviation of the duration of a repetition from the mean [s]."""
    cycles: float
    """Duration of the lane [periods]."""


def find_period(lane: LaneRun, curve: SampledCurve) -> MeasuredPeriod | None:
    """Return the period of a curve of a lane, or None if it does not repeat within `MAX_PERIOD_DEVIATION`.

    A period may contain several crossings of the middle of the range of values. The function looks for the smallest
    number of crossings, up to `MAX_CROSSINGS_PER_PERIOD`, that always take the same time; this time is the period.
    Upward and downward crossings are examined separately.
    """
    values = curve.values[np.isfinite(curve.values)]
    if not values.size or np.ptp(values) <= ROUNDING * np.max(np.abs(values)):
        return None
    middle = 0.5 * float(np.min(values) + np.max(values))

    def from_middle(times: np.ndarray) -> np.ndarray:
        return curve.evaluate(times) - middle

    times = find_crossings(curve._replace(evaluate=from_middle, values=curve.values - middle))
    is_rising = derivative(lane, curve.evaluate, times) > 0.0
    rises, falls = times[is_rising], times[~is_rising]
    for count in range(1, MAX_CROSSINGS_PER_PERIOD + 1):
        periods = np.concatenate((rises[count:] - rises[:-count], falls[count:] - falls[:-count]))
        if len(periods) < 2:
            return None
        mean = float(np.mean(periods))
        deviation = float(np.max(np.abs(periods - mean)))
        if deviation <= MAX_PERIOD_DEVIATION * mean:
            return MeasuredPeriod(mean, deviation, lane.computed_to / mean)
    return None


def find_settling_time(curve: SampledCurve, limit: float) -> float:
    """Return the time [s] from which a curve finally stays at or below a limit, or NaN if it does not.

    The time is 0 if the curve never exceeds the limit. If the curve jumps below the limit at an event, it is the time of
    the event.
    """
    row = int(last_rows_outside(curve.values[:, None], np.array([limit]))[0])
    if not np.isfinite(curve.values).all() or row == len(curve.values) - 1:
        return math.nan
    if row < 0:
        return 0.0
    bracket = slice(row, row + 2)
    crossings = find_crossings(
        SampledCurve(
            lambda times: curve.evaluate(times) - limit,
            curve.times[bracket],
            curve.is_left_limit[bracket],
            curve.values[bracket] - limit,
        )
    )
    return float(crossings[-1] if len(crossings) else curve.times[row + 1])


def _derivative_step(lane: LaneRun) -> float:
    """Return the spacing [s] of the finite differences that approximate a derivative.

    It is one evaluation interval of the lane, or less if the body turns fast or the lane is short.
    """
    step, rate = DERIVATIVE_STEP * lane.interval / _evaluations_per_sample(lane), _max_rate(lane)
    if rate > 0.0:
        step = min(step, MAX_DERIVATIVE_TURN / rate)
    return min(step, 0.2 * lane.computed_to)


def _evaluate_in_parts(evaluate: Evaluate, times: np.ndarray) -> np.ndarray:
    """Return the values (n,) of a function at times (n,) [s]. The computation can be cancelled after each
    `EVALUATIONS_AT_ONCE` times."""
    parts = [np.empty(0)]
    for first in range(0, len(times), EVALUATIONS_AT_ONCE):
        raise_if_cancelled()
        parts.append(evaluate(times[first : first + EVALUATIONS_AT_ONCE]))
    return np.concatenate(parts)


def _bisect(
    evaluate: Evaluate,
    start: np.ndarray,
    end: np.ndarray,
    start_values: np.ndarray,
    end_values: np.ndarray,
) -> np.ndarray:
    """Return the time [s] of the zero in each interval from `start` to `end`, at whose ends the values have
    opposite signs. Intervals in which the values jump over zero are left out."""
    side = np.sign(start_values)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (start + end)
        is_before = np.sign(evaluate(middle)) == side
        start, end = np.where(is_before, middle, start), np.where(is_before, end, middle)
    jump = np.abs(evaluate(end) - evaluate(start))
    roots: np.ndarray = 0.5 * (start + end)
    return roots[jump < _MAX_JUMP * np.abs(end_values - start_values)]


def _evaluation_times(lane: LaneRun) -> tuple[np.ndarray, np.ndarray]:
    """Return the times (n,) [s] at which a lane is evaluated, and a mask (n,) that is True for each time just
    before an event."""
    count = _evaluations_per_sample(lane)
    events = np.array([sample for sample in lane.event_samples if sample < lane.samples], dtype=int)
    positions = np.concatenate((np.arange((lane.samples - 1) * count + 1) / count, events - LEFT_LIMIT))
    is_left_limit = np.arange(len(positions)) >= len(positions) - len(events)
    order = np.argsort(positions, kind="stable")
    return positions[order] * lane.interval, is_left_limit[order]


def _evaluations_per_sample(lane: LaneRun) -> int:
    if lane.samples < 2 or lane.formulation.is_recorded:
        return 1
    by_turn = min(math.ceil(RATE_MARGIN * _max_rate(lane) * lane.interval / MAX_TURN), MAX_EVALUATIONS)
    if lane.formulation.has_closed_form:
        return max(by_turn, 1)
    steps = max(
        lane.solver.segment.steps_per_sample if lane.solver.segment.integrator.fixed_step else 0,
        math.ceil(lane.solver.steps / (lane.samples - 1)),
    )
    return max(min(steps, MAX_EVALUATIONS // lane.samples), min(by_turn, steps), 1)


def _max_rate(lane: LaneRun) -> float:
    """Return the largest angular rate [rad/s] of the body at the samples of a lane."""
    with np.errstate(all="ignore"):
        rates = np.linalg.norm(lane.motion(0, lane.samples).omega, axis=1)
    return float(np.max(rates, where=np.isfinite(rates), initial=0.0))
