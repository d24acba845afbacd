"""Accuracy of lanes. A single function, `accuracy_verdict`, serves the window, the command line, scripts and figures.

An integrated lane is computed again with steps twice as long (`coarse_rerun`), at half the cost of the lane. If loads
have jumps or kinks within steps, a third computation may separate the errors of these steps from those of all other
steps. In addition, |p| = 1 must hold, the energy must be constant if no load changes it, and the angular momentum must
be constant if no load acts. Attitudes and rates of a recording must agree. Closed forms are not checked.
"""

import math
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property

import numpy as np

from quatviz.base.errors import PLUGIN_EXCEPTIONS, describe_exception, phrase
from quatviz.files.preset import time_of_sample
from quatviz.physics.exact import solution_classes
from quatviz.physics.exact.base import ExactProblem
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels import blocks
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.observables.plausibility import invariant_violation
from quatviz.simulation.coarse_rerun import (
    STEP_RATIO,
    CoarseRerun,
    Comparison,
    error_divisor,
)
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.lane_settings import applicable_settings
from quatviz.simulation.load_balance import (
    ADAPTIVE_STEP_REMEDY,
    FIXED_STEP_REMEDY,
    MAX_IMBALANCE,
    Imbalance,
    energy_balance_error,
    has_unknown_changes,
    imbalance_reason,
)
from quatviz.simulation.load_effects import STEPS_PER_WIDTH, LoadEffect, effect_errors, largest_effect
from quatviz.simulation.recording_check import check_recording
from quatviz.simulation.schedule import LaneSegment, fitting_step, run_conserved_quantities
from quatviz.simulation.simulation import Progress, ignore_progress
from quatviz.simulation.verdict import MAX_ATTITUDE_ERROR, AccuracyVerdict

MAX_DISAGREEMENT = math.pi / 3.0
"""Angle [rad] between the lane and its second computation above which their difference is no estimate of the error."""
MAX_SEPARATED_ANGLE = 0.1
"""Largest angle [rad] between the lane and its second computations for which differences of attitudes are
combined by adding and subtracting rotation vectors."""
LEAST_EFFECT = 0.1
"""Lower bound of the error due to load changes, as a fraction of the estimated error. The actual error may be smaller
than the estimate, because the motion rotates errors of single steps and other errors may cancel part of them."""
MIN_EXPONENTIAL_ORDER = 6.0
"""Exponent k above which an error that grows like t^k is judged to grow exponentially. Accumulated errors of
regular motions grow like t to t^4, also in coordinates that amplify errors. Errors of unstable motions grow
faster than t^8 before they reach order one."""
NEAR_SINGULARITY = 0.3
"""Singularity measure below which the message names the singularity as the cause of an error."""
SLOW_TURN = 0.3
"""Rotation [rad] per step below which the steps resolve the rotation. If the steps are nevertheless too long,
the equations are stiff."""
MAX_STIFF_FAILURE_STEPS = 1000
"""Number of steps below which a difference between a lane and its second computation indicates stiff equations, if the
steps resolve the rotation. Accumulated errors need more steps to become large."""
CHECKED_SAMPLES = 200
"""Number of samples at which invariants are checked, first and last included."""
USUAL_EXPONENT = 0.8
"""Exponent n in error ~ tolerance^n of usual adaptive methods, from which proposed tolerances are computed."""
FINEST_TOLERANCE = 1e-13
"""Smallest proposed relative tolerance. Rounding errors limit the accuracy of adaptive methods below it."""
SAFETY_FACTOR = 0.5
"""Error that is expected with a proposed step or tolerance, as a fraction of `MAX_ATTITUDE_ERROR`."""
BLAMED_SHARE = 0.5
"""Error due to the change of a load within a step, as a fraction of `MAX_ATTITUDE_ERROR`, above which the message
names this change as the cause."""
GROWTH_WINDOWS = (0.5, 0.7, 0.8)
"""Lengths of the time windows in which the growth of an error is judged, as fractions of the time until the two
computations disagree. Every window ends at that time."""
MIN_GROWTH_POINTS = 12
"""Smallest number of compared samples needed to detect exponential growth of an error."""
MIN_DETERMINATION = 0.9
"""Smallest coefficient of determination of a linear fit to the logarithm of an error with which the growth of the error
counts as exponential. An error with a single jump has 0.75."""
CHEAP_SECONDS = 1.0
"""Processor time [s] of a lane with user code below which the window computes the lane again to check its accuracy."""
SLICE_TIME = 0.004
"""Processor time of a slice of a check [s]. Commands take effect between slices."""
FIRST_SLICE_STEPS, MAX_SLICE_STEPS = 2_000, 40_000
"""Numbers of steps in a slice of a check: for a lane of unknown cost, and the largest for any lane."""


class AccuracyCheck:
    """Accuracy check of one lane, computed in slices. `verdict` is available when the check is complete."""

    def __init__(self, lane: LaneRun) -> None:
        self._lane = lane
        self._rerun: CoarseRerun | None = None
        self._smooth_rerun: CoarseRerun | None = None
        """Further rerun that uses the lane's own steps wherever a load changes abruptly. Errors due to load changes
        then cancel in the difference from the lane. None if they need not be separated."""
        self._samples = 0
        """Number of samples that the verdict covers."""
        self._failure = ""
        self._lock = threading.Lock()
        self.latest: AccuracyVerdict | None = None
        """Most recent verdict. It covers only the samples that the lane had when the verdict was made."""

    @property
    def verdict(self) -> AccuracyVerdict | None:
        """Verdict on all current samples of the lane, or None before it is known."""
        return self.latest if self._samples == self._lane.samples else None

    def advance(self, max_steps: int) -> bool:
        """Make up to `max_steps` steps of the second computation. Return True if more remains to be done."""
        with self._lock:
            if self.verdict is not None:
                return False
            samples = self._lane.samples
            if self._has_steps_to_make:
                with self._catch_user_errors():
                    self._rerun = self._rerun or CoarseRerun(self._lane)
                    rerun = self._smooth_rerun if self._rerun.is_complete else self._rerun
                    assert rerun is not None
                    rerun.advance(max_steps)
                return True
            with np.errstate(all="ignore"), self._catch_user_errors():
                if self._begins_smooth_rerun():
                    return True
            with np.errstate(all="ignore"), self._catch_user_errors():
                self.latest = self._judge()
            if self._failure:
                self.latest = self._unknown_verdict()
            self._samples = samples
            return False

    @property
    def _has_steps_to_make(self) -> bool:
        lane = self._lane
        is_stepped = not lane.formulation.has_closed_form and lane.formulation.yields_motion
        if not (lane.alive and is_stepped and lane.samples > 1) or self._failure:
            return False
        reruns = self._rerun, self._smooth_rerun
        return self._rerun is None or any(rerun is not None and not rerun.is_complete for rerun in reruns)

    def _begins_smooth_rerun(self) -> bool:
        """Begin the computation `_smooth_rerun` if the verdict depends on it. Return True if this call has
        begun it."""
        if self._failure or not self._lane.alive or self._rerun is None or self._smooth_rerun is not None:
            return False
        if not StepJudgment(self._lane, self._rerun).depends_on_smooth_errors:
            return False
        self._smooth_rerun = CoarseRerun(self._lane, divides_steps=False)
        return True

    @contextmanager
    def _catch_user_errors(self) -> Iterator[None]:
        """Catch an exception raised by user code and store its message. The accuracy of the lane is then
        unknown."""
        try:
            yield
        except PLUGIN_EXCEPTIONS as error:
            if not self._lane.problem.contains_user_code:
                raise
            self._failure = describe_exception(error, self._lane.problem.outside_modules)

    def _unknown_verdict(self) -> AccuracyVerdict:
        reason = phrase(
            "the lane could not be computed a second time for comparison: {reason}", reason=self._failure
        )
        return AccuracyVerdict(self._lane.name, False, 0.0, reason=reason)

    def _judge(self) -> AccuracyVerdict:
        lane = self._lane
        recorded = check_recording(lane.formulation, lane.computed_to)
        if recorded.mismatch:
            remedy = phrase("Correct the units or the frame of the recording's columns")
            return AccuracyVerdict(lane.name, False, 0.0, reason=recorded.mismatch, remedy=remedy)
        if not lane.alive:  # the part before the end has not been compared
            return AccuracyVerdict(
                lane.name, False, math.nan, end_message=lane.message, remark=recorded.remark
            )
        if not lane.formulation.yields_motion:
            reason = phrase("does not follow the body: its equations are shown for comparison")
            return AccuracyVerdict(lane.name, False, 0.0, reason=reason, is_about_equations=True)
        if self._rerun is None:
            return AccuracyVerdict(lane.name, True, lane.computed_to, remark=recorded.remark)
        return StepJudgment(lane, self._rerun, self._smooth_rerun).verdict()


class StepJudgment:
    """Judgment of the accuracy of a complete lane, from its second computation and its invariants."""

    def __init__(self, lane: LaneRun, rerun: CoarseRerun, smooth_rerun: CoarseRerun | None = None) -> None:
        self._lane, self._rerun, self._smooth_rerun = lane, rerun, smooth_rerun
        self._comparison = rerun.comparison
        times, errors = estimated_errors(self._comparison)
        if rerun.ended_at is not None:
            times = np.append(times, [min(rerun.ended_at, lane.computed_to), lane.computed_to])
            errors = np.append(errors, [math.pi, math.pi])
        self._times, self._step_errors = times, errors
        samples = np.unique(np.linspace(0, lane.samples - 1, CHECKED_SAMPLES).astype(int))
        self._motion = lane.motion_at(samples)
        self._conserved = run_conserved_quantities(lane.problem.preset, lane.spec)
        self._violation = invariant_violation(self._motion, "energy_drift" in self._conserved)
        self._imbalance = self._find_imbalance()
        self._load_errors = effect_errors(rerun.load_effects, times)
        errors = self._step_errors = self._separated(self._with_load_errors(errors))
        self._errors = np.maximum(errors, self._momentum_errors()) if len(times) else errors
        self._until = self._find_accurate_until()

    def verdict(self) -> AccuracyVerdict:
        """Return the verdict on the lane."""
        lane = self._lane
        if self._until is None:
            return AccuracyVerdict(lane.name, True, lane.computed_to, self._times, self._errors)
        separation_time = None if self._nears_singularity else exponential_growth(self._comparison)
        reason, remedy = self._explain(separation_time)
        return AccuracyVerdict(
            lane.name, False, self._until, self._times, self._errors,
            reason=reason, remedy=remedy, separation_time=separation_time,
        )  # fmt: skip

    def _with_load_errors(self, errors: np.ndarray) -> np.ndarray:
        """Return estimated errors (n,) [rad] that include at least the errors due to changes of loads within steps.

        Let E be the error due to changes of loads, and S the error of all other steps, of order k. The error of the
        lane is E + S, and the two computations differ by D = E - (2^k - 1) S. E and S may have opposite directions,
        so that S is up to (D + E)/(2^k - 1). The estimate of E neglects later amplification by the motion and is
        therefore limited to 2 D. Methods of first order are the exception: for them D = E - S may always vanish.

        An unstable motion may amplify E far beyond its estimate. If E was a relevant part of D at any earlier time, all of
        D may be due to it.
        """
        divisor = error_divisor(self._lane.problem.segments[0])
        differences = np.full(len(errors), math.pi)
        angles = self._comparison.angles
        differences[: len(angles)] = np.minimum(np.nan_to_num(angles, nan=math.pi), math.pi)
        differences = np.maximum(differences, errors)
        effects = np.minimum(self._load_errors, 2.0 * differences) if divisor > 1.0 else self._load_errors
        smooth = (differences + effects) / divisor
        has_effects = self._load_errors > 0.0
        was_relevant = np.maximum.accumulate(has_effects & (self._load_errors * divisor > differences))
        errors = np.where(has_effects, np.maximum(errors, effects + smooth), errors)
        errors = np.where(was_relevant, np.maximum(errors, differences), errors)
        if self._rerun.misses_load_changes:
            errors = np.maximum(errors, self._load_errors)
        return np.minimum(errors, math.pi)

    @property
    def depends_on_smooth_errors(self) -> bool:
        """True if the computation `_smooth_rerun` is needed, because it may show that the lane is accurate for longer
        than estimated so far.

        Where a load has changed within a step, the estimate takes the full difference of the two computations as the
        error of the lane. A lower bound is the larger of two numbers: the difference divided by the usual divisor, and
        the fraction `LEAST_EFFECT` of the errors due to load changes. No additional computation is needed if the lane
        becomes inaccurate at the same time by the estimate and by the lower bound.
        """
        rerun, divisor = self._rerun, error_divisor(self._lane.problem.segments[0])
        is_certain = rerun.ended_at is not None or not rerun.load_effects or rerun.misses_relevant_changes
        if is_certain or rerun.meets_attitude_jumps:
            return False
        least = np.maximum(LEAST_EFFECT * self._load_errors, self._comparison.angles / divisor)
        return _accurate_count(self._step_errors) < _accurate_count(least)

    def _separated(self, errors: np.ndarray) -> np.ndarray:
        """Return the errors (n,) [rad] of the lane. Where the errors are small and `_smooth_rerun` exists,
        errors due to load changes are separated from those of other steps.

        Let E be the error due to changes of loads, as amplified by the motion, S the error of other steps, of
        order k, and D = (2^k - 1) S. `_rerun` differs from the lane by E - D, and `_smooth_rerun` by -D.
        """
        other = self._smooth_rerun
        if other is None or other.ended_at is not None or self._rerun.ended_at is not None:
            return errors
        times, turns = self._comparison.times, self._rerun.turns
        smooth = np.stack([np.interp(times, other.comparison.times, turn) for turn in other.turns.T], axis=1)
        separated = turns - (1.0 + 1.0 / error_divisor(self._lane.problem.segments[0])) * smooth
        sizes = [np.linalg.norm(vectors, axis=1) for vectors in (turns, smooth)]
        is_small = np.maximum.accumulate(np.maximum(*sizes)) < MAX_SEPARATED_ANGLE
        return np.where(is_small, np.linalg.norm(separated, axis=1), errors)

    def _find_imbalance(self) -> Imbalance | None:
        """Return the imbalance between the work and impulse of the loads and the motion of the lane, or None
        if it is small. A large imbalance means that the lane skipped pulses of a load."""
        lane = self._lane
        if not has_unknown_changes(lane.problem.loads):
            return None
        imbalance = energy_balance_error(lane)
        return imbalance if imbalance.largest > MAX_IMBALANCE else None

    def _momentum_errors(self) -> np.ndarray:
        """Return the relative change (n,) of the angular momentum in space since the start if no load acts,
        zeros otherwise. This error does not need a second computation."""
        if "h_space_drift" not in self._conserved:
            return np.zeros(len(self._times))
        drift = np.minimum(np.nan_to_num(self._motion.h_space_drift, nan=math.pi), math.pi)
        return np.interp(self._times, self._motion.t, drift)

    def _find_accurate_until(self) -> float | None:
        """Return the time [s] up to which the lane is accurate, or None for the whole lane."""
        ends = []
        for times, is_wrong in (
            (self._times, ~(self._errors <= MAX_ATTITUDE_ERROR)),
            (self._motion.t, self._motion.t >= (self._violation.time if self._violation else math.inf)),
            (self._motion.t, self._motion.t >= (self._imbalance.time if self._imbalance else math.inf)),
        ):
            if is_wrong.any():
                first = int(np.argmax(is_wrong))
                ends.append(float(times[first - 1]) if first else 0.0)
        if not ends:
            return None
        return time_of_sample(round(min(ends) / self._lane.interval), self._lane.interval)

    @property
    def _max_error(self) -> float:
        return float(np.max(self._errors, initial=0.0))

    def _explain(self, separation_time: float | None) -> tuple[str, str]:
        """Return why the lane is not accurate, and what to try."""
        if self._load_effect is not None:
            return self._explain_load_effect(self._load_effect)
        if self._imbalance is not None:
            is_fixed = self._segment.integrator.fixed_step
            return imbalance_reason(self._imbalance), FIXED_STEP_REMEDY if is_fixed else ADAPTIVE_STEP_REMEDY
        if separation_time is not None:
            return self._explain_growth(separation_time)
        if self._violation is not None:
            return self._violation.reason, self._remedy_for_violation()
        if not self._is_caused_by_steps:
            drift = phrase(
                "the angular momentum, which should be constant, changes by {share:.2g} %",
                share=100.0 * self._max_error,
            )
            return drift, self._remedy_for_equations()
        size = self._describe_error()
        if self._nears_singularity:
            title = phrase(self._lane.formulation.singularity_title)
            reason = phrase(
                "{error}, near the singularity of the coordinates ({title} = {measure:.2g})",
                error=size, title=title, measure=self._smallest_measure,
            )  # fmt: skip
            return reason, phrase("Try other coordinates, or {step}", step=self._finer_setting())
        if self._is_stiff:
            return size, phrase(
                "Try {step}, or radau, a method for stiff equations", step=self._finer_setting()
            )
        return size, self._remedy_for_steps()

    @cached_property
    def _load_effect(self) -> LoadEffect | None:
        """Return the change of a load within a step that makes the lane inaccurate, or None."""
        (wrong,) = np.nonzero(~(self._step_errors <= MAX_ATTITUDE_ERROR))
        if not len(wrong) or not self._load_errors[wrong[0]] > BLAMED_SHARE * MAX_ATTITUDE_ERROR:
            return None
        return largest_effect(self._rerun.load_effects, float(self._times[wrong[0]]))

    def _explain_load_effect(self, effect: LoadEffect) -> tuple[str, str]:
        """Return why the lane is not accurate, and what to try, if its steps are too long for a load."""
        lane, dt = self._lane, effect.dt
        worst = max(float(np.max(self._load_errors, initial=0.0)), MAX_ATTITUDE_ERROR)
        needed = effect.width / STEPS_PER_WIDTH
        if effect.has_switch:  # an error of first order
            needed = min(needed, dt * SAFETY_FACTOR * MAX_ATTITUDE_ERROR / worst)
        if math.isinf(effect.width):
            reason = phrase(
                "a load changes abruptly at t = {time:.4g} s, within a step of {dt:g} s",
                time=effect.time,
                dt=dt,
            )
        else:
            reason = phrase(
                "a load changes within {width:.1g} s at t = {time:.4g} s, which is shorter than the step of {dt:g} s",
                width=effect.width, time=effect.time, dt=dt,
            )  # fmt: skip
        step = fitting_step(needed, lane.interval)
        return reason, phrase(
            "Try dt ≤ {step:g} s, or an adaptive method such as {method}",
            step=step,
            method=INTEGRATORS["dop853"].display_name(),
        )

    def _describe_error(self) -> str:
        """Return a phrase with the size of the attitude error, a lower bound of the size, or the statement
        that it is unknown."""
        estimates = self._step_errors[: self._disagreement]
        largest = float(np.max(estimates, initial=0.0))
        if len(estimates) == len(self._step_errors):
            return phrase(
                "the error of the attitude is about {error:.2g} rad", error=max(self._max_error, largest)
            )
        if largest > MAX_ATTITUDE_ERROR:
            return phrase("the error of the attitude exceeds {error:.1g} rad", error=largest)
        if self._segment.integrator.fixed_step:
            return phrase("the result changes with steps twice as long, so its error is unknown")
        return phrase("the result changes with larger tolerances, so its error is unknown")

    @property
    def _disagreement(self) -> int | None:
        """Index of the first compared sample at which the two computations disagree, or None if they agree
        everywhere."""
        (apart,) = np.nonzero(self._step_errors > MAX_DISAGREEMENT)
        return int(apart[0]) if len(apart) else None

    def _remedy_for_steps(self) -> str:
        integrator = self._segment.integrator
        if integrator.fixed_step and integrator.order <= 2:
            return phrase("Try {step}, or a method of higher order", step=self._finer_setting())
        return phrase("Try {step}", step=self._finer_setting())

    def _explain_growth(self, separation_time: float) -> tuple[str, str]:
        """Return why the lane is not accurate, and what to try, for a motion that separates exponentially
        from neighboring motions."""
        segment = self._segment
        nature = phrase("unstable") if self._is_predictable else phrase("chaotic")
        reason = phrase(
            "the motion is {nature}: the distance between neighboring motions grows by a factor of e every {time:.2g} s",
            nature=nature, time=separation_time,
        )  # fmt: skip
        if segment.integrator.fixed_step:
            gain = separation_time * segment.integrator.order * math.log(STEP_RATIO)
            return reason, phrase(
                "Half the dt keeps the lane accurate for about {gain:.2g} s longer", gain=gain
            )
        gain = separation_time * math.log(10.0)
        return reason, phrase(
            "A tenth of the tolerance keeps the lane accurate for at most {gain:.2g} s longer", gain=gain
        )

    def _remedy_for_violation(self) -> str:
        if not self._is_caused_by_steps:
            return self._remedy_for_equations()
        if self._could_be_stabilised:
            return phrase("Try a stabilization, or {step}", step=self._finer_setting())
        return self._remedy_for_steps()

    def _remedy_for_equations(self) -> str:
        """Return a remedy for a lane whose accuracy does not improve with shorter steps, or ""."""
        if self._lane.problem.contains_user_code:
            return phrase(
                "The step length is not the cause: check the equations and loads that you wrote, and those of plug-ins"
            )
        return phrase("Try a stabilization") if self._could_be_stabilised else ""

    @property
    def _is_caused_by_steps(self) -> bool:
        return not float(np.max(self._step_errors, initial=0.0)) <= MAX_ATTITUDE_ERROR

    @property
    def _could_be_stabilised(self) -> bool:
        spec = self._lane.spec
        is_applicable = applicable_settings(spec, self._lane.problem.preset.run.integrator)["stabilisation"]
        return is_applicable and spec.stabilisation in (None, "none") and self._segment.integrator.fixed_step

    @property
    def _segment(self) -> LaneSegment:
        """Segment in which the lane becomes inaccurate."""
        sample = round((self._until or 0.0) / self._lane.interval)
        return self._lane.problem.segment_at(sample)

    @cached_property
    def _smallest_measure(self) -> float:
        """Smallest singularity measure near the time at which the error exceeds its limit, and near the time at which
        the error increases most."""
        if not self._lane.formulation.singularity_title or self._until is None:
            return math.inf
        increments = np.diff(self._errors[: self._disagreement], prepend=0.0)
        numbers = {int(np.searchsorted(self._times, self._until * (1.0 + 1e-9)))}
        if len(increments):
            numbers.add(int(np.argmax(increments)))
        return min(map(self._smallest_measure_near, numbers))

    def _smallest_measure_near(self, number: int) -> float:
        """Return the smallest singularity measure around the checked time with index `number`, including one
        interval on each side."""
        low, high = (
            round(self._times[index] / self._lane.interval) if 0 <= index < len(self._times) else end
            for index, end in ((number - 2, 0), (number + 1, self._lane.samples - 1))
        )
        measures = np.abs(self._lane.motion(low, high + 1).singularity)
        return float(np.nanmin(measures, initial=math.inf))

    @property
    def _nears_singularity(self) -> bool:
        if not self._lane.formulation.singularity_title:
            return False
        return self._smallest_measure < NEAR_SINGULARITY or self._rerun.status == blocks.SINGULAR

    @property
    def _is_stiff(self) -> bool:
        """True if an explicit method fails early although the body rotates little in each step."""
        segment = self._segment
        first_apart = math.inf if self._disagreement is None else self._times[self._disagreement]
        has_failed = first_apart < MAX_STIFF_FAILURE_STEPS * segment.dt
        rate = float(np.nanmax(np.linalg.norm(self._motion.omega, axis=1), initial=0.0))
        is_explicit = (
            not self._lane.formulation.singularity_title
            and segment.integrator.fixed_step
            and not segment.integrator.preserves
        )
        return has_failed and is_explicit and rate * segment.dt < SLOW_TURN

    @property
    def _is_predictable(self) -> bool:
        """True if the motion cannot be chaotic: its energy is not conserved, or a closed form exists. Messages then
        call the motion unstable and not chaotic."""
        if "energy_drift" not in self._conserved:
            return True
        config = self._segment.config
        motion = self._lane.motion(0, 1)
        problem = ExactProblem(config.body, config.loads, normalize(motion.p[0]), motion.omega[0])
        return not config.body.has_inner_motion and any(
            not solution.unsupported_reason(problem) for solution in solution_classes()
        )

    def _finer_setting(self) -> str:
        """Return a phrase with a smaller dt or tolerance with which the lane should be accurate."""
        lane, segment = self._lane, self._segment
        worst = max(float(np.max(self._step_errors, initial=0.0)), MAX_ATTITUDE_ERROR)
        integrator = segment.integrator
        if integrator.fixed_step or integrator.tolerances is None:
            needed = segment.dt * (SAFETY_FACTOR * MAX_ATTITUDE_ERROR / worst) ** (1.0 / integrator.order)
            return phrase("dt = {dt:g} s", dt=fitting_step(needed, lane.interval))
        relative = integrator.tolerances.relative
        needed = relative * (SAFETY_FACTOR * MAX_ATTITUDE_ERROR / worst) ** (1.0 / USUAL_EXPONENT)
        power = math.floor(math.log10(needed))
        if relative <= FINEST_TOLERANCE:
            return phrase("another formulation")
        return phrase("rtol = {rtol:g}", rtol=max(10.0**power, FINEST_TOLERANCE))


def estimated_errors(comparison: Comparison) -> tuple[np.ndarray, np.ndarray]:
    """Estimate the attitude error of a lane from its comparison with the second computation.

    Returns
    -------
    tuple of numpy.ndarray
        Times (n,) [s] and errors (n,) [rad], from 0 to pi. As soon as the two computations disagree by more than
        `MAX_DISAGREEMENT`, or one is not a number, the error is the largest disagreement so far.
    """
    angles = np.minimum(np.nan_to_num(comparison.angles, nan=math.pi), math.pi)
    errors = angles / comparison.divisors
    (disagreements,) = np.nonzero(angles > MAX_DISAGREEMENT)
    if len(disagreements):
        first = disagreements[0]
        errors[first:] = np.maximum.accumulate(angles[first:])
    return comparison.times, errors


def _accurate_count(errors: np.ndarray) -> int:
    """Return the number of errors (n,) [rad] before the first one that exceeds `MAX_ATTITUDE_ERROR`."""
    is_wrong = ~(errors <= MAX_ATTITUDE_ERROR)
    return int(np.argmax(is_wrong)) if is_wrong.any() else len(errors)


def exponential_growth(comparison: Comparison) -> float | None:
    """Return the time constant with which two computations of a motion separate exponentially, if they do.

    The growth is judged in a time window that ends when the two computations disagree. In this window, accumulated
    errors grow like a small power of time, while errors of an unstable motion grow by orders of magnitude. Since the
    growth in a chaotic motion varies, longer windows are tried too.

    Returns
    -------
    float or None
        Time [s] in which the difference grows by a factor e; None if it grows like a power of time, or too fast
        to be resolved.
    """
    times = comparison.times
    angles = np.maximum.accumulate(np.nan_to_num(comparison.angles, nan=math.pi))
    is_apart = angles > MAX_DISAGREEMENT
    end = int(np.argmax(is_apart)) if is_apart.any() else len(times) - 1
    for share in GROWTH_WINDOWS:
        begin = int(np.searchsorted(times, (1.0 - share) * times[end])) if end > 0 else 0
        if end - begin < MIN_GROWTH_POINTS or not angles[begin] > 0.0:
            continue
        t, logarithms = times[begin : end + 1], np.log(angles[begin : end + 1])
        order = (logarithms[-1] - logarithms[0]) / math.log(t[-1] / t[0])
        if order > MIN_EXPONENTIAL_ORDER and np.corrcoef(t, logarithms)[0, 1] ** 2 > MIN_DETERMINATION:
            return 1.0 / float(np.polyfit(t, logarithms, 1)[0])
    return None


def accuracy_verdict(lane: LaneRun) -> AccuracyVerdict:
    """Judge the accuracy of the computed part of a lane. The verdict is stored in the lane.

    Parameters
    ----------
    lane
        Lane of a run. The second computation takes half as many steps as the lane.

    Returns
    -------
    AccuracyVerdict
        Verdict on all samples of the lane.
    """
    check = accuracy_check(lane)
    while check.advance(_steps_per_slice(lane)):
        pass
    assert check.latest is not None
    return check.latest


def accuracy_verdicts(
    lanes: Sequence[LaneRun], progress: Progress = ignore_progress, jobs: int | None = None
) -> list[AccuracyVerdict]:
    """Judge several lanes as `accuracy_verdict` does, `jobs` in parallel (by default one per processor).

    `progress` is called with the fraction of judged lanes, 0 to 1. An exception raised by it ends the work.
    """
    with ThreadPoolExecutor(max(min(jobs or os.cpu_count() or 1, len(lanes)), 1)) as pool:
        verdicts = []
        for number, verdict in enumerate(pool.map(accuracy_verdict, lanes)):
            verdicts.append(verdict)
            progress((number + 1) / len(lanes))
    return verdicts


def advance_checks(lanes: Iterable[LaneRun]) -> bool:
    """Compute a slice of the accuracy check of the first complete lane without a verdict. Return False if there is
    none.

    The window calls this while it is idle. A lane with user code is computed again only if it was cheap.
    """
    for lane in lanes:
        is_worth_it = lane.solver.seconds < CHEAP_SECONDS or not lane.problem.contains_user_code
        if lane.status == "ok" and lane.diagnostics.verdict is None and is_worth_it:
            accuracy_check(lane).advance(_steps_per_slice(lane))
            return True
    return False


def accuracy_check(lane: LaneRun) -> AccuracyCheck:
    """Return the accuracy check of a lane. If the lane has grown since an earlier check, the check continues."""
    if lane.diagnostics.accuracy_check is None:
        lane.diagnostics.accuracy_check = AccuracyCheck(lane)
    return lane.diagnostics.accuracy_check


def _steps_per_slice(lane: LaneRun) -> int:
    """Return the number of steps in a slice of the check of a lane, for about `SLICE_TIME`."""
    if math.isnan(lane.solver.cost):
        return FIRST_SLICE_STEPS
    return min(MAX_SLICE_STEPS, max(1, round(SLICE_TIME / max(lane.solver.cost, 1e-9))))
