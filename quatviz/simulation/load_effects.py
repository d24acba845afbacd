"""Fixed steps in which a load changes abruptly: detection, subdivision, and the error that they cause."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels.load_changes import START
from quatviz.physics.loads import STOP, WIDER, WIDTH, bind, short_changes
from quatviz.physics.mechanics.rotations import conjugate, multiply, normalize, rotate, to_rotation_vector
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment, fitting_step
from quatviz.simulation.verdict import MAX_ATTITUDE_ERROR

DIVISIONS = 16
"""Number of equal parts into which a step is divided to resolve the change of a load within it. If the change is
shorter than the step, the change is divided into this number of parts. The impulse of a pulse is then accurate to a few
percent."""
MAX_DIVISIONS = 1024
"""Largest number of parts into which a step is divided. For shorter pulses, which would need more parts, only
a bound of their impulse is computed."""
MIN_PARTS = 4
"""Smallest number of parts of a divided step that must lie within a change of a load. With fewer parts, the
change counts as not resolved: see `RefinedStep.unseen`."""
MAX_REFINED_STEPS = 500
"""Largest number of divided steps per segment. If more steps contain load changes, half of this number are
the steps with the largest changes of the torque and the other half are chosen at random. Neither rare pulses
nor frequent changes are then missed."""
BOUND_POINTS = 9
"""Number of times at which the torque of a pulse is evaluated to bound its impulse, if the pulse is too short
to be resolved."""
TIME_TOLERANCE = 1e-9
"""Tolerance for rounding errors, as a fraction of a step. A change that is nearer than this to the end of a
step is assigned to the next step too."""

STEPS_PER_WIDTH = 2
"""Number of steps per duration of a load change, for the step length that a message proposes."""
_GENERAL_P = normalize(np.array([0.6, 0.5, -0.4, 0.3]))
_NEVER_SAMPLE = 2**53


class RefinedStep(NamedTuple):
    """A step in which a load changes abruptly, and which is divided into equal parts. `number` is the number
    of the step from the start of the lane, `divisions` the number of parts."""

    number: int
    divisions: int
    width: float
    """Duration [s] of the change; infinite for a single jump or kink."""
    time: float
    """Time [s] of the fastest change within the step."""
    has_switch: bool
    """True if one of the changes is a jump or kink."""
    rows: np.ndarray
    """Load changes that overlap the step: rows (n, 4) of the table returned by `short_changes`."""
    unseen: np.ndarray
    """Subset (m, 4) of `rows`: the changes that are too short to be resolved by the parts of the step."""
    share: float
    """Probability with which this step was chosen to be divided; 1 for a step that is always divided."""


@dataclass(frozen=True, eq=False)
class RefinedSteps:
    """Steps to be divided in a range of samples, grouped by the last sample before each step."""

    by_sample: dict[int, list[RefinedStep]]

    @cached_property
    def sorted_samples(self) -> list[int]:
        """Samples that are followed by divided steps, in ascending order."""
        return sorted(self.by_sample)

    def next_sample(self, sample: int) -> int:
        """Return the first sample after `sample` with divided steps, or a sample that no run reaches."""
        samples = self.sorted_samples
        index = bisect_right(samples, sample)
        return samples[index] if index < len(samples) else _NEVER_SAMPLE


class _StepRows(NamedTuple):
    """Pairs of a step and a load change that overlaps it: step numbers (n,) in ascending order, and load
    changes (n, 4), rows of the table returned by `short_changes`."""

    numbers: np.ndarray
    rows: np.ndarray


class LoadEffect(NamedTuple):
    """Error that one step of the lane makes because a load changes within the step."""

    time: float
    """Time [s] of the fastest change within the step."""
    width: float
    """Duration [s] of the change; infinite for a single jump or kink."""
    has_switch: bool
    """True if the load has a jump or kink."""
    dt: float
    """Length of the step [s]."""
    turn: np.ndarray
    """Error (3,) of the attitude after the step, as rotation vector [rad, space]."""
    rate: np.ndarray
    """Error (3,) of the angular velocity after the step [rad/s, space]."""
    unseen_rate: float
    """Bound [rad/s] of the additional error of the angular velocity due to changes that are too short to be
    resolved."""
    share: float
    """Probability with which this step was chosen to be examined; 1 for a step that is always examined."""


def steps_to_refine(
    segment: LaneSegment, interval: float, duration: float, first: int, stop: int
) -> RefinedSteps:
    """Return the steps between the samples `first` and `stop` of a segment in which its loads change abruptly.

    Parameters
    ----------
    segment
        Segment of a lane. The result is empty for adaptive methods, because they do not step over changes.
    interval
        Sample interval [s].
    duration
        Duration of the run [s].
    first, stop
        Sample numbers.
    """
    loads, step, per_sample = segment.config.loads, segment.step, segment.steps_per_sample
    if not segment.integrator.fixed_step or not loads:
        return RefinedSteps({})
    table = short_changes(loads, duration, step)
    met = _rows_by_step(table, step, first * per_sample, stop * per_sample)
    changed, begins = np.unique(met.numbers, return_index=True)
    shares = _choose_steps(segment, met, begins)
    by_sample: dict[int, list[RefinedStep]] = {}
    ends = np.append(begins[1:], len(met.numbers))
    for index in np.flatnonzero(shares).tolist():
        rows = met.rows[begins[index] : ends[index]]
        refined = _refined_step(int(changed[index]), rows, step, float(shares[index]))
        by_sample.setdefault(refined.number // per_sample, []).append(refined)
    return RefinedSteps(by_sample)


def _rows_by_step(table: np.ndarray, step: float, first: int, stop: int) -> _StepRows:
    """Assign load changes to the steps that they overlap. The changes are the rows (m, 4) of `table`, which
    `short_changes` returned. The steps have the length `step` [s] and the numbers `first` to `stop` - 1."""
    low = np.maximum(np.floor(table[:, START] / step - TIME_TOLERANCE), first)
    high = np.minimum(np.floor(table[:, STOP] / step + TIME_TOLERANCE), stop - 1)
    counts = np.maximum(high - low + 1, 0).astype(int)
    spans = np.repeat(np.arange(len(table)), counts)
    numbers = np.arange(len(spans)) - np.repeat(np.cumsum(counts) - counts, counts) + low[spans].astype(int)
    order = np.argsort(numbers, kind="stable")
    return _StepRows(numbers[order], table[spans[order]])


def _choose_steps(segment: LaneSegment, met: _StepRows, begins: np.ndarray) -> np.ndarray:
    """Choose the steps to divide. Return `RefinedStep.share` for each step with load changes (n,): the
    probability with which it was chosen, or 0 if it is not divided. The rows of the k-th step begin at the
    index `begins[k]` of `met`."""
    count = len(begins)
    if count <= MAX_REFINED_STEPS:
        return np.ones(count)
    half = MAX_REFINED_STEPS // 2
    order = np.argsort(
        -np.maximum.reduceat(_acceleration_changes(segment.config, met.rows), begins), kind="stable"
    )
    shares = np.zeros(count)
    shares[order[:half]] = 1.0
    chosen = np.random.default_rng(0).choice(order[half:], half, replace=False)
    shares[chosen] = half / (count - half)
    return shares


def _acceleration_changes(config: PhysicalConfig, rows: np.ndarray) -> np.ndarray:
    """Estimate by how much each load change alters the angular acceleration (n,) [rad/s^2], at a general
    attitude and angular velocity. The load changes are `rows` (n, 4) of `short_changes`."""
    margins = np.where(np.isfinite(rows[:, WIDTH]), 0.25 * rows[:, WIDTH], 0.0)
    times = np.stack([rows[:, START] - margins, rows[:, [START, STOP]].mean(axis=1), rows[:, STOP] + margins])
    with np.errstate(all="ignore"):
        states = np.tile(_GENERAL_P, (times.size, 1)), np.ones((times.size, 3))
        torque = _total_torque(config, times.ravel(), *states)
        accelerations = np.linalg.solve(config.body.inertia, torque.T).T.reshape(3, -1, 3)
        changes: np.ndarray = np.nan_to_num(np.linalg.norm(np.ptp(accelerations, axis=0), axis=1))
    return changes


def _total_torque(config: PhysicalConfig, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Return the torque (n, 3) [N m, body] of all loads at times (n,) [s], p (n, 4) and omega (n, 3) [rad/s, body]."""
    loads = bind(config.loads, config.body)
    return sum((load.torque(t, p, omega) for load in loads), np.zeros((len(t), 3)))


def short_change_remark(problem: Problem) -> str:
    """Describe a load that changes within fixed steps of a lane by so much that the lane becomes inaccurate; return
    "" otherwise.

    This is a prediction without a run. A computed lane is judged by the errors of its steps.
    """
    interval, duration = problem.interval, problem.preset.run.duration
    starts = [segment.first * interval for segment in problem.segments]
    for segment, start, stop in zip(problem.segments, starts, [*starts[1:], duration], strict=True):
        if not segment.integrator.fixed_step or not segment.config.loads:
            continue
        rows = short_changes(segment.config.loads, duration, segment.step)
        rows = rows[(rows[:, STOP] >= start) & (rows[:, START] < stop) & np.isfinite(rows[:, WIDTH])]
        errors = _acceleration_changes(segment.config, rows) * rows[:, WIDTH] * (duration - rows[:, START])
        rows = rows[errors > MAX_ATTITUDE_ERROR]
        if len(rows):
            shortest = rows[np.argmin(rows[:, WIDTH])]
            return phrase(
                "{lane}: a load changes within {width:.1g} s at t = {time:.4g} s, which is shorter than the step, {dt:g} s, so "
                "that its result may be wrong. Try dt ≤ {step:g} s, or an adaptive method such as {method}",
                lane=problem.name, width=shortest[WIDTH], time=shortest[[START, STOP]].mean(), dt=segment.dt,
                step=fitting_step(shortest[WIDTH] / STEPS_PER_WIDTH, interval), method=INTEGRATORS["dop853"].display_name(),
            )  # fmt: skip
    return ""


def _refined_step(number: int, rows: np.ndarray, step: float, share: float) -> RefinedStep:
    """Return the division of a step that resolves load changes. The step has the number `number` and the length `step`
    [s]; the load changes are the rows (n, 4) of `short_changes` that overlap it."""
    shortest = MIN_PARTS * step / MAX_DIVISIONS
    is_unseen = rows[:, WIDTH] < shortest
    widths = np.where(is_unseen, rows[:, WIDER], rows[:, WIDTH])
    widths[widths < shortest] = np.inf
    quickest = int(np.argmin(widths))
    divisions = 2 ** math.ceil(math.log2(DIVISIONS * max(step / widths[quickest], 1.0)))
    if is_unseen.any():
        divisions = MAX_DIVISIONS
    start = number * step
    time = float(np.clip(rows[quickest, [START, STOP]].mean(), start, start + step))
    if time - start < TIME_TOLERANCE * step:
        time = start
    has_switch = (rows[:, STOP] - rows[:, START] < TIME_TOLERANCE * step) | np.isinf(rows[:, WIDTH])
    return RefinedStep(
        number, min(divisions, MAX_DIVISIONS), float(widths[quickest]), time,
        bool(has_switch.any()), rows, rows[is_unseen], share,
    )  # fmt: skip


def load_effect(
    step: RefinedStep,
    config: PhysicalConfig,
    dt: float,
    entire: tuple[np.ndarray, np.ndarray],
    refined: tuple[np.ndarray, np.ndarray],
) -> LoadEffect:
    """Return the error of a step: the difference between the states after the whole step and after its parts.

    Parameters
    ----------
    step
        The step that was computed in both ways.
    config
        Body and loads.
    dt
        Length of the step [s].
    entire, refined
        Euler parameters (4,) and angular velocity (3,) [rad/s, body] after the step, and after its parts.
    """
    with np.errstate(all="ignore"):
        whole_p, p = normalize(entire[0]), normalize(refined[0])
        turn = to_rotation_vector(multiply(whole_p, conjugate(p)))
        rate = rotate(whole_p, entire[1]) - rotate(p, refined[1])
        unseen_rate, width = 0.0, step.width
        for start, stop, unseen_width, _ in step.unseen.tolist():
            t = np.linspace(start - unseen_width, stop + unseen_width, BOUND_POINTS)
            states = np.tile(p, (BOUND_POINTS, 1)), np.tile(refined[1], (BOUND_POINTS, 1))
            torque = _total_torque(config, t, *states)
            largest = np.linalg.norm(np.linalg.solve(config.body.inertia, torque.T), axis=0).max()
            unseen_rate += float(largest) * (stop - start + unseen_width)
        is_hidden = math.isinf(width) and not step.has_switch
        if len(step.unseen) and (is_hidden or unseen_rate > np.linalg.norm(rate)):
            width = float(step.unseen[:, WIDTH].min())
    return LoadEffect(
        step.time, width, step.has_switch, dt, np.nan_to_num(turn, nan=math.pi), np.nan_to_num(rate, nan=math.pi / dt),
        unseen_rate, step.share,
    )  # fmt: skip


def effect_errors(effects: Sequence[LoadEffect], times: np.ndarray) -> np.ndarray:
    """Estimate the attitude error (n,) [rad] at times (n,) [s] that all `effects` cause together.

    The estimate neglects gyroscopic torque: attitude errors stay constant, and rate errors stay constant in space.
    Errors of different steps add up as vectors, so that errors due to an oscillating load may cancel.
    """
    errors = np.zeros(len(times))
    if not effects:
        return errors
    starts = np.array([effect.time for effect in effects])
    turns = np.cumsum([effect.turn / effect.share for effect in effects], axis=0)
    rates = np.cumsum([effect.rate / effect.share for effect in effects], axis=0)
    offsets = np.cumsum([effect.rate / effect.share * effect.time for effect in effects], axis=0)
    unseen = np.array([effect.unseen_rate / effect.share for effect in effects])
    unseen_rates, unseen_offsets = np.cumsum(unseen), np.cumsum(unseen * starts)
    index = np.searchsorted(starts, times, "left") - 1
    known = index >= 0
    last, t = index[known], times[known]
    vectors = turns[last] + rates[last] * t[:, None] - offsets[last]
    errors[known] = np.linalg.norm(vectors, axis=1) + unseen_rates[last] * t - unseen_offsets[last]
    return np.minimum(errors, math.pi)


def largest_effect(effects: Sequence[LoadEffect], time: float) -> LoadEffect | None:
    """Return the effect that contributes most to the attitude error at `time` [s], or None if no effect
    precedes it."""
    earlier = [effect for effect in effects if effect.time < time]
    if not earlier:
        return None
    return max(
        earlier,
        key=lambda effect: float(
            np.linalg.norm(effect.turn + effect.rate * (time - effect.time))
            + effect.unseen_rate * (time - effect.time)
        ),
    )
