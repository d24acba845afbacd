"""One lane of a run: connects its problem, the state of its solver, its recorder and its verdict."""

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
"""Largest number of steps per block. A block takes a few milliseconds and does not hold the GIL, so that the window
rarely waits."""
BLOCK_TIME = 0.004
"""Intended processor time of a block [s]. Between blocks, the cursor moves and commands take effect."""
FIRST_BLOCK = 2_000
"""Number of steps in the first block, when the cost per step is not known yet."""
CHECKED_SAMPLES = 200
"""Number of samples at which the angular rate is compared with the sample interval, first and last included."""


class LaneRun(LaneReader):
    """A lane in progress. The worker thread calls `advance`; other threads only read.

    `status` is "running" until the lane reaches the duration of the run ("ok") or ends early ("singular",
    "not_finite", "step_failed", "no_closed_form", "no_recording", "recording_ended", "failed"). After an early end,
    `message` explains the reason in one sentence, and the computed part remains readable.
    """

    def __init__(self, name: str, spec: Lane, preset: Preset, index: int) -> None:
        self.name, self.spec = name, spec
        self.index = index
        """Index of the lane in the preset."""
        self.status, self.message = "running", ""
        self.ended_at: float | None = None
        """Time [s] at which the lane ended early, or None."""
        self.steps, self.seconds = 0, 0.0
        """Number of steps made, and their processor time [s]."""
        self._cached_undersampling: tuple[int, str] = 0, ""
        """Cached warning about samples that are too far apart, and the number of samples to which it applies."""
        self.accuracy_check: Any = None
        """`simulation.diagnostics.AccuracyCheck` of the lane, created on request."""
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
        """Preset of the run."""
        return self.problem.preset

    @property
    def loads(self) -> Sequence[Load]:
        """All loads that act on the body at any time."""
        return self.problem.loads

    @property
    def segments(self) -> Sequence[LaneSegment]:
        """Segments in which body, loads and step stay the same, in order."""
        return self.problem.segments

    @property
    def scheduled_events(self) -> Mapping[int, Sequence[ScheduledEvent]]:
        """Events of the lane by their sample number."""
        return self.problem.events

    @property
    def outside_modules(self) -> Sequence[str]:
        """Modules of formulations, methods, loads and events that do not belong to quatviz."""
        return self.problem.outside_modules

    @property
    def has_user_code(self) -> bool:
        """True if equations or potentials of a plug-in package, notebook or script take part."""
        return any(map(self.problem.has_user_code, self.problem.segments))

    @property
    def load_sums(self) -> list[VariableLoadSum]:
        """Sums over variable loads, which are called by the kernels and compiled separately."""
        return self.problem.load_sums

    @property
    def method(self) -> Any:
        """Tuple of the lane's integration method, as passed to kernels; None for a closed form."""
        return self._solver.method

    @property
    def integrator(self) -> Integrator:
        """Current integration method with its tolerances."""
        return self._solver.segment.integrator

    @property
    def dt(self) -> float:
        """Current step [s]; the sample interval for a closed form."""
        return self._solver.segment.dt

    @property
    def steps_per_sample(self) -> int:
        """Number of steps per sample."""
        return self._solver.segment.steps_per_sample

    @property
    def singularity_limit(self) -> float:
        """Magnitude of the singularity measure below which the lane would end at its start. The limit grows with
        step and velocity."""
        segment = self.problem.segment_at(0)
        return self.formulation.singularity_limit(self.history.rows[0], segment.parameters, segment.step)

    @property
    def alive(self) -> bool:
        """True if the lane has not ended early."""
        return self.status in ("running", "ok")

    @property
    def cost(self) -> float:
        """Processor time per step [s]; NaN before the first step and for lanes without steps."""
        return self.seconds / self.steps if self.steps else math.nan

    # --- computing (the worker's thread)

    def prepare(self) -> None:
        """Load the compiled kernels, compiling them if they are not cached, and check whether the start is singular."""
        if self.formulation.has_closed_form:
            return
        with self._catch_outside_errors():
            self._load_kernels()

    def advance_briefly(self, count: int, blocks: int = 1) -> None:
        """Compute up to `count` more samples, for at most about the time of `blocks` blocks. A sample with many
        steps may be completed by a later call."""
        steps = FIRST_BLOCK
        if not math.isnan(self.cost):
            steps = min(STEPS_PER_BLOCK, max(1, round(BLOCK_TIME / max(self.cost, 1e-9))))
        intervals = len(self.history) - 1
        steps_per_row = self.steps / intervals if intervals and self.steps else self.steps_per_sample
        if self.formulation.has_closed_form:
            steps_per_row = 1  # without steps, many samples cost little more than a few
        self.advance(min(count, max(1, int(steps * blocks / steps_per_row))), steps * blocks)

    def advance(self, count: int, max_steps: int = UNLIMITED_STEPS) -> None:
        """Compute `count` more samples, or fewer if the lane ends or `max_steps` steps do not suffice. The next
        call continues."""
        samples = len(self.history)
        goal = samples + count
        with self._catch_outside_errors():
            while samples < goal and max_steps > 0 and self.alive:
                stop = self.problem.next_event(samples, goal - 1) + 1
                max_steps -= self._advance(stop - samples, max_steps)
                samples = len(self.history)

    def finish(self) -> None:
        """End the lane at the duration of the run."""
        if self.status == "running":
            self.status = "ok"

    def resume(self, duration: float) -> None:
        """Continue after the run was extended to `duration` [s]."""
        if self.status == "ok":
            self.status = "running"
        self._find_load_changes(duration)

    def _record_start(self) -> None:
        """Record the start after its events."""
        problem, segment = self.problem, self.problem.segments[0]
        self.remarks: tuple[str, ...] = problem.event_remarks()
        """Sentences about events that have no or only a partial effect on this lane, and remarks of its
        formulation."""
        self.prepared = self.formulation.has_closed_form
        state = problem.initial_state()
        reference_state = state
        self._solver = SolverState(segment, 0, 0, tuple(state.tolist()), None)
        if self.formulation.is_recorded:  # a single solution for the whole run, unaffected by events
            self._solver = self._begin(segment, 0, state)
            if self._solver.solution is not None:
                state = self._solver.solution(np.zeros(1))[0]
                reference_state = first_known_state(problem, self._solver.solution)
        segment, state = self.recorder.record_start(state, self._trajectory.motion_of_rows, reference_state)
        self._go_on(segment, 0, state)
        self.remarks += tuple(self.formulation.remarks())

    def _go_on(self, segment: LaneSegment, sample: int, state: np.ndarray) -> None:
        """Continue from a state (k,) at a sample, without memory of previous steps."""
        if self.formulation.is_recorded:
            self._solver = self._solver._replace(segment=segment, sample=sample)
        else:
            self._solver = self._begin(segment, sample, state)

    def _go_on_from_last_sample(self) -> None:
        """Continue after the recorded samples; a closed form continues from the last event, since it is a function
        of time."""
        last = self.samples - 1
        origin = max((0, *self.recorder.pre_event_rows)) if self.formulation.has_closed_form else last
        self._go_on(self.problem.segment_at(origin), origin, self.history.rows[origin])
        self._solver = self._solver._replace(sample=last)

    def _find_load_changes(self, duration: float) -> None:
        """Find the abrupt changes of loads after the run was extended to `duration` [s]."""
        for segment in self.problem.segments:
            segment.find_load_changes(duration)
        solver = self._solver
        if solver.method is not None:
            self._solver = solver._replace(method=solver.segment.integrator.with_load_changes(solver.method))

    def _begin(self, segment: LaneSegment, sample: int, state: np.ndarray) -> SolverState:
        """Return the solver state with which the lane begins at a sample. End the lane if the required closed form
        does not exist."""
        try:
            return begin(self.problem, segment, sample, state)
        except NoClosedForm as error:
            self.message = phrase(
                "{lane} has nothing to show: {reason}", lane=self.name, reason=error.args[0]
            )
            self.ended_at, self.status = sample * self.interval, error.status
            return SolverState(segment, sample, 0, tuple(state.tolist()), None)

    def _advance(self, count: int, max_steps: int) -> int:
        """Compute up to `count` more samples in up to `max_steps` steps, and return the number of steps made.
        Events may occur at the last of these samples."""
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
                self.history.publish(count - 1)  # keep the samples before it
                raise
        self.history.publish(result.written)
        if result.status != blocks.RUNNING:
            self._end_early(result)
        return result.steps

    def _apply_events(self, sample: int, row: np.ndarray) -> None:
        """Apply the events at a sample to its row, and continue with an integrator without memory of previous
        steps."""
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
        # Blocks of fixed steps check the start themselves, adaptive ones the end of their first step.
        is_unchecked = bool(self.formulation.singularity_title) and not segment.integrator.fixed_step
        if is_unchecked and not abs(self._singularity_measure(first[0])) > segment.threshold:
            result = result._replace(status=blocks.SINGULAR)
        if result.status != blocks.RUNNING:
            self._end_early(result)
        self.prepared = True

    # --- ends

    @contextmanager
    def _catch_outside_errors(self) -> Iterator[None]:
        """Let an exception in third-party code end the lane but not the run."""
        try:
            yield
        except InputError:
            raise
        except PLUGIN_EXCEPTIONS as error:
            if not self.problem.outside_modules:
                raise
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """End the lane with a third-party exception."""
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
        """Explain unbounded growth of the motion itself. Return "" if the growth is impossible or not resolved by
        the steps."""
        if self.samples < 2 or not can_tell_growth(self.problem, self._solver.segment):
            return ""
        motion = self.motion_at(growth_samples(self.samples))
        return growth_reason(motion.t, motion.omega, self.dt)

    # --- messages

    @property
    def verdict(self) -> AccuracyVerdict | None:
        """Verdict on the accuracy, or None if `diagnostics.accuracy_verdict` has not computed it yet."""
        source: VerdictSource | None = self.accuracy_check
        return None if source is None else source.verdict

    @property
    def status_text(self) -> str:
        """Text on why the lane ended early or is not accurate, with the title of the lane; "" if neither is known."""
        verdict, message = self.verdict, self.message
        if self.status == "ok" and verdict is not None and not verdict.is_about_equations:
            message = verdict.message
        return tr(with_lane_title(message, self.name))

    @property
    def all_remarks(self) -> tuple[str, ...]:
        """`remarks`, followed by warnings if the lane is complete: samples too far apart, or equations that do not
        describe the body."""
        verdict, remarks = self.verdict, list(self.remarks)
        if self.status == "ok":
            remarks.append(self._undersampling)
        if verdict is not None:
            remarks += [verdict.message if verdict.is_about_equations else "", verdict.remark]
        return tuple(filter(None, remarks))

    @property
    def _undersampling(self) -> str:
        """Warning about samples that are too far apart, or "". Since it concerns the whole run, only the first lane
        has it."""
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
        """Return a lane that continues from the record of another lane."""
        lane = cls(name, preset.lanes[index], preset, index)
        lane.recorder.load(record)
        if lane.computed_to > preset.run.duration:
            lane._find_load_changes(lane.computed_to)
        lane._go_on_from_last_sample()
        lane.status, lane.message, lane.ended_at = record.status, record.message, record.ended_at
        lane.steps, lane.seconds = record.steps, record.seconds
        lane.prepared = True
        return lane

    def to_record(self) -> LaneRecord:
        """Return the current record of the lane. The record does not change when the lane continues."""
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
