"""One lane of a run: connects its problem, solver, recorder and diagnostics."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import numpy as np

from quatviz.base.errors import PLUGIN_EXCEPTIONS, InputError, describe_exception, phrase
from quatviz.files.preset import Lane, Preset
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.kernels import blocks
from quatviz.simulation.end_reasons import early_end, end_message
from quatviz.simulation.lane_diagnostics import LaneDiagnostics
from quatviz.simulation.lane_reader import LaneReader
from quatviz.simulation.lane_solver import LaneSolver
from quatviz.simulation.problem import Problem, make_placeholder_problem, make_problem, outside_modules
from quatviz.simulation.recorder import LaneRecord, first_known_state
from quatviz.simulation.schedule import LaneSegment
from quatviz.simulation.stepping import STATUSES, UNLIMITED_STEPS, StepResult

log = logging.getLogger(__name__)


class LaneRun(LaneReader):
    """A lane in progress. The worker thread calls `advance`; other threads only read.

    `problem` determines the motion, `solver` makes the steps, `recorder` keeps the samples, `diagnostics` has the
    messages, and `LaneReader` returns the motion.

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
        self.diagnostics = LaneDiagnostics(self)
        outside = outside_modules(spec, preset)
        try:
            self._record_start(make_problem(name, spec, preset, index, outside))
        except InputError:
            raise
        except PLUGIN_EXCEPTIONS as error:
            if not outside:
                raise
            self._record_start(make_placeholder_problem(name, spec, preset, index, outside))
            self._fail(error)

    @property
    def alive(self) -> bool:
        """True if the lane has not ended early."""
        return self.status in ("running", "ok")

    def prepare(self) -> None:
        """Load the compiled kernels, compiling them if they are not cached, and check whether the start is singular."""
        if self.formulation.has_closed_form:
            return
        with self._catch_outside_errors():
            self._load_kernels()

    def advance_briefly(self, count: int, blocks: int = 1) -> None:
        """Compute up to `count` more samples within about the processor time of `blocks` blocks of steps
        (`BLOCK_TIME` each). A sample with many steps may need several calls."""
        samples, steps = self.solver.block_size(blocks, len(self.history))
        self.advance(min(count, samples), steps)

    def advance(self, count: int, max_steps: int = UNLIMITED_STEPS) -> None:
        """Compute `count` more samples, or fewer if the lane ends or `max_steps` steps do not suffice. The next
        call continues."""
        samples = len(self.history)
        goal = samples + count
        with self._catch_outside_errors():
            while samples < goal and max_steps > 0 and self.alive:
                stop = self.problem.next_event(samples, goal - 1) + 1
                max_steps -= self._advance_to_event(stop - samples, max_steps)
                samples = len(self.history)

    def finish(self) -> None:
        """Set the status "ok" of a lane that has reached the duration of the run."""
        if self.status == "running":
            self.status = "ok"

    def resume(self, duration: float) -> None:
        """Let a complete lane continue after the run was extended to `duration` [s]."""
        if self.status == "ok":
            self.status = "running"
        self.solver.find_load_changes(duration)

    @classmethod
    def from_record(cls, name: str, preset: Preset, index: int, record: LaneRecord) -> Self:
        """Return a lane that continues from `record`, which `to_record` returned for a lane of the same preset."""
        lane = cls(name, preset.lanes[index], preset, index)
        lane.recorder.load(record)
        if lane.computed_to > preset.run.duration:
            lane.solver.find_load_changes(lane.computed_to)
        # A closed form continues from the last event, since it is a function of time.
        last = lane.samples - 1
        origin = max((0, *lane.recorder.pre_event_rows)) if lane.formulation.has_closed_form else last
        lane._begin(lane.problem.segment_at(origin), origin, lane.history.rows[origin])
        lane.solver.state = lane.solver.state._replace(sample=last)
        lane.solver.steps, lane.solver.seconds = record.steps, record.seconds
        lane.status, lane.message, lane.ended_at = record.status, record.message, record.ended_at
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
            self.solver.steps,
            self.solver.seconds,
        )

    def _record_start(self, problem: Problem) -> None:
        """Record the initial state of the lane after the events at t = 0."""
        self._set_problem(problem)
        segment, formulation = problem.segments[0], problem.formulation
        self.solver = LaneSolver(problem)
        self.prepared = formulation.has_closed_form
        state = reference_state = problem.initial_state()
        if formulation.is_recorded:
            self._begin(segment, 0, state)
            if (solution := self.solver.state.solution) is not None:
                state, reference_state = solution(np.zeros(1))[0], first_known_state(problem, solution)
        segment, state = self.recorder.record_start(state, self._trajectory.motion_of_rows, reference_state)
        self._begin(segment, 0, state)
        self.diagnostics.remarks = (*problem.event_remarks(), *formulation.remarks())

    def _begin(self, segment: LaneSegment, sample: int, state: np.ndarray) -> None:
        """Continue from a state (k,) at a sample. End the lane if the required closed form does not exist."""
        try:
            self.solver.begin(segment, sample, state)
        except NoClosedForm as error:
            self.message = phrase(
                "{lane} has nothing to show: {reason}", lane=self.name, reason=error.args[0]
            )
            self.ended_at, self.status = sample * self.interval, error.status

    def _advance_to_event(self, count: int, max_steps: int) -> int:
        """Compute up to `count` more samples in up to `max_steps` steps, and return the number of steps made. If the
        last of these samples has events, apply them."""
        rows = self.history.reserve(count)
        result = self.solver.advance(rows, max_steps)
        sample = result.state.sample
        if result.status == blocks.RUNNING and result.row_count == count and sample in self.problem.events:
            try:
                self._apply_events(sample, rows[-1])
            except PLUGIN_EXCEPTIONS:
                self.history.publish(count - 1)  # keep the samples before it
                raise
        self.history.publish(result.row_count)
        if result.status != blocks.RUNNING:
            self._end_early(result)
        return result.steps

    def _apply_events(self, sample: int, row: np.ndarray) -> None:
        """Apply the events at a sample to its recorded row (k,), and continue from the state after the
        events."""
        segment, state = self.recorder.apply_events(
            sample, self.solver.segment, row, self._trajectory.motion_of_rows
        )
        self._begin(segment, sample, state)
        if records := self.solver.first_record(tuple(state.tolist())):
            row[len(state) :] = records

    def _load_kernels(self) -> None:
        result = self.solver.load_kernels(self.history.reserve(0))
        self.load_measures(self.solver.segment)
        if self.prepared:
            return
        first, segment = self.history.rows[0], self.solver.segment
        if records := self.solver.first_record(tuple(first.tolist())):
            self.history.set_first_record(records)
        # Blocks of fixed steps check the start themselves, adaptive ones the end of their first step.
        is_unchecked = bool(self.formulation.singularity_title) and not segment.integrator.fixed_step
        if is_unchecked and not abs(self.singularity_measure(first, segment)) > segment.threshold:
            result = result._replace(status=blocks.SINGULAR)
        if result.status != blocks.RUNNING:
            self._end_early(result)
        self.prepared = True

    def _end_early(self, result: StepResult) -> None:
        """End the lane early with the status that a block of steps returned, and store the message that
        explains it."""
        self.ended_at, self.message = early_end(self, result)
        self.status = STATUSES[result.status]

    @contextmanager
    def _catch_outside_errors(self) -> Iterator[None]:
        """Catch an exception in third-party code, so that it ends this lane but not the run."""
        try:
            yield
        except InputError:
            raise
        except PLUGIN_EXCEPTIONS as error:
            if not self.problem.outside_modules:
                raise
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """End the lane early with the message of an exception in third-party code."""
        log.error("the lane %s ended", self.name, exc_info=error)
        reason = describe_exception(error, self.problem.outside_modules)
        self.message = end_message(self.name, self.computed_to, reason)
        self.ended_at, self.status = self.computed_to, "failed"
