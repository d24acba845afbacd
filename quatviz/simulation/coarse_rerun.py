"""Second computation of a lane with coarser steps. Its difference from the lane is the basis of the accuracy
verdict."""

import math
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.integrators.base import Integrator, Tolerances
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.rotations import (
    conjugate,
    multiply,
    normalize,
    relative_angle,
    to_rotation_vector,
)
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.load_effects import (
    LoadEffect,
    RefinedStep,
    RefinedSteps,
    effect_errors,
    load_effect,
    steps_to_refine,
)
from quatviz.simulation.schedule import LaneSegment, state_after_events
from quatviz.simulation.stepping import SolverState, advance
from quatviz.simulation.verdict import MAX_ATTITUDE_ERROR

COMPARED_PER_E = 300
"""Number of samples at which the two computations are compared while the time grows by a factor e. They are equally
spaced in the logarithm of time, because two computations may diverge long before the end."""
COMPARED_SAMPLES = 1000
"""Number of samples, equally spaced in time, at which the two computations are compared in addition to
`COMPARED_PER_E`: enough to locate a divergence, and cheap relative to the steps."""
STEP_RATIO = 2
"""Ratio of the step length of the second computation to that of the lane."""
TOLERANCE_RATIO = 100.0
"""Ratio of the tolerances of the second computation to those of the lane, for adaptive methods."""
MAX_TOLERANCE = 1e-2
"""Largest tolerance of the second computation. With a larger one, an adaptive method does not resolve the motion."""
ADAPTIVE_EXPONENT = 0.5
"""Assumed exponent n in error ~ tolerance^n for an adaptive method. Usual exponents are 0.6 to 1, so that the error
is overestimated."""
JUMP_DIVISOR = STEP_RATIO - 1.0
"""Ratio of the difference between the two computations to the error of the lane, once a load has changed abruptly
within a step. The error of such a step is of first order in dt for every method."""
NEGLIGIBLE_EFFECT = 0.1 * MAX_ATTITUDE_ERROR
"""Attitude error [rad] due to abrupt changes of loads below which these changes are neglected. The error of
the lane is then assumed to be of the order of its method."""
_CHECKED_SAMPLES = 1000
"""Number of samples that are searched for jumps of an attitude-dependent torque."""
_ROWS_PER_CALL = 4096
"""Largest number of rows that the second computation keeps in memory at once."""


class Comparison(NamedTuple):
    """Difference between a lane and its second computation at times (n,) [s]: angles (n,) [rad] between the two
    attitudes, and divisors (n,). The estimated error of the lane is angle / divisor."""

    times: np.ndarray
    angles: np.ndarray
    divisors: np.ndarray

    @property
    def estimated_errors(self) -> np.ndarray:
        """Estimated attitude error (n,) of the lane [rad], valid while the two computations are close."""
        return self.angles / self.divisors


class CoarseRerun:
    """Second computation of a lane, made in slices with steps of 2 dt or with larger tolerances.

    The error of a method of order k is C dt^k, so the attitudes of the two computations differ by (2^k - 1) C dt^k
    (Richardson's estimate). The second computation needs an even number of steps of the lane. If a sample interval has
    an odd number, two intervals are computed at once; a single interval before an event is computed with the lane's own
    steps. Fixed steps in which a load changes abruptly are divided into shorter ones, since otherwise both computations
    could skip the same pulse.

    Parameters
    ----------
    lane
        Lane to compare with, which is not modified. It may still grow.
    divides_steps
        False to use the lane's own steps where a load changes abruptly, instead of dividing them. The two
        computations then differ only by the error of the other steps.
    """

    def __init__(self, lane: LaneRun, divides_steps: bool = True) -> None:
        self._lane, self._divides_steps = lane, divides_steps
        self._segment = lane.problem.segment_at(0)
        self._state = tuple(lane.history.rows[0].tolist())
        self._sample = 0
        """Last sample reached."""
        self._pending_steps = 0
        """Number of fixed steps since the last sample reached."""
        self._method: Any = None
        """Data that the kernel of the integrator reads (`Integrator.method`), including the memory of a
        multistep method. At the start and after an event this is None, and the next step creates new data."""
        self._kernel: Any = None
        """Compiled loop over the time steps of the current segment."""
        self._stride = max(round(lane.problem.preset.run.duration / lane.interval) // COMPARED_SAMPLES, 1)
        self._samples: list[np.ndarray] = []
        self._angles: list[np.ndarray] = []
        self._turns: list[np.ndarray] = []
        self._divisors: list[np.ndarray] = []
        self._first_jump, self._searched_samples = math.inf, 0
        """Time [s] of the first jump of an attitude-dependent torque, and the number of samples of the lane at the last
        search for it. After the jump, the error of fixed steps is of first order."""
        self._refined, self._refined_range = RefinedSteps({}), (0, 0)
        """Steps to be divided because a load changes within them, and the range of samples (first, stop) in which they
        were searched for."""
        self.load_effects: list[LoadEffect] = []
        """Errors of the lane's own steps due to abrupt changes of loads, in order of time."""
        self.ended_at: float | None = None
        """Time [s] at which the second computation ended early, or None."""
        self.status = blocks.RUNNING
        """Status of the second computation, as in `physics.kernels.blocks`."""
        self.steps = 0
        """Number of steps made so far."""

    @property
    def is_complete(self) -> bool:
        """True if the last sample of the lane was reached or the computation ended early."""
        return self.ended_at is not None or self._sample >= self._lane.samples - 1

    @property
    def misses_load_changes(self) -> bool:
        """True if the second computation did not resolve every load change within steps. The errors due to unresolved
        changes must then be added from `load_effects`."""
        return any(effect.share < 1.0 or effect.unseen_rate > 0.0 for effect in self.load_effects)

    @property
    def misses_relevant_changes(self) -> bool:
        """True if load changes that the second computation did not resolve may cause a relevant error at the end of the
        lane."""
        end = self._lane.computed_to
        unseen = sum(effect.unseen_rate * (end - effect.time) for effect in self.load_effects)
        return unseen > NEGLIGIBLE_EFFECT or any(effect.share < 1.0 for effect in self.load_effects)

    @property
    def comparison(self) -> Comparison:
        """Comparison of the two computations at the samples reached so far."""
        samples = np.concatenate([np.zeros(0, dtype=int), *self._samples])
        angles = np.concatenate([np.zeros(0), *self._angles])
        divisors = np.concatenate([np.ones(0), *self._divisors])
        return Comparison(samples * self._lane.interval, angles, divisors)

    @property
    def turns(self) -> np.ndarray:
        """Rotation vectors (n, 3) [rad, space] from the attitudes of this computation to those of the lane, at the times of
        `comparison`."""
        return np.concatenate([np.zeros((0, 3)), *self._turns])

    @property
    def meets_attitude_jumps(self) -> bool:
        """True if a torque that depends on the attitude jumps during the lane."""
        return math.isfinite(self._find_first_jump())

    def advance(self, max_steps: int) -> None:
        """Make up to `max_steps` steps, at most to the next event or the end of the lane."""
        last = self._lane.samples - 1
        stop = min([last, *(sample for sample in self._lane.problem.events if sample > self._sample)])
        self._find_refined_steps()
        refined = self._refined
        if self._sample in refined.by_sample:
            self._run_refined(refined.by_sample[self._sample])
        else:
            self._run_coarse(min(stop, refined.next_sample(self._sample)), max_steps)
        if self._sample == stop and self.ended_at is None and stop in self._lane.problem.events:
            self._apply_events(stop)

    def _run_coarse(self, stop: int, max_steps: int) -> None:
        """Compute rows up to the sample `stop`, in up to `max_steps` steps."""
        segment, is_fixed = self._segment, self._segment.integrator.fixed_step
        is_odd = is_fixed and segment.steps_per_sample % STEP_RATIO == 1
        is_single = is_odd and (self._sample % 2 == 1 or stop - self._sample == 1)
        count = 1 if is_single else (stop - self._sample) // (2 if is_odd else 1)
        self._run(
            min(count, _ROWS_PER_CALL),
            max_steps,
            is_coarse=not is_single,
            span=2 if is_odd and not is_single else 1,
        )

    def _find_refined_steps(self) -> None:
        """Find the steps to be divided, unless they are known for the current segment and duration."""
        lane, segment, (first, stop) = self._lane, self._segment, self._refined_range
        if segment.first <= first <= self._sample < stop:
            return
        ends = [other.first for other in lane.problem.segments if other.first > segment.first]
        # An extended run has a longer lane, in the preset of the run as it began.
        duration = max(lane.problem.preset.run.duration, lane.computed_to)
        run_samples = max(lane.samples - 1, round(duration / lane.interval))
        self._refined_range = self._sample, min([run_samples, *ends])
        self._refined = steps_to_refine(segment, lane.interval, duration, *self._refined_range)

    def _run_refined(self, steps: list[RefinedStep]) -> None:
        """Compute the next sample interval with steps of the lane's length. Each of the given `steps` is divided into
        its parts."""
        segment, rows = self._segment, np.empty((1, self._lane.history.all_columns.shape[1]))
        own = segment.with_steps(segment.steps_per_sample, segment.step)
        first = self._sample * segment.steps_per_sample
        if not self._divides_steps:
            steps = []
        made, y, last = 0, self._state, segment.steps_per_sample
        for step in [*steps, None]:
            count = (last if step is None else step.number - first) - made
            if count:
                y = self._run_steps(own, first + made, y, rows, count)
            made += count
            if self.ended_at is not None or step is None:
                break
            entire = self._run_steps(own, first + made, y, rows, 1)
            if self.ended_at is not None:
                break
            refined = segment.with_steps(step.divisions, segment.step / step.divisions)
            followed = self._run_steps(refined, step.number * step.divisions, y, rows, step.divisions)
            made += 1
            if self.ended_at is not None:
                break
            y = followed
            self._record_effect(step, np.array(entire), np.array(y))
        self._method = None
        if self.ended_at is None:
            self._state = y
            self._record(np.array([y]), 1)
            self._sample += 1

    def _run_steps(
        self, segment: LaneSegment, first: int, y: tuple[float, ...], rows: np.ndarray, count: int
    ) -> tuple[float, ...]:
        """Return the state (k,) after `count` steps of a segment, starting from the state `y` (k,) before
        step number `first`. Samples that are reached are written to `rows`."""
        method = segment.integrator.method(self._lane.formulation)
        sample, substeps = divmod(first, segment.steps_per_sample)
        start = SolverState(segment, sample, substeps, y, method, self._kernel)
        result = advance(self._lane.problem, start, rows, count)
        self._kernel = result.state.kernel
        self.steps += result.steps
        if result.status != blocks.RUNNING:
            self.status, self.ended_at = result.status, result.time
        return result.state.y

    def _record_effect(self, step: RefinedStep, entire: np.ndarray, refined: np.ndarray) -> None:
        """Record the error of the lane in one step: the difference between the state `entire` (k,) after the undivided
        step and the state `refined` (k,) after all parts of the step."""
        segment = self._segment
        p, omega = self._lane.formulation.observe(np.stack([entire, refined]), segment.parameters)
        states = (p[0], omega[0]), (p[1], omega[1])
        self.load_effects.append(load_effect(step, segment.config, segment.step, *states))

    def _run(self, count: int, max_steps: int, is_coarse: bool, span: int) -> None:
        """Compute `count` rows, `span` samples apart, in up to `max_steps` steps, and compare them with the
        lane.

        With `is_coarse`, the steps are coarser than those of the lane.
        """
        segment, lane = self._segment, self._lane
        integrator = coarse_integrator(segment.integrator) if is_coarse else segment.integrator
        is_fixed = integrator.fixed_step
        steps_per_row = segment.steps_per_sample * span
        if is_coarse and is_fixed:
            steps_per_row //= STEP_RATIO
        if self._method is None or not is_coarse:
            self._method = integrator.method(lane.formulation)
        elif not is_fixed:  # the run may have been extended since the last call
            self._method = integrator.with_load_changes(self._method)
        rows = np.empty((count, lane.history.all_columns.shape[1]))
        coarse_segment = replace(segment, integrator=integrator).with_steps(
            steps_per_row, span * lane.interval / steps_per_row
        )
        start = SolverState(
            coarse_segment, self._sample // span, self._pending_steps, self._state, self._method, self._kernel
        )
        result = advance(lane.problem, start, rows, max_steps)
        self._kernel = result.state.kernel
        self.steps += result.steps
        self._record(rows[: result.row_count], span)
        self._sample += span * result.row_count
        if result.status != blocks.RUNNING:
            self.status, self.ended_at = result.status, result.time
            return
        self._state, self._pending_steps = result.state.y, result.state.substeps
        if not is_coarse:
            self._method = None

    def _record(self, rows: np.ndarray, span: int) -> None:
        """Compare new rows (n, k), which are `span` samples apart, with the lane at selected samples.

        At a sample with events, the states after the events are compared: see `_apply_events`.
        """
        samples = self._sample + span * np.arange(1, len(rows) + 1)
        before = np.maximum(samples - span, 1)
        chosen = samples // self._stride > before // self._stride
        chosen |= np.floor(COMPARED_PER_E * np.log(samples)) > np.floor(COMPARED_PER_E * np.log(before))
        chosen |= samples <= span
        chosen &= ~np.isin(samples, list(self._lane.problem.events))
        if chosen.any():
            self._compare(rows[chosen, : len(self._state)], samples[chosen], self._segment)

    def _compare(self, rows: np.ndarray, samples: np.ndarray, segment: LaneSegment) -> None:
        lane = self._lane
        with np.errstate(all="ignore"):
            p, _ = lane.formulation.observe(rows, segment.parameters)
            lane_p, _ = lane.formulation.observe(lane.history.rows[samples], segment.parameters)
            angles = relative_angle(lane_p, p)
            self._turns.append(to_rotation_vector(multiply(lane_p, conjugate(p))))
        self._samples.append(samples)
        self._angles.append(angles)
        divisors = np.full(len(samples), error_divisor(segment))
        if segment.integrator.fixed_step:
            times = samples * lane.interval
            has_jumped = effect_errors(self.load_effects, times) > NEGLIGIBLE_EFFECT
            divisors[has_jumped | (times > self._find_first_jump())] = JUMP_DIVISOR
        self._divisors.append(divisors)

    def _find_first_jump(self) -> float:
        """Return the time [s] of the first jump of an attitude-dependent torque. The search is repeated if the lane has
        more samples than in the previous call."""
        if self._searched_samples != self._lane.samples:
            self._searched_samples = self._lane.samples
            self._first_jump = min(self._first_jump, first_attitude_jump(self._lane))
        return self._first_jump

    def _apply_events(self, sample: int) -> None:
        """Apply the events at a sample to the state of the second computation, and compare the state after
        them with the lane."""
        lane = self._lane
        state, self._segment = state_after_events(
            lane.formulation, lane.problem.events[sample], np.array(self._state), self._segment
        )
        self._state, self._method, self._kernel, self._pending_steps = tuple(state.tolist()), None, None, 0
        self._compare(state[None, :], np.array([sample]), self._segment)


def first_attitude_jump(lane: LaneRun) -> float:
    """Return the time [s] of the first jump of an attitude-dependent torque in a lane, or infinity."""
    if all(load.discontinuity_branch(np.eye(1, 4)) is None for load in lane.problem.loads):
        return math.inf
    times = [math.inf]
    samples = np.unique(np.linspace(0, lane.samples - 1, _CHECKED_SAMPLES).astype(int))
    p = normalize(lane.motion_at(samples).p)
    for branch in [load.discontinuity_branch(p) for load in lane.problem.loads]:
        changes = np.zeros(0, dtype=int) if branch is None else np.flatnonzero(np.diff(branch))
        times += (samples[changes[:1]] * lane.interval).tolist()
    return min(times)


def coarse_integrator(integrator: Integrator) -> Integrator:
    """Return a copy of an adaptive method with larger tolerances, or a fixed-step method unchanged."""
    tolerances = integrator.tolerances
    if integrator.fixed_step or tolerances is None:
        return integrator
    ratio = tolerance_ratio(tolerances)
    coarse = copy(integrator)
    coarse.tolerances = Tolerances(tolerances.relative * ratio, tolerances.absolute * ratio)
    return coarse


def tolerance_ratio(tolerances: Tolerances) -> float:
    """Return the ratio of the tolerances of the second computation to those of the lane."""
    return max(min(TOLERANCE_RATIO, MAX_TOLERANCE / tolerances.relative), 2.0)


def error_divisor(segment: LaneSegment) -> float:
    """Return the ratio of the difference of the two computations to the error of the lane."""
    integrator = segment.integrator
    if not integrator.fixed_step and integrator.tolerances is not None:
        return float(tolerance_ratio(integrator.tolerances) ** ADAPTIVE_EXPONENT - 1.0)
    return math.pow(STEP_RATIO, integrator.order) - 1.0
