"""Times at which loads change abruptly: adaptive steps must not step over them, and fixed steps are checked against
them.

A method evaluates a load at the stages of its steps only. A pulse that is shorter than the distance of two stages
can be missed with an error estimate of zero, whatever the tolerance. Since the expressions of time are known, their
features are determined before the run: times of jumps and kinks, at which an adaptive step has to end, and the
longest step that still resolves every peak. Such a jump or kink is called a switch. Fixed steps are not changed;
`short_changes` reports the times at which a load changes too fast for them.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from quatviz.base.expression import ADD, NEGATIVE, NUMBER, SUBTRACT, TIME, Expression, evaluate_instructions
from quatviz.base.expression_intervals import enclose_program
from quatviz.physics.kernels.load_changes import LONGEST, NO_CHANGES, RESUME, START
from quatviz.physics.loads.base import Load, split_by_time_function

STOP, WIDTH, WIDER = 1, 2, 3
"""Columns of the table that `short_changes` returns, in addition to the first column `START` [s]."""
RESOLUTION = 1.0
"""Largest change of an expression's value within the longest allowed step, as a fraction of the range of the value.

With 1, the longest step is two thirds of the full width at half maximum of a Gaussian peak, and a third of a period
of a sine.
"""
QUIET_RATIO = 6.0
"""Ratio of two longest steps, that in the quietest part of the run and that at a given time, above which the table of
`load_changes` limits the step at this time.

A load whose ratio is smaller at all times changes during the whole run. It needs no limit, because the error control
detects its changes.
"""
CUSP_CHANGE = 0.25
"""Change of a value around a switch, as a fraction of its range, below which the switch is a cusp and not a pulse.

At the cusp of sqrt(abs(t)) the rate is unbounded, but the value changes little while the rate is large.
"""
CUSP_REACH = 0.25
"""Distance from a cusp, in steps, within which a step has an error comparable with that of the step that contains the
cusp. Such steps have large errors because the derivatives are unbounded near a cusp, unlike near a kink."""
NEGLIGIBLE_CHANGE = 1e-13
"""Change of a value, as a fraction of its range, that is too small to matter at any tolerance."""
_INITIAL_INTERVALS, _CHILDREN = 16, 4
_SHORTEST_INTERVAL = 1e-9
"""Shortest interval of the bisection, as a fraction of the duration of the run."""
_MAX_INTERVALS = 6000
"""Largest number of intervals into which the run is divided for one expression.

If the features need more intervals, such as those of thousands of periods, the remaining intervals stay longer and
their bounds wider.
"""
_MAX_INTERVALS_AHEAD = 300
"""Largest number of intervals into which the time after the end of the run is divided for one expression."""
_MAX_LEVELS = 60
_MARGIN = 2.0
"""Distance from a switch at which the step before the switch ends and the step after it starts, in rounding
errors of the time. All stages of a step are then on the same side of the switch.
"""
_FAR_AHEAD = 1000.0
"""Length of the time after t = 0 that the table of `load_changes` covers, in durations of the run.

It is larger than 1 since a run may be extended.
"""
_LINEAR = (NUMBER, TIME, NEGATIVE, ADD, SUBTRACT)


class ExpressionFeatures(NamedTuple):
    """Abrupt features of one expression of time.

    Attributes
    ----------
    switches
        Intervals (k, 2) [s], each a few rounding errors long, in which a jump or kink lies.
    edges
        Times (n,) [s] from which the entries of `longest`, `resolved` and `changes` apply, up to the next edge.
    longest
        Longest step (n,) [s] of an adaptive method.
    resolved
        Longest step (n,) [s] that resolves the value. Unlike `longest` it is also limited if the value is never quiet.
    changes
        Change (n,) of the value that limits `resolved`, as a fraction of the range of the value.
    """

    switches: np.ndarray
    edges: np.ndarray
    longest: np.ndarray
    resolved: np.ndarray
    changes: np.ndarray


class _Intervals(NamedTuple):
    """Intervals of time with bounds of the instructions of an expression's program.

    Attributes
    ----------
    start, stop
        Ends (n,) [s] of the intervals.
    lower, upper, steepest
        Bounds (m, n) of the values of the m nonlinear instructions, and their largest rates of change [1/s].
    switches
        Lower and upper bounds (4, k, n) of the arguments of the k switches and of the rates of these arguments. A switch
        argument is a value whose zeros are jumps or kinks of an instruction.
    middle
        Values (m, n) of the instructions in the middle of the intervals.
    """

    start: np.ndarray
    stop: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    steepest: np.ndarray
    switches: np.ndarray
    middle: np.ndarray

    @classmethod
    def measure(cls, program: np.ndarray, start: np.ndarray, stop: np.ndarray) -> Self:
        """Evaluate the program over the intervals from `start` to `stop` [s] and in the middle of each."""
        middle, count = 0.5 * (start + stop), len(start)
        steps = enclose_program(program, np.append(start, middle), np.append(stop, middle))
        values = np.array([step.result for step in steps if step.code not in _LINEAR])
        switches = np.array([step.switch for step in steps if step.switch is not None]).reshape(
            -1, 4, 2 * count
        )
        lower, upper, rate_lower, rate_upper = values.reshape(-1, 4, 2 * count).swapaxes(0, 1)
        steepest = np.maximum(np.abs(rate_lower), np.abs(rate_upper))
        return cls(
            start, stop, lower[:, :count], upper[:, :count], steepest[:, :count],
            switches.swapaxes(0, 1)[..., :count], lower[:, count:],
        )  # fmt: skip

    def select(self, chosen: np.ndarray) -> Self:
        """Return those intervals for which the mask `chosen` (n,) is True."""
        return type(self)(*(array[..., chosen] for array in self))

    def joined(self, other: Self) -> Self:
        """Return the intervals of this object and of `other`."""
        return type(self)(*(np.concatenate(arrays, axis=-1) for arrays in zip(self, other, strict=True)))

    @property
    def value_range(self) -> np.ndarray:
        """Upper bound (m, 1) of max - min of each value over all intervals."""
        return self.upper.max(axis=1, keepdims=True) - self.lower.min(axis=1, keepdims=True)

    @property
    def may_switch(self) -> np.ndarray:
        """Mask (k, n) of intervals in which a switch argument may be zero without being zero throughout."""
        lower, upper = self.switches[:2]
        return (lower <= 0.0) & (upper >= 0.0) & (lower < upper)

    @property
    def is_monotone(self) -> np.ndarray:
        """Mask (k, n) of intervals in which a switch argument is monotone."""
        rate_lower, rate_upper = self.switches[2:]
        return (rate_lower > 0.0) | (rate_upper < 0.0)

    def resolved_steps(self, value_range: np.ndarray) -> np.ndarray:
        """Return the longest step (m, n) [s] within which each value changes by `RESOLUTION` of its range (m, 1)."""
        is_flat = (self.upper - self.lower <= NEGLIGIBLE_CHANGE * value_range) | ~np.isfinite(value_range)
        return np.where(is_flat, np.inf, RESOLUTION * value_range / self.steepest)

    def coarse(self, value_range: np.ndarray) -> np.ndarray:
        """Return a mask (m + k, n) of the intervals that must be divided further for each of the m values and k
        switch arguments."""
        unresolved = ~(self.stop - self.start <= self.resolved_steps(value_range))
        top, bottom = self.middle.max(axis=1, keepdims=True), self.middle.min(axis=1, keepdims=True)
        # Bounds far beyond all evaluated values indicate either a peak between the midpoints or an overestimate.
        excess = np.maximum(self.upper - top, bottom - self.lower)
        unseen = (excess > 0.5 * value_range) | (excess == np.inf)
        return np.concatenate([unresolved | unseen, self.may_switch & ~self.is_monotone])


def load_changes(loads: Iterable[Load], duration: float) -> np.ndarray:
    """Find when `loads` change abruptly in a run of `duration` [s].

    Returns
    -------
    np.ndarray
        Table (n, 3) with the columns `START`, `RESUME` and `LONGEST`, in order of time; `NO_CHANGES` if no load has an
        expression of time with jumps, kinks or narrow peaks.

    Notes
    -----
    Torques that jump with the attitude, such as that of `AttitudeControl`, are not in the table: the attitude changes
    continuously, so that the error control detects the jump. For a load written in Python only its `switch_times` are
    known.
    """
    texts, times = _timed_parts(loads, duration)
    return _build_table(texts, times, float(duration)) if texts or times else NO_CHANGES


def short_changes(loads: Iterable[Load], duration: float, step: float) -> np.ndarray:
    """Find where `loads` change too fast for fixed steps of `step` [s] in a run of `duration` [s].

    Returns
    -------
    np.ndarray
        Table (n, 4) with the columns `START`, `STOP`, `WIDTH` and `WIDER` [s], in order of `START`. In each of these
        intervals a load jumps, has a kink, or changes by its whole range within `WIDTH` < `step`. For a jump or kink
        `WIDTH` and `WIDER` are the smaller and the larger distance to the neighboring jumps or kinks; a distance longer
        than a step is given as infinite. For other changes `WIDTH` and `WIDER` are equal. A cusp has a second row with
        infinite widths, which extends `CUSP_REACH` steps to both sides.
    """
    texts, times = _timed_parts(loads, duration)
    spans = [np.empty((0, 4))]
    for feature in (_features(text, float(duration)) for text in texts):
        starts = np.maximum(feature.edges, 0.0)
        short, cusps = _separate_cusps(feature, np.flatnonzero(feature.resolved[:-1] < step))
        reach = CUSP_REACH * step
        spans.append(
            np.column_stack([cusps[:, 0] - reach, cusps[:, 1] + reach, np.full((len(cusps), 2), np.inf)])
        )
        widths = feature.resolved[short]
        spans.append(np.column_stack([starts[short], starts[short + 1], widths, widths]))
    switches = _switches_of(texts, times, float(duration))
    gaps = np.full(len(switches) + 1, np.inf)
    gaps[1:-1] = switches[1:, 0] - switches[:-1, 1]
    gaps[gaps > step] = np.inf
    distances = np.sort(np.stack([gaps[:-1], gaps[1:]], axis=1), axis=1)
    spans.append(np.column_stack([switches, distances]))
    table = np.concatenate(spans)
    return table[np.argsort(table[:, START], kind="stable")]


def _separate_cusps(feature: ExpressionFeatures, short: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the cusps among the intervals in which a value changes fast.

    Return the indices `short` (n,) of these intervals without those at cusps, and the switches (k, 2) [s] of the
    cusps.
    """
    if not len(short):
        return short, np.empty((0, 2))
    begins = np.flatnonzero(np.diff(short, prepend=-2) > 1)
    totals = np.add.reduceat(feature.changes[short], begins)
    first, last = short[begins], short[np.append(begins[1:], len(short)) - 1]
    margin = _MARGIN * np.spacing(feature.edges[last + 1])
    switches = feature.switches[np.argsort(feature.switches[:, 0])]
    low = np.searchsorted(np.sort(switches[:, 1]), feature.edges[first] - margin)
    high = np.searchsorted(switches[:, 0], feature.edges[last + 1] + margin, "right")
    is_cusp = (high > low) & (totals < CUSP_CHANGE)
    indices = [
        index for start, stop in zip(low[is_cusp], high[is_cusp], strict=True) for index in range(start, stop)
    ]
    cusps = switches[np.unique(np.array(indices, dtype=int))]
    return short[~np.repeat(is_cusp, np.diff(np.append(begins, len(short))))], cusps


def _timed_parts(loads: Iterable[Load], duration: float) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return the expressions of time in the loads as text, and the times [s] of jumps and kinks that the
    loads declare (`Load.switch_times`).
    """
    loads = list(loads)
    parts = (part for load in loads if load.timed for part in split_by_time_function(load))
    texts = sorted({expression.text for _, expression in parts if expression is not None})
    times = sorted({float(time) for load in loads for time in load.switch_times(duration)})
    return tuple(texts), tuple(times)


def _merge_switches(switches: np.ndarray) -> np.ndarray:
    """Return disjoint intervals (k, 2) [s] that cover the given ones, in order of time.

    Each is wider than the rounding errors of the time.
    """
    switches = switches[np.argsort(switches[:, 0])]
    margin = _MARGIN * np.spacing(np.abs(switches))
    spans: list[list[float]] = []
    for low, high in (switches + margin * [-1.0, 1.0]).tolist():
        if spans and low <= spans[-1][1]:
            spans[-1][1] = max(high, spans[-1][1])
        else:
            spans.append([low, high])
    return np.array(spans).reshape(-1, 2)


@lru_cache(maxsize=64)
def _features(text: str, duration: float) -> ExpressionFeatures:
    return expression_features(Expression(text).program, duration)


def _switches_of(texts: tuple[str, ...], times: tuple[float, ...], duration: float) -> np.ndarray:
    """Return disjoint intervals (k, 2) [s] that contain all jumps and kinks: those of the expressions `texts`
    and those at the given `times` [s].
    """
    declared = np.repeat(np.array(times), 2).reshape(-1, 2)
    return _merge_switches(
        np.concatenate([declared, *(_features(text, duration).switches for text in texts)])
    )


@lru_cache(maxsize=64)
def _build_table(texts: tuple[str, ...], times: tuple[float, ...], duration: float) -> np.ndarray:
    """Return the table of `load_changes` for the expressions `texts` and for other jumps and kinks at `times`
    [s].
    """
    features = [_features(text, duration) for text in texts]
    switches = _switches_of(texts, times, duration)
    edges = np.unique(np.concatenate([[-np.inf, *switches[:, 0]], *(feature.edges for feature in features)]))
    longest = np.full(len(edges), np.inf)
    for feature in features:
        index = np.maximum(np.searchsorted(feature.edges, edges, "right") - 1, 0)
        longest = np.minimum(longest, feature.longest[index])
    # Adjacent equal rows are merged. Rounding to powers of two makes many rows equal.
    longest = np.exp2(np.floor(np.log2(longest)))
    is_switch = np.isin(edges, switches[:, 0])
    is_row = is_switch | np.append(True, longest[1:] != longest[:-1])
    table = np.full((int(is_row.sum()), 3), np.nan)
    table[:, START], table[:, LONGEST] = edges[is_row], longest[is_row]
    table[is_switch[is_row], RESUME] = switches[:, 1]
    table.setflags(write=False)
    return table


def expression_features(program: np.ndarray, duration: float) -> ExpressionFeatures:
    """Find the abrupt features of a program of `base.expression` in a run of `duration` [s] and, less precisely, after
    its end.

    The run is divided into intervals until, in each of them, the value of each nonlinear instruction changes by at
    most `RESOLUTION` of its range and each switch argument has at most one zero. Instructions are examined one by
    one for two reasons: a trend may hide a pulse that is added to it, and a pulse may be the product of values of
    which one is never quiet.
    """
    with np.errstate(all="ignore"):
        run = _divide_intervals(program, 0.0, duration, _MAX_INTERVALS)
        ahead = _divide_intervals(program, duration, _FAR_AHEAD * duration, _MAX_INTERVALS_AHEAD)
        value_range = run.value_range
        quiet = np.minimum(_quiet_steps(run, value_range), duration)
        intervals = run.joined(ahead)
        resolved = intervals.resolved_steps(np.maximum(value_range, ahead.value_range))
        longest = np.where(resolved <= quiet / QUIET_RATIO, resolved, np.inf)
        resolved[np.isnan(resolved)] = np.inf
        changes = np.zeros(len(intervals.start))
        if len(resolved):
            fastest = np.argmin(resolved, axis=0)[None, :]
            shares = (intervals.upper - intervals.lower) / np.maximum(value_range, ahead.value_range)
            changes = np.nan_to_num(np.take_along_axis(shares, fastest, axis=0)[0], nan=1.0)
        shortest = _SHORTEST_INTERVAL * duration
        longest, resolved = (
            np.maximum(steps.min(axis=0, initial=np.inf), shortest) for steps in (longest, resolved)
        )
        switches = _find_switches(program, intervals, shortest)
        return ExpressionFeatures(switches, intervals.start, longest, resolved, changes)


def _quiet_steps(intervals: _Intervals, value_range: np.ndarray) -> np.ndarray:
    """Return the longest step (m, 1) [s] that resolves each of m values in the quietest part of the run.

    A step must also resolve the intervals that it extends into: at the top of a sine the rate vanishes, but only
    briefly. A step that starts before an interval may therefore exceed the limit of this interval only by the time
    between its start and the interval.
    """
    ends = np.minimum(intervals.resolved_steps(value_range) + intervals.start, intervals.stop[-1])
    first_ends = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    return (first_ends - intervals.start).max(axis=1, keepdims=True, initial=0.0)


def _divide_intervals(program: np.ndarray, start: float, stop: float, max_intervals: int) -> _Intervals:
    """Divide the time from `start` to `stop` [s] into intervals that are short enough to resolve the features
    in them, and return the intervals in order of time.
    """
    grid = np.linspace(start, stop, _INITIAL_INTERVALS + 1)
    intervals = _Intervals.measure(program, grid[:-1], grid[1:])
    is_exhausted = np.zeros(len(intervals.lower) + intervals.switches.shape[1], dtype=bool)
    for _ in range(_MAX_LEVELS):
        is_long = intervals.stop - intervals.start > _SHORTEST_INTERVAL * (stop - start)
        coarse = intervals.coarse(intervals.value_range) & is_long
        # Frequent features, such as the periods of a fast oscillation, must not use up the intervals for rare ones.
        is_exhausted |= coarse.sum(axis=1) * _CHILDREN > max_intervals
        refined = coarse[~is_exhausted].any(axis=0)
        if not refined.any() or len(refined) + (_CHILDREN - 1) * refined.sum() > 2 * max_intervals:
            break
        parents = intervals.select(refined)
        cuts = np.linspace(parents.start, parents.stop, _CHILDREN + 1)
        children = _Intervals.measure(program, cuts[:-1].ravel(), cuts[1:].ravel())
        intervals = intervals.select(~refined).joined(children)
    return intervals.select(np.argsort(intervals.start))


def _find_switches(program: np.ndarray, intervals: _Intervals, shortest: float) -> np.ndarray:
    """Return the times (k, 2) [s] between which a switch argument crosses zero. Each of the given intervals in which
    it may do so contains one zero."""
    index, interval = np.nonzero(intervals.may_switch)
    if not len(index):
        return np.empty((0, 2))
    low, high = intervals.start[interval], intervals.stop[interval]
    operands = [step.operands for step in enclose_program(program, low[:1], low[:1]) if step.operands]
    minuends = np.array([pair[0] for pair in operands])
    subtrahends = np.array([pair[-1] if len(pair) > 1 else len(program) for pair in operands])

    def values(t: np.ndarray) -> np.ndarray:
        results, rows = np.array([*evaluate_instructions(program, t), np.zeros_like(t)]), np.arange(len(t))
        return results[minuends[index], rows] - results[subtrahends[index], rows]

    at_low, at_high = values(low), values(high)
    is_monotone = intervals.is_monotone[index, interval]
    is_crossed = (at_low * at_high < 0.0) | ((at_low * at_high == 0.0) & is_monotone)
    is_touched = ~is_crossed & ~is_monotone & (high - low <= 2.0 * shortest)
    touched = np.stack([low[is_touched], high[is_touched]], axis=1)
    index, low, high, at_low = (array[is_crossed] for array in (index, low, high, at_low))
    for _ in range(_MAX_LEVELS):
        middle = 0.5 * (low + high)
        if not ((middle > low) & (middle < high)).any():
            break
        at_middle = values(middle)
        is_before = at_low * at_middle > 0.0
        low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
    # If an argument touches zero without a change of sign, only its interval is known, unless it contains another switch.
    has_crossing = ((touched[:, :1] <= low) & (high <= touched[:, 1:])).any(axis=1)
    touched_ends = touched[~has_crossing].reshape(-1, 1)
    return np.concatenate([np.stack([low, high], axis=1), np.repeat(touched_ends, 2, axis=1)])
