"""One lane of a run: connects its problem, the solver's state, the recorder and what is said of it."""

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import thread_time
from typing import Any, Self

import numpy as np

from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, describe_exception, phrase
from quatviz.base.translation import tr
from quatviz.files.preset import Lane, Preset
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import blocks
from quatviz.physics.loads import VariableLoadSum
from quatviz.physics.loads.base import Load
from quatviz.physics.observables.plausibility import undersampling_warning
from quatviz.simulation.end_reasons import (
    can_tell_growth,
    end_message,
    end_reason,
    growth_reason,
    growth_samples,
    with_lane_title,
)
from quatviz.simulation.lane_reader import LaneReader
from quatviz.simulation.problem import make_placeholder_problem, make_problem, outside_modules
from quatviz.simulation.recorder import LaneRecord, first_known_state
from quatviz.simulation.schedule import LaneSegment, ScheduledEvent
from quatviz.simulation.stepping import (
    RECORDING_ENDED,
    STATUSES,
    UNLIMITED_STEPS,
    SolverState,
    StepResult,
    advance,
    begin,
)
from quatviz.simulation.verdict import AccuracyVerdict, VerdictSource

log = logging.getLogger(__name__)

STEPS_PER_BLOCK = 40_000
"""Steps of one lane per block at most: a few milliseconds without the GIL, so that the window seldom waits for it."""
BLOCK_TIME = 0.004
"""Processor time of a block [s], by what the lane's steps have cost so far: the cursor moves, and commands take effect,
between two blocks."""
FIRST_BLOCK = 2_000
"""Steps of a lane's first block, whose cost is not known yet."""
CHECKED_SAMPLES = 200
"""Number of samples at which the rate of the body is compared with the sample interval, first and last included."""


class LaneRun(LaneReader):
    """A lane in progress. The worker calls `advance`; everybody else only reads.

    `status` is `running` until the lane reaches the run's duration (`ok`) or ends early (`singular`, `not_finite`,
    `step_failed`, `no_closed_form`, `no_recording`, `recording_ended`, `failed`), when `message` says what happened in one
    sentence; what was computed stays.
    """

    def __init__(self, name: str, spec: Lane, preset: Preset, index: int) -> None:
        self.name, self.spec = name, spec
        self.index = index
        """Its number in the preset."""
        self.status, self.message = "running", ""
        self.ended_at: float | None = None
        """Time at which the lane ended early [s]."""
        self.steps, self.seconds = 0, 0.0
        """Steps made, and the processor time that they took, for the cost per step [s]."""
        self._cached_undersampling: tuple[int, str] = 0, ""
        """Number of samples, and the warning that they are too far apart."""
        self.accuracy_check: Any = None
        """The lane's `simulation.diagnostics.AccuracyCheck`, once it is asked for."""
        outside = outside_modules(spec, preset)
        try:
            self._set_problem(make_problem(name, spec, preset, index, outside))
            self._record_start()
        except InputError:
            raise
        except PLUGIN_EXCEPTIONS as error:
            if not outside:
                raise
            self._set_problem(make_placeholder_problem(name, spec, preset, index, outside))
            self._record_start()
            self._fail(error)

    @property
    def preset(self) -> Preset:
        """The preset that the lane belongs to."""
        return self.problem.preset

    @property
    def loads(self) -> Sequence[Load]:
        """The loads that act on the body, at one time or another."""
        return self.problem.loads

    @property
    def segments(self) -> Sequence[LaneSegment]:
        """The intervals of the lane in which body, loads and step stay the same, in order."""
        return self.problem.segments

    @property
    def scheduled_events(self) -> Mapping[int, Sequence[ScheduledEvent]]:
        """The events of the lane by the number of the sample at which they happen."""
        return self.problem.events

    @property
    def outside_modules(self) -> Sequence[str]:
        """Modules of formulations, methods, loads and events that are not quatviz's own."""
        return self.problem.outside_modules

    @property
    def has_user_code(self) -> bool:
        """Whether equations take part that are not quatviz's own: of a package, a notebook's cell, or a script's potential."""
        return any(map(self.problem.has_user_code, self.problem.segments))

    @property
    def load_sums(self) -> list[VariableLoadSum]:
        """The sums over loads that are not constant, which its kernels call, and which are compiled by themselves."""
        return self.problem.load_sums

    @property
    def method(self) -> Any:
        """The tuple of the lane's method; None for a closed form."""
        return self._solver.method

    @property
    def integrator(self) -> Integrator:
        """The method, with the tolerances that the lane has now."""
        return self._solver.segment.integrator

    @property
    def dt(self) -> float:
        """The step [s], of a closed form the sample interval."""
        return self._solver.segment.dt

    @property
    def steps_per_sample(self) -> int:
        """Steps for each sample."""
        return self._solver.segment.steps_per_sample

    @property
    def singularity_limit(self) -> float:
        """Magnitude of the singularity measure within which the lane would end at its start: it grows with the step and with the
        velocity."""
        segment = self.problem.segment_at(0)
        return self.formulation.singularity_limit(self.history.rows[0], segment.parameters, segment.step)

    @property
    def alive(self) -> bool:
        """Whether the lane has not ended early."""
        return self.status in ("running", "ok")

    @property
    def cost(self) -> float:
        """Processor time per step [s]; NaN before the first, and where nothing is stepped."""
        return self.seconds / self.steps if self.steps else math.nan

    # --- computing (the worker's thread)

    def prepare(self) -> None:
        """Load the compiled kernels, compiling them where the cache has none; see whether the start is singular."""
        if self.formulation.has_closed_form:
            return
        with self._catch_outside_errors():
            self._load_kernels()

    def advance_briefly(self, count: int, blocks: int = 1) -> None:
        """Compute up to `count` more samples for about the time of so many blocks: whoever computes can be spoken to between two
        of these, be it within a sample of many steps."""
        steps = FIRST_BLOCK
        if not math.isnan(self.cost):
            steps = min(STEPS_PER_BLOCK, max(1, round(BLOCK_TIME / max(self.cost, 1e-9))))
        intervals = len(self.history) - 1
        steps_per_row = self.steps / intervals if intervals and self.steps else self.steps_per_sample
        if self.formulation.has_closed_form:
            steps_per_row = 1  # it makes no steps, and many samples cost it little more than few
        self.advance(min(count, max(1, int(steps * blocks / steps_per_row))), steps * blocks)

    def advance(self, count: int, max_steps: int = UNLIMITED_STEPS) -> None:
        """Compute `count` more samples, fewer if the lane ends or `max_steps` steps do not come so far: the next goes on there."""
        samples = len(self.history)
        goal = samples + count
        with self._catch_outside_errors():
            while samples < goal and max_steps > 0 and self.alive:
                stop = self.problem.next_event(samples, goal - 1) + 1
                max_steps -= self._advance(stop - samples, max_steps)
                samples = len(self.history)

    def finish(self) -> None:
        """The run's duration is reached."""
        if self.status == "running":
            self.status = "ok"

    def resume(self) -> None:
        """The run's duration was extended."""
        if self.status == "ok":
            self.status = "running"

    def _record_start(self) -> None:
        """Record the start, after the events that happen there."""
        problem, segment = self.problem, self.problem.segments[0]
        self.remarks: tuple[str, ...] = problem.event_remarks()
        """A sentence for each event that has no effect on this lane, or not all of it, and what its formulation has to say."""
        self.prepared = self.formulation.has_closed_form
        state = problem.initial_state()
        reference_state = state
        self._solver = SolverState(segment, 0, 0, tuple(state.tolist()), None)
        if self.formulation.is_recorded:  # one solution for all of the run, whatever happens to the others
            self._solver = self._begin(segment, 0, state)
            if self._solver.solution is not None:
                state = self._solver.solution(np.zeros(1))[0]
                reference_state = first_known_state(problem, self._solver.solution)
        segment, state = self.recorder.record_start(state, self._trajectory.motion_of_rows, reference_state)
        self._go_on(segment, 0, state)
        self.remarks += tuple(self.formulation.remarks())

    def _go_on(self, segment: LaneSegment, sample: int, state: np.ndarray) -> None:
        """Continue from a state (k,) at a sample, knowing nothing of before."""
        if self.formulation.is_recorded:
            self._solver = self._solver._replace(segment=segment, sample=sample)
        else:
            self._solver = self._begin(segment, sample, state)

    def _go_on_from_last_sample(self) -> None:
        """Continue behind what is recorded: a closed form from the last event, of which it is a function of time."""
        last = self.samples - 1
        origin = max((0, *self.recorder.pre_event_rows)) if self.formulation.has_closed_form else last
        self._go_on(self.problem.segment_at(origin), origin, self.history.rows[origin])
        self._solver = self._solver._replace(sample=last)

    def _begin(self, segment: LaneSegment, sample: int, state: np.ndarray) -> SolverState:
        """Begin there, or end the lane where no closed form is known."""
        try:
            return begin(self.problem, segment, sample, state)
        except NoClosedForm as error:
            self.message = phrase("{lane} has nothing to show: {lack}", lane=self.name, lack=error.args[0])
            self.ended_at, self.status = sample * self.interval, error.status
            return SolverState(segment, sample, 0, tuple(state.tolist()), None)

    def _advance(self, count: int, max_steps: int) -> int:
        """Compute up to `count` more samples in up to `max_steps` steps, which it counts; events may happen at the last."""
        rows = self.history.reserve(count)
        started = thread_time()
        result = advance(self.problem, self._solver, rows, max_steps)
        if not self.formulation.has_closed_form:
            self.seconds += thread_time() - started
            self.steps += result.steps
        self._solver = result.state
        sample = result.state.sample
        if result.status == blocks.RUNNING and result.written == count and sample in self.problem.events:
            try:
                self._apply_events(sample, rows[-1])
            except PLUGIN_EXCEPTIONS:
                self.history.publish(count - 1)  # what led to it stays
                raise
        self.history.publish(result.written)
        if result.status != blocks.RUNNING:
            self._end_early(result)
        return result.steps

    def _apply_events(self, sample: int, row: np.ndarray) -> None:
        """Let the events at a sample change its row, and forget what the integrator knows of the motion before."""
        segment, state = self.recorder.apply_events(
            sample, self._solver.segment, row, self._trajectory.motion_of_rows
        )
        self._go_on(segment, sample, state)
        if segment.integrator.records and not self.formulation.has_closed_form:
            row[len(state) :] = segment.integrator.first_record(
                self._solver.method, segment.parameters, segment.dt, tuple(state.tolist())
            )

    def _load_kernels(self) -> None:
        for load_sum in self.load_sums:
            _ = load_sum.function
        result = advance(self.problem, self._solver, self.history.reserve(0))
        self._solver = result.state
        first, segment = self.history.rows[:1], self._solver.segment
        if self._trajectory.needs_kernel:
            self._trajectory.measures(first, 0, segment)
        if self.prepared:
            return
        if segment.integrator.records:
            state = tuple(first[0].tolist())
            self.history.set_first_record(
                segment.integrator.first_record(self.method, segment.parameters, segment.dt, state)
            )
        # Blocks of fixed steps look at the start by themselves, adaptive ones at the end of their first step.
        is_unchecked = bool(self.formulation.singularity_title) and not segment.integrator.fixed_step
        if is_unchecked and not abs(self._singularity_measure(first[0])) > segment.threshold:
            result = result._replace(status=blocks.SINGULAR)
        if result.status != blocks.RUNNING:
            self._end_early(result)
        self.prepared = True

    # --- ends

    @contextmanager
    def _catch_outside_errors(self) -> Iterator[None]:
        """An exception in a part from outside ends the lane, and not the run."""
        try:
            yield
        except InputError:
            raise
        except PLUGIN_EXCEPTIONS as error:
            if not self.problem.outside_modules:
                raise
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """End the lane with an exception from outside."""
        log.error("the lane %s ended", self.name, exc_info=error)
        self.message = end_message(
            self.name, self.computed_to, describe_exception(error, self.problem.outside_modules)
        )
        self.ended_at, self.status = self.computed_to, "failed"

    def _end_early(self, result: StepResult) -> None:
        """End the lane with the status of a block."""
        if result.status == RECORDING_ENDED:
            time = self.computed_to
            self.message = phrase(
                "{lane} ends at t = {time:.6g} s: nothing was recorded after it", lane=self.name, time=time
            )
        else:
            time, state = result.time, np.array(result.state.y)
            last = result.state._replace(y=tuple(self.history.rows[-1].tolist()), substeps=0)
            reason = end_reason(
                self.problem, last, result.status, state, time, self._singularity_measure, self._growth_reason
            )
            self.message = end_message(self.name, time, reason)
        self.ended_at, self.status = time, STATUSES[result.status]

    def _singularity_measure(self, state: np.ndarray) -> float:
        return float(self._trajectory.measures(state[None, :], 0, self._solver.segment)[0, 1])

    def _growth_reason(self) -> str:
        """That the motion itself grew, where its energy may change and the steps are of a method that follows it."""
        if self.samples < 2 or not can_tell_growth(self.problem, self._solver.segment):
            return ""
        motion = self.motion_at(growth_samples(self.samples))
        return growth_reason(motion.t, motion.omega, self.dt)

    # --- what is said of it

    @property
    def verdict(self) -> AccuracyVerdict | None:
        """The verdict on the lane's accuracy if it is known already. `diagnostics.accuracy_verdict` finds it."""
        source: VerdictSource | None = self.accuracy_check
        return None if source is None else source.verdict

    @property
    def status_text(self) -> str:
        """Why the lane ended early, or why it is not accurate, by the lane's title; empty while neither is known."""
        verdict, message = self.verdict, self.message
        if self.status == "ok" and verdict is not None and not verdict.is_about_equations:
            message = verdict.message
        return tr(with_lane_title(message, self.name))

    @property
    def all_remarks(self) -> tuple[str, ...]:
        """`remarks`, and those on a complete lane: that its samples are too far apart, or that it is no motion of the body."""
        verdict, remarks = self.verdict, list(self.remarks)
        if self.status == "ok":
            remarks.append(self._undersampling)
        if verdict is not None:
            remarks += [verdict.message if verdict.is_about_equations else "", verdict.remark]
        return tuple(filter(None, remarks))

    @property
    def _undersampling(self) -> str:
        """Warning of samples too far apart. It concerns the run, and is given for its first lane."""
        if self.index > 0 or self.formulation.is_recorded or self.has_user_code:
            return ""
        if self._cached_undersampling[0] != self.samples:
            samples = np.unique(np.linspace(0, self.samples - 1, CHECKED_SAMPLES).astype(int))
            warning = undersampling_warning(self.motion_at(samples), self.interval)
            self._cached_undersampling = self.samples, warning
        return self._cached_undersampling[1]

    # --- records

    @classmethod
    def from_record(cls, name: str, preset: Preset, index: int, record: LaneRecord) -> Self:
        """A lane that has recorded what another one had, and is as far."""
        lane = cls(name, preset.lanes[index], preset, index)
        lane.recorder.load(record)
        lane._go_on_from_last_sample()
        lane.status, lane.message, lane.ended_at = record.status, record.message, record.ended_at
        lane.steps, lane.seconds = record.steps, record.seconds
        lane.prepared = True
        return lane

    def to_record(self) -> LaneRecord:
        """What is recorded so far; it stays as it is when the lane goes on."""
        return LaneRecord(
            self.history.all_columns,
            dict(self.recorder.pre_event_rows),
            tuple(self.recorder.references.values()),
            self.status,
            self.message,
            self.ended_at,
            self.steps,
            self.seconds,
        )
