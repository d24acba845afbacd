"""One lane of a run: a formulation with its integrator and step, its state and its history."""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from time import thread_time
from typing import Any, NamedTuple, Self

import numpy as np

from quatviz.base.errors import (
    PLUGIN_EXCEPTIONS,
    InputError,
    describe_exception,
    join_phrases,
    phrase,
    third_party_modules,
)
from quatviz.base.translation import tr
from quatviz.files.preset import Lane, Preset, time_of_sample
from quatviz.physics.events.base import Event, PhysicalConfig
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations import FORMULATIONS, make_formulation
from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.binder import LazyDispatcher
from quatviz.physics.loads import LOADS, VariableLoadSum, bind, variable_sums
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.observables.interpolation import InterpolationNodes, interpolation_nodes
from quatviz.physics.observables.plausibility import undersampling_warning
from quatviz.physics.observables.quantities import QUANTITIES, DriftReference, Motion
from quatviz.simulation.dense_output import DenseOutput, closed_form_from
from quatviz.simulation.end_reasons import (
    divergence_reason,
    end_message,
    growth_reason,
    non_finite_message,
    singularity_reason,
    with_lane_title,
)
from quatviz.simulation.history import History, HistoryHash
from quatviz.simulation.lane_settings import (
    formulation_options,
    validate_file,
    validate_lane,
)
from quatviz.simulation.schedule import (
    LaneSegment,
    ScheduledEvent,
    build_schedule,
    event_layout,
    run_conserved_quantities,
    segment_factory,
)
from quatviz.simulation.trajectory import TrajectoryReader, choose_rows_per_sample, concatenate_motions
from quatviz.simulation.verdict import AccuracyVerdict, VerdictSource

log = logging.getLogger(__name__)

STEPS_PER_BLOCK = 40_000
"""Steps of one lane per block at most: a few milliseconds without the GIL, so that the window seldom waits for it."""
BLOCK_TIME = 0.004
"""Processor time of a block [s], by what the lane's steps have cost so far: the cursor moves, and commands take effect,
between two blocks."""
FIRST_BLOCK = 2_000
"""Steps of a lane's first block, whose cost is not known yet."""
OVERFLOW_LIMIT = 1e100
"""Beyond it a number has grown, and what is not finite follows from that."""
CHECKED_SAMPLES = 200
"""Number of samples at which the rate of the body is compared with the sample interval, first and last included."""
_SEARCH_CHUNK = 1000
"""Samples at once, among which one is looked for that is known."""
UNLIMITED_STEPS = 2**62
"""More steps than are ever made."""

STATUSES = {blocks.SINGULAR: "singular", blocks.NOT_FINITE: "not_finite", blocks.STEP_FAILED: "step_failed"}


class LaneRecord(NamedTuple):
    """What a lane has recorded, and how it ended: enough to read it in another process."""

    rows: np.ndarray
    """States, and what stands beside them (n, k)."""
    pre_event_rows: dict[int, np.ndarray]
    """The row (k,) that led to the events at each sample."""
    references: tuple[DriftReference | None, ...]
    """What drifts are measured from in each of its segments."""
    status: str
    message: str
    ended_at: float | None
    steps: int
    seconds: float


class LaneRun:
    """A lane in progress. The worker calls `advance`; everybody else only reads.

    `status` is `running` until the lane reaches the run's duration (`ok`) or ends early (`singular`, `not_finite`,
    `step_failed`, `no_closed_form`, `no_recording`, `recording_ended`), when `message` says what happened in one sentence; what
    was computed stays.
    """

    def __init__(self, name: str, spec: Lane, preset: Preset, index: int) -> None:
        self.name = name
        self.spec = spec
        self.status = "running"
        self.message = ""
        self._cached_undersampling: tuple[int, str] = 0, ""
        """Number of samples, and the warning that they are too far apart."""
        self.accuracy_check: Any = None
        """The lane's `simulation.diagnostics.AccuracyCheck`, once it is asked for."""
        self.ended_at: float | None = None
        """Time at which the lane ended early [s]."""
        self.steps = 0
        self.seconds = 0.0
        """Processor time that the steps took, for the cost per step [s]."""
        self.preset = preset
        self.index = index
        """Its number in the preset."""
        self._preset_key = f"lanes[{index}]"
        integrator_name = spec.integrator or preset.run.integrator
        part_types = FORMULATIONS.get(spec.formulation.partition("/")[0]), INTEGRATORS.get(integrator_name)
        parts = [part_type for part_type in part_types if part_type is not None]
        parts += [
            type(part) for event in preset.events for part in (event, *(getattr(event, "loads", None) or ()))
        ]
        self._outside_modules = third_party_modules([*parts, *map(type, preset.loads)])
        """Modules of what takes part and is not quatviz's own."""
        self._integrator_key = f"{self._preset_key}.integrator" if spec.integrator else "run.integrator"
        try:
            formulation, integrator = (
                self._formulation(),
                INTEGRATORS.find(integrator_name, self._integrator_key),
            )
            if formulation.has_closed_form:  # nothing is integrated, nor recorded of steps
                integrator = INTEGRATORS["rk4"]
            self._build(preset, formulation, integrator())
        except InputError:
            raise
        except PLUGIN_EXCEPTIONS as error:
            if not self._outside_modules:
                raise
            # What stands at the start, by equations that are there: nothing of the lane's own can be asked.
            self.preset = replace(preset, loads=(), events=())
            self._build(self.preset, placeholder_formulation(spec.formulation), INTEGRATORS["rk4"]())
            self._fail(error)

    def _formulation(self) -> Formulation:
        family = FORMULATIONS.get(self.spec.formulation.partition("/")[0])
        if family is not None:
            validate_file(self.spec, family, self._preset_key)
        return make_formulation(
            self.spec.formulation, f"{self._preset_key}.formulation", formulation_options(self.spec)
        )

    def _build(self, preset: Preset, formulation: Formulation, integrator: Integrator) -> None:
        """What the lane consists of, and its first sample."""
        name, spec = self.name, self.spec
        self.formulation = formulation
        if type(formulation).__module__ != __name__:
            validate_lane(spec, formulation, integrator, self._preset_key)
        self.interval = preset.run.sample_interval
        self._digest = HistoryHash(self.formulation.id, preset.run.sample_interval)
        self._segments, self._scheduled = build_schedule(
            preset, name, segment_factory(name, formulation, integrator, spec, preset, self._preset_key)
        )
        self._segment = self._segments[0]
        self.method: Any = None if self.formulation.has_closed_form else self._make_method()
        self._cached_kernel: tuple[Any, LaneSegment | None, Any] = None, None, None
        """A kernel, with the method and the segment that it is for."""
        self.remarks: tuple[str, ...] = tuple(
            phrase(
                "{event} at t = {time:g} s: {remark}",
                event=phrase(event.title),
                time=event.at,
                remark=event_remark,
            )
            for event in preset.events
            if event.applies_to(name) and (event_remark := self._event_remark(event))
        )
        """A sentence for each event that has no effect on this lane, or not all of it, and what its formulation has to say."""
        self.history = History(
            len(self.formulation.component_names),
            round(preset.run.duration / self.interval) + 1,
            record_width=len(self.integrator.records),
        )
        self._make_readers(preset)
        self._solution: StateFunction | None = None
        self._solution_start = 0
        """The sample from which the closed form counts its time."""
        self._record_start()
        self.remarks += tuple(self.formulation.remarks())
        self.prepared = self.formulation.has_closed_form
        """Whether the compiled kernels are at hand: before that, whoever asks for lambda waits for the compiler."""
        self._steps_since_sample = 0
        """Steps made since the last sample, and the state that they led to."""
        self._state_since_sample: tuple[float, ...] = ()
        if self.formulation.has_closed_form and not self.formulation.is_recorded:
            self._find_solution(0, self.history.rows[0])

    def _make_readers(self, preset: Preset) -> None:
        """What reads the history: the states at any time, and the motion that they mean."""
        self._pre_event_rows: dict[int, np.ndarray] = {}
        """The row that led to the events at each sample: recorded is what they made of it."""
        self._dense_output = DenseOutput(
            self.formulation, self._segments, self.history, self._pre_event_rows, self.interval
        )
        is_replayable = not self._outside_modules and all(
            are_registered(segment.config.loads) for segment in self._segments
        )
        self._rows_per_sample = (
            choose_rows_per_sample(self.formulation, self._segments) if is_replayable else 1
        )
        """Rows from a sample to the next. Equations of a person are not asked for more than they were."""
        self._trajectory = TrajectoryReader(
            self.formulation,
            self.integrator,
            preset,
            self._segments,
            self.history,
            self.motion_within,
            self._rows_per_sample,
        )

    def _event_remark(self, event: Event) -> str:
        """What of an event has no effect on this lane, and why."""
        if self.formulation.is_recorded:
            return phrase("nothing happens to what was recorded")
        return event.no_effect_reason(self.formulation.blocks)

    # --- computing (the worker's thread)

    @property
    def samples(self) -> int:
        """Recorded samples, the start included."""
        return len(self.history)

    @property
    def intervals_between_events(self) -> list[tuple[int, int, PhysicalConfig]]:
        """First sample, the one at which the next event happens or the last, and the setting between them."""
        configs = {segment.first: segment.config for segment in self._segments}
        cuts = sorted({0, *configs, *self._scheduled})
        cuts = [*(cut for cut in cuts if cut < self.samples - 1), self.samples - 1]
        config, intervals = self._segments[0].config, []
        for first, last in pairwise(cuts):
            config = configs.get(first, config)
            intervals.append((first, last, config))
        return intervals

    @property
    def event_log(self) -> list[tuple[float, str, str]]:
        """Time [s], title and words of each event so far, as they came."""
        return [
            (time_of_sample(sample, self.interval), scheduled.event.title, scheduled.event.summary)
            for sample, events in sorted(self._scheduled.items())
            for scheduled in events
            if sample < self.samples
        ]

    @property
    def loads(self) -> Sequence[Load]:
        """What acts on the body, at one time or another."""
        return [load for segment in self._segments for load in segment.config.loads]

    @property
    def first_segment(self) -> LaneSegment:
        """What its kernels read from the start on: for whoever steps many runs at once."""
        return self._segments[0]

    @property
    def segments(self) -> Sequence[LaneSegment]:
        """The intervals of the lane in which body, loads and step stay the same, in order."""
        return self._segments

    @property
    def scheduled_events(self) -> Mapping[int, Sequence[ScheduledEvent]]:
        """The events of the lane by the number of the sample at which they happen."""
        return self._scheduled

    @property
    def load_sums(self) -> list[VariableLoadSum]:
        """The sums over loads that are not constant, which its kernels call, and which are compiled for themselves."""
        return [load_sum for segment in self._segments for load_sum in variable_sums(segment.parameters)]

    @property
    def integrator(self) -> Integrator:
        """The method, with the tolerances that the lane has now."""
        return self._segment.integrator

    @property
    def dt(self) -> float:
        """The step [s], of a closed form the sample interval."""
        return self._segment.dt

    @property
    def singularity_limit(self) -> float:
        """Magnitude of the singularity measure within which the lane would end at its start: it grows with the step and with the
        velocity."""
        segment = self._segments[0]
        return self.formulation.singularity_limit(self.history.rows[0], segment.parameters, segment.step)

    @property
    def steps_per_sample(self) -> int:
        """Steps for each sample."""
        return self._segment.steps_per_sample

    @property
    def computed_to(self) -> float:
        """Time of the last recorded sample [s]."""
        return time_of_sample(self.samples - 1, self.interval)

    @property
    def alive(self) -> bool:
        """Whether the lane has not ended early."""
        return self.status in ("running", "ok")

    def advance_briefly(self, count: int, blocks: int = 1) -> None:
        """Compute up to `count` more samples for about the time of so many blocks: whoever computes can be spoken to between two
        of these, be it within a sample of many steps."""
        steps = FIRST_BLOCK
        if not math.isnan(self.cost):
            steps = min(STEPS_PER_BLOCK, max(1, round(BLOCK_TIME / max(self.cost, 1e-9))))
        steps_per_row = (
            self.steps / (self.samples - 1) if self.samples > 1 and self.steps else self.steps_per_sample
        )
        if self.formulation.has_closed_form:
            steps_per_row = 1  # it makes no steps, and many samples cost it little more than few
        self.advance(min(count, max(1, int(steps * blocks / steps_per_row))), steps * blocks)

    def advance(self, count: int, max_steps: int = UNLIMITED_STEPS) -> None:
        """Compute `count` more samples, fewer if the lane ends or `max_steps` steps do not come so far: the next goes on there."""
        goal = self.samples + count
        with self._catch_outside_errors():
            while self.alive and self.samples < goal and max_steps > 0:
                next_stop = min([goal, *(sample + 1 for sample in self._scheduled if sample >= self.samples)])
                max_steps -= self._advance(next_stop - self.samples, max_steps)

    @contextmanager
    def _catch_outside_errors(self) -> Iterator[None]:
        """An exception in a part from outside ends the lane, and not the run."""
        try:
            yield
        except InputError:
            raise
        except PLUGIN_EXCEPTIONS as error:
            if not self._outside_modules:
                raise
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """End the lane with an exception from outside."""
        log.error("the lane %s ended", self.name, exc_info=error)
        self.message = end_message(
            self.name, self.computed_to, describe_exception(error, self._outside_modules)
        )
        self.ended_at, self.status = self.computed_to, "failed"

    def _advance(self, count: int, max_steps: int) -> int:
        """Compute up to `count` more samples in up to `max_steps` steps, which it counts; events may happen at the last."""
        rows = self.history.reserve(count)
        if self.formulation.has_closed_form:
            self._fill_from_solution(rows)
            return 0
        steps_before = self.integrator.steps_made(self.method)
        started = thread_time()
        status, written_rows, time, state = self._run_block(rows, max_steps)
        self.seconds += thread_time() - started
        steps_after = self.integrator.steps_made(self.method)
        is_complete, steps_since_sample = (
            status != blocks.RUNNING or written_rows == count,
            self._steps_since_sample,
        )
        if steps_after is not None and steps_before is not None:
            steps_done = steps_after - steps_before
        elif status != blocks.RUNNING:  # somewhere within a sample, at a time that counts steps
            steps_done = round(time * self.steps_per_sample / self.interval)
            steps_done -= (self.samples - 1) * self.steps_per_sample + self._steps_since_sample
        else:
            steps_done = (
                written_rows * self.steps_per_sample - steps_since_sample if is_complete else max_steps
            )
            self._steps_since_sample = steps_since_sample + steps_done - written_rows * self.steps_per_sample
        self._state_since_sample = state
        self.steps += steps_done
        last = self.samples + count - 1
        if status == blocks.RUNNING and is_complete and last in self._scheduled:
            try:
                self._apply_events(last, rows[-1])
            except PLUGIN_EXCEPTIONS:
                self.history.publish(written_rows - 1)  # what led to it stays
                raise
        self.history.publish(written_rows)
        if status != blocks.RUNNING:
            self._end_early(STATUSES[status], time, np.array(state))
        return steps_done

    def _run_block(
        self, rows: np.ndarray, max_steps: int = UNLIMITED_STEPS
    ) -> tuple[int, int, float, tuple[float, ...]]:
        """Let the kernel fill these rows, which follow the last recorded one, in up to `max_steps` steps: status, rows filled, time
        [s] and state reached."""
        segment = self._segment
        last = tuple(self.history.rows[-1].tolist())
        arguments = (
            self.method,
            segment.parameters,
            segment.projection,
            (self.samples - 1) * segment.steps_per_sample + self._steps_since_sample,
            segment.steps_per_sample,
            max_steps,
            segment.step,
            segment.threshold,
            self._state_since_sample if self._steps_since_sample else last,
            rows,
        )
        return self._kernel_for(arguments)(*arguments)

    def _kernel_for(self, arguments: tuple[Any, ...]) -> Any:
        """What fills the rows. Types of arguments follow from method and segment: to tell them again for each block takes as long
        as some thousand steps."""
        block = self.integrator.block
        if not isinstance(block, LazyDispatcher):
            return block
        method, segment, kernel = self._cached_kernel
        if method is not self.method or segment is not self._segment:
            kernel = block.entry_point(*arguments)
            self._cached_kernel = self.method, self._segment, kernel
        return kernel

    @classmethod
    def from_record(cls, name: str, preset: Preset, index: int, record: LaneRecord) -> Self:
        """A lane that has recorded what another one had, and is as far."""
        lane = cls(name, preset.lanes[index], preset, index)
        lane.history.load(record.rows)
        lane._pre_event_rows.update(record.pre_event_rows)
        for segment, reference in zip(lane._segments, record.references, strict=True):
            segment.reference = reference
        lane.status, lane.message, lane.ended_at = record.status, record.message, record.ended_at
        lane.steps, lane.seconds = record.steps, record.seconds
        lane.prepared = True
        return lane

    def to_record(self) -> LaneRecord:
        """What is recorded so far; it stays as it is when the lane goes on."""
        references = tuple(segment.reference for segment in self._segments)
        rows = self.history.all_columns
        return LaneRecord(
            rows,
            dict(self._pre_event_rows),
            references,
            self.status,
            self.message,
            self.ended_at,
            self.steps,
            self.seconds,
        )

    @property
    def cost(self) -> float:
        """Processor time per step [s]; NaN before the first, and where nothing is stepped."""
        return self.seconds / self.steps if self.steps else math.nan

    def finish(self) -> None:
        """The run's duration is reached."""
        if self.status == "running":
            self.status = "ok"

    def resume(self) -> None:
        """The run's duration was extended."""
        if self.status == "ok":
            self.status = "running"

    def prepare(self) -> None:
        """Load the compiled kernels, compiling them where the cache has none; see whether the start is singular."""
        if self.formulation.has_closed_form:
            return
        with self._catch_outside_errors():
            self._load_kernels()

    def _load_kernels(self) -> None:
        for load_sum in self.load_sums:
            _ = load_sum.function
        status, _, time, _ = self._run_block(self.history.reserve(0))
        if self._trajectory.needs_kernel:
            self._trajectory.measures(self.history.rows[:1], 0, self._segment)
        if self.integrator.records and not self.prepared:
            self.history.set_first_record(
                self.integrator.first_record(
                    self.method, self._segment.parameters, self.dt, tuple(self.history.rows[0].tolist())
                )
            )
        if not self.prepared:
            self._check_start(status, time)
        self.prepared = True

    # --- reading

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """The stretch of samples `start:stop`, from which every quantity follows."""
        return self._trajectory.motion(start, stop)

    def motion_at(self, samples: np.ndarray) -> Motion:
        """These samples (n,), which need not follow each other."""
        return self._trajectory.motion_at(samples)

    def nodes(self, position: float, count: int) -> InterpolationNodes:
        """The samples that say what is between two of the first `count`, at a place in samples, or the rows between them to which
        the lane's own steps lead."""
        return interpolation_nodes(position, count, self.event_samples, self.rows_per_sample)

    @property
    def event_samples(self) -> tuple[int, ...]:
        """The samples behind the first one at which events have happened, in order: recorded is what these made."""
        return tuple(sorted(self._pre_event_rows))

    @property
    def rows_per_sample(self) -> int:
        """How many rows there are from a sample to the next, for whoever looks between them."""
        return self._rows_per_sample if self.prepared else 1

    def motion_within(self, first: int, stop: int, rows_per_sample: int | None = None) -> Motion:
        """Return the motion at equidistant rows.

        Parameters
        ----------
        first, stop
            Number of the first row, and the one behind the last.
        rows_per_sample
            How many rows lead from a sample to the next; `LaneRun.rows_per_sample` unless given.
        """
        if rows_per_sample is None:
            rows_per_sample = choose_rows_per_sample(self.formulation, self._segments)
        if rows_per_sample == 1:
            return self.motion(first, stop)
        numbers = np.arange(first, stop)
        rows = self._dense_output.equal_rows(first, stop, rows_per_sample)
        segments = np.searchsorted(
            [segment.first for segment in self._segments], numbers // rows_per_sample, "right"
        )
        cuts = [0, *(np.flatnonzero(np.diff(segments)) + 1).tolist(), len(numbers)]
        return concatenate_motions(
            [
                self._trajectory.motion_within(rows[low:high], first + low, rows_per_sample)
                for low, high in pairwise(cuts)
            ]
        )

    def motion_from_attitudes(self, p: np.ndarray, position: float) -> Motion:
        """Rows that have these attitudes (n, 4) at a place in samples, and do not turn: for what follows from attitudes alone."""
        return self._trajectory.motion_from_attitudes(p, position)

    def state_before_event(self, sample: int) -> Motion:
        """What led to the events at a sample, one row long."""
        return self._trajectory.state_before_event(self._pre_event_rows[sample], sample)

    def derivative(self, t: float, state: np.ndarray) -> tuple[np.ndarray, float]:
        """The derivative (m,) of a state (m,) at t [s] by this form's own kernel, and lambda [J]."""
        if self.formulation.has_closed_form:
            raise InputError(
                "the derivative", expected="a lane that is integrated", found=phrase("the closed form {form}", form=self.name),
                remedy="choose another lane", key="formulation",
            )  # fmt: skip
        if np.shape(state) != (len(self.formulation.component_names),):
            raise InputError(
                "the state",
                expected=", ".join(self.formulation.component_names),
                found=phrase("{count} numbers", count=np.size(state)),
                remedy="take a row of lane.states",
                topic="scripting#what-a-lane-knows",
            )
        sample = min(int(t / self.interval + 1e-9), UNLIMITED_STEPS)
        segment = next(
            candidate for candidate in reversed(self._segments) if candidate.first <= max(sample, 0)
        )
        rate, lam = blocks.derivative(segment.parameters, float(t), tuple(map(float, state)))
        return np.array(rate), float(lam)

    def states_at(self, times: np.ndarray) -> np.ndarray:
        """Return the states (n, m) at any times (n,) [s] from 0 to `computed_to`: see `DenseOutput.states_at`."""
        return self._dense_output.states_at(times)[:, : len(self.formulation.component_names)]

    def motion_at_times(self, times: np.ndarray) -> Motion:
        """Return the motion at any times (n,) [s] from 0 to `computed_to`."""
        if not len(times):
            return self.motion(0, 0)
        return self._trajectory.motion_at_times(times, self._dense_output.states_at(times))

    def __getattr__(self, name: str) -> np.ndarray:
        """Every quantity of `physics.observables.quantities.QUANTITIES`, and `t`, over the whole lane."""
        if name == "t":
            return np.arange(self.samples) * self.interval
        if name in QUANTITIES:
            return QUANTITIES[name].values(self.motion())
        raise AttributeError(f"a lane has no {name!r}; its quantities are t, {', '.join(QUANTITIES)}")

    def angles(self, sequence: str) -> np.ndarray:
        """Euler angles (n, 3) [rad] of a sequence such as "313", in the order of the rotations."""
        return self.motion().angles(sequence)

    @property
    def digest(self) -> str:
        """SHA-256 of the form, the sample interval and the bits of every state recorded so far; empty before the first
        step can be made."""
        return self._digest.hexdigest(self.history) if self.prepared else ""

    @property
    def lam_parts(self) -> dict[str, np.ndarray]:
        """The terms of lambda in theory, each (n,) [J]; empty without multiplier."""
        return self.motion().lam_parts

    def _record_start(self) -> None:
        """Record the start, after the events that happen there."""
        initial, segment = self.preset.initial, self._segment
        state = self.formulation.start(initial.p(), initial.omega(self.preset.body), segment.parameters)
        reference_state = state
        if self.formulation.is_recorded:
            self._find_solution(0, state)
            if self._solution is not None:
                state, reference_state = self._solution(np.zeros(1))[0], self._first_known_state()
        segment.reference = DriftReference.from_motion(
            self._trajectory.motion_of_rows(reference_state[None, :], 0, segment)
        )
        first = self._after_events(0, state)
        self.history.reserve(1)[0] = (*first, *[math.nan] * len(self.integrator.records))
        self.history.publish(1)

    def _first_known_state(self) -> np.ndarray:
        """The first state of a recording at which anything is known, from which its drifts are measured."""
        assert self._solution is not None
        last = min(self.formulation.end_time(), self.preset.run.duration)
        for first in range(0, int(last / self.interval) + 1, _SEARCH_CHUNK):
            states = self._solution((first + np.arange(_SEARCH_CHUNK)) * self.interval)
            known_rows = np.flatnonzero(np.isfinite(states).all(axis=1))
            if len(known_rows):
                return states[known_rows[0]]
        return np.full(len(self.formulation.component_names), np.nan)

    def _apply_events(self, sample: int, row: np.ndarray) -> None:
        """Let the events at a sample change its row, and forget what the integrator knows of the motion before."""
        width = len(self.formulation.component_names)
        self._pre_event_rows[sample] = row.copy()
        row[:width] = self._after_events(sample, row[:width])
        if self.formulation.has_closed_form:
            if not self.formulation.is_recorded:
                self._find_solution(sample, row)
            return
        self.method = self._make_method()
        if self.integrator.records:
            state = tuple(row[:width].tolist())
            row[width:] = self.integrator.first_record(self.method, self._segment.parameters, self.dt, state)

    def _after_events(self, sample: int, state: np.ndarray) -> np.ndarray:
        """The state from which the lane goes on after the events at a sample."""
        for scheduled in self._scheduled.get(sample, ()):
            previous, segment = self._segment, scheduled.segment
            layout = event_layout(self.formulation, previous)
            if segment is not None:
                self._segment = segment
                layout = event_layout(self.formulation, segment, previous=layout)
            if not self.formulation.is_recorded:
                state = scheduled.event.apply(state, layout)
            if segment is not None and not (segment.resets_reference and np.isfinite(state).all()):
                segment.reference = previous.reference
            elif segment is not None:
                segment.reference = DriftReference.from_motion(
                    self._trajectory.motion_of_rows(state[None, :], sample, segment)
                )
        return state

    def _find_solution(self, sample: int, state: np.ndarray) -> None:
        """Find the closed form of the motion that goes on from a sample, or end where none is known."""
        self._solution_start = sample
        try:
            self._solution = closed_form_from(self.formulation, self._segment, state)
        except NoClosedForm as error:
            self._solution = None
            self.message = phrase("{lane} has nothing to show: {lack}", lane=self.name, lack=error.args[0])
            self.ended_at, self.status = sample * self.interval, error.status

    def _fill_from_solution(self, rows: np.ndarray) -> None:
        """Fill the next rows with what the closed form says."""
        assert self._solution is not None
        first, last = self.samples, self.samples + len(rows) - 1
        times = (first - self._solution_start + np.arange(len(rows))) * self.interval
        rows[:] = self._solution(times)
        known_count = int((times <= self.formulation.end_time() + 1e-6 * self.interval).sum())
        if last in self._scheduled and known_count == len(rows):
            self._apply_events(last, rows[-1])
        self.history.publish(known_count)
        if known_count < len(rows):
            self.message = phrase(
                "the recording {lane} ends at t = {time:.6g} s", lane=self.name, time=self.computed_to
            )
            self.ended_at, self.status = self.computed_to, "recording_ended"

    def _make_method(self) -> Any:
        """The integrator's own tuple for this lane; what it refuses is the choice of integrator."""
        try:
            return self.integrator.method(self.formulation)
        except InputError as refusal:
            raise refusal.with_place(self._integrator_key, self._integrator_key) from None

    def _check_start(self, status: int, time: float) -> None:
        """End the lane at a start that is singular. Blocks of fixed steps say so themselves, adaptive ones after their first
        step."""
        if self.formulation.singularity_title and not self.integrator.fixed_step:
            measure = self._trajectory.measures(self.history.rows[:1], 0, self._segment)[0, 1]
            status = blocks.RUNNING if abs(measure) > self._segment.threshold else blocks.SINGULAR
        if status != blocks.RUNNING:
            self._end_early(STATUSES[status], time, self.history.rows[0])

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
        if self.status != "ok":
            return self.remarks
        verdict, remarks = self.verdict, [*self.remarks, self._undersampling]
        if verdict is not None and verdict.is_about_equations:
            remarks.append(verdict.message)
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

    def _end_early(self, status: str, time: float, state: np.ndarray) -> None:
        self.message = end_message(self.name, time, self._explain_end(status, state, time))
        self.ended_at, self.status = time, status

    def _explain_end(self, status: str, state: np.ndarray, time: float) -> str:
        if status == "singular":
            measure = self._trajectory.measures(state[None, :], 0, self._segment)[0, 1]
            segment = self._segment
            return singularity_reason(
                self.formulation, segment.parameters, segment.step, self.interval, state, float(measure)
            )
        if self.has_user_code and (reason := self._non_finite_reason(state, time)):
            return reason
        if status == "step_failed":
            return self.integrator.explain_failure()
        if reason := self._growth_reason():
            return reason
        title, rows = self.formulation.singularity_title, self.history.rows[-1:]
        last = float(self._trajectory.measures(rows, self.samples - 1, self._segment)[0, 1]) if title else 0.0
        return divergence_reason(self._segment.config, self.dt, time, title, last)

    def _growth_reason(self) -> str:
        """That the motion itself grew, where its energy may change and the steps are of a method that follows it."""
        integrator = self.integrator
        if not integrator.fixed_step or integrator.order < 4 or self.samples < 2:
            return ""
        if "energy_drift" in run_conserved_quantities(self.preset):
            return ""
        samples = np.unique(np.linspace(0, self.samples - 1, CHECKED_SAMPLES).astype(int))
        return growth_reason(self.motion_at(samples), self.dt)

    @property
    def outside_modules(self) -> Sequence[str]:
        """Modules of formulations, methods, loads and events that are not quatviz's own."""
        return self._outside_modules

    @property
    def has_user_code(self) -> bool:
        """Whether equations take part that are not quatviz's own: of a package, a notebook's cell, or a script's potential."""
        return bool(self._outside_modules) or not are_registered(self._segment.config.loads)

    def _non_finite_reason(self, state: np.ndarray, time: float) -> str:
        """What gives no number, and when, as a classical Runge-Kutta step asks for rates that begins with this state, or with the
        last one that was finite; empty where every rate is one, for then the state has grown."""
        segment = self._segment
        dt = segment.step
        if not np.isfinite(state).all():
            time, state = self._last_finite(dt)
        rate = np.zeros_like(state)
        for fraction in (0.0, 0.5, 0.5, 1.0):
            t, stage_state = time + fraction * dt, state + fraction * dt * rate
            if not np.abs(stage_state).max() < OVERFLOW_LIMIT:
                return ""
            rate = np.array(blocks.derivative(segment.parameters, t, tuple(stage_state.tolist()))[0])
            if not np.isfinite(rate).all():
                return non_finite_message(self._non_finite_term(t, stage_state, rate), t)
        return ""

    def _last_finite(self, dt: float) -> tuple[float, np.ndarray]:
        """Time [s] and state after the last step of `dt` [s] that led to finite numbers; the last sample where steps do not fall on
        samples."""
        state = self.history.rows[-1]
        if self.integrator.steps_made(self.method) is not None:
            return self.computed_to, state
        low, high = 0, self.steps_per_sample
        self._steps_since_sample = 0
        while high - low > 1:
            middle = (low + high) // 2
            reached = np.array(self._run_block(self.history.reserve(1), middle)[3])
            if np.isfinite(reached).all():
                low, state = middle, reached
            else:
                high = middle
        return self.computed_to + low * dt, state

    def _non_finite_term(self, t: float, state: np.ndarray, rate: np.ndarray) -> str:
        """What has no number there: the torque of a load, or rates by their names."""
        config = self._segment.config
        p, omega = self.formulation.observe(state[None], self._segment.parameters)
        for load in bind(config.loads, config.body):
            if not np.isfinite(load.torque(np.array([t]), normalize(p), omega)).all():
                return phrase("the torque of the load {load}", load=phrase(load.name.replace("_", " ")))
        names = [
            name
            for name, rate_component in zip(self.formulation.component_names, rate, strict=True)
            if not np.isfinite(rate_component)
        ]
        return phrase(
            "the rate of {names} by the equations of {form}",
            names=join_phrases(names),
            form=self.formulation.id,
        )


def are_registered(loads: Iterable[Load]) -> bool:
    """Whether every one is of a kind that a text can name: none is a script's own."""
    known = set(LOADS.values())
    return all(type(load) in known for load in loads)


def placeholder_formulation(lane_id: str) -> Formulation:
    """Newton's and Euler's equations by the name of a lane whose own cannot be made."""
    newton_euler = type(make_formulation("newton_euler"))
    placeholder: type[Formulation] = type(
        newton_euler.__name__, (newton_euler,), {"__module__": __name__, "name": lane_id}
    )
    return placeholder("", None)
