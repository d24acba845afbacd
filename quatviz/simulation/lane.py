"""One lane of a run: a formulation with its integrator and step, its state and its history."""

import logging
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from time import thread_time
from typing import Any, NamedTuple, Self

import numpy as np

from quatviz.base.errors import FAULTS, InputError, Phrase, listed, modules_outside, phrase, told_of
from quatviz.base.translation import told
from quatviz.files.preset import Lane, Preset, time_of
from quatviz.physics.events.base import Event, Setting
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.formulations import FORMULATIONS, lane_title, make_formulation
from quatviz.physics.formulations.base import Formulation, Solution
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.binder import Dispatched
from quatviz.physics.loads import LOADS, MovingLoads, bind, sums, undefined
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.rotations import normalise
from quatviz.physics.observables.interpolation import Nodes, nodes_about
from quatviz.physics.observables.plausibility import LOOKS, outrun, strayed
from quatviz.physics.observables.quantities import QUANTITIES, Motion, Reference
from quatviz.simulation.history import Digest, History
from quatviz.simulation.lane_settings import refuse_file, settings_of, uses, validate_lane
from quatviz.simulation.schedule import Segment, build_schedule, constants_of, layout_of, segments_of
from quatviz.simulation.trajectory import Retracing, TrajectoryReader, joined, solution_from

log = logging.getLogger(__name__)

STEPS_PER_BLOCK = 40_000
"""Steps of one lane per block at most: a few milliseconds without the GIL, so that the window seldom waits for it."""
BLOCK_TIME = 0.004
"""Processor time of a block [s], by what the lane's steps have cost so far: the cursor moves, and commands take effect,
between two blocks."""
FIRST_BLOCK = 2_000
"""Steps of a lane's first block, whose cost is not known yet."""
GROWN = 1e100
"""Beyond it a number has grown, and what is not finite follows from that."""
_LOOKED_AT = 1000
"""Samples at once, among which one is looked for that is known."""
_NO_END = 2**62
"""More steps than are ever made."""

STATUSES = {blocks.SINGULAR: "singular", blocks.NOT_FINITE: "not_finite", blocks.STEP_FAILED: "step_failed"}


class Record(NamedTuple):
    """What a lane has recorded, and how it ended: enough to read it in another process."""

    rows: np.ndarray
    """States, and what stands beside them (n, k)."""
    led: dict[int, np.ndarray]
    """The row (k,) that led to the events at each sample."""
    references: tuple[Reference | None, ...]
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
        self._story = 0, "", ""
        """What there is to tell of it when it is complete, a message and a remark, and with how many samples that was found."""
        self.ended_at: float | None = None
        """Time at which the lane ended early [s]."""
        self.steps = 0
        self.seconds = 0.0
        """Processor time that the steps took, for the cost per step [s]."""
        self.preset = preset
        self.index = index
        """Its number in the preset."""
        self._key = f"lanes[{index}]"
        chosen = spec.integrator or preset.run.integrator
        kinds = FORMULATIONS.get(spec.formulation.partition("/")[0]), INTEGRATORS.get(chosen)
        parts = [kind for kind in kinds if kind is not None]
        parts += [
            type(part) for event in preset.events for part in (event, *(getattr(event, "loads", None) or ()))
        ]
        self._outside = modules_outside([*parts, *map(type, preset.loads)])
        """Modules of what takes part and is not quatviz's own."""
        self._choice = f"{self._key}.integrator" if spec.integrator else "run.integrator"
        try:
            formulation, integrator = self._formulation(), INTEGRATORS.find(chosen, self._choice)
            if formulation.closed_form:  # nothing is integrated, nor recorded of steps
                integrator = INTEGRATORS["rk4"]
            self._make(preset, formulation, integrator())
        except InputError:
            raise
        except FAULTS as fault:
            if not self._outside:
                raise
            # What stands at the start, by equations that are there: nothing of the lane's own can be asked.
            self.preset = replace(preset, loads=(), events=())
            self._make(self.preset, stand_in(spec.formulation), INTEGRATORS["rk4"]())
            self._fail(fault)

    def _formulation(self) -> Formulation:
        family = FORMULATIONS.get(self.spec.formulation.partition("/")[0])
        if family is not None:
            refuse_file(self.spec, family, self._key)
        return make_formulation(self.spec.formulation, f"{self._key}.formulation", settings_of(self.spec))

    def _make(self, preset: Preset, formulation: Formulation, integrator: Integrator) -> None:
        """What the lane consists of, and its first sample."""
        name, spec = self.name, self.spec
        self.formulation = formulation
        if type(formulation).__module__ != __name__:
            validate_lane(spec, formulation, integrator, self._key)
        self.interval = preset.run.sample_interval
        self._digest = Digest(self.formulation.id, preset.run.sample_interval)
        self._segments, self._scheduled = build_schedule(
            preset, name, segments_of(name, formulation, integrator, spec, preset, self._key)
        )
        self._segment = self._segments[0]
        self.method: Any = None if self.formulation.closed_form else self._make_method()
        self._bound: tuple[Any, Segment | None, Any] = None, None, None
        """A kernel, with the method and the segment that it is for."""
        self.remarks: tuple[str, ...] = tuple(
            phrase(
                "{event} at t = {time:g} s: {remark}", event=phrase(event.title), time=event.at, remark=remark
            )
            for event in preset.events
            if event.concerns(name) and (remark := self._remark(event))
        )
        """A sentence for each event that has no effect on this lane, or not all of it, and what its formulation has to say."""
        self.history = History(
            len(self.formulation.state),
            round(preset.run.duration / self.interval) + 1,
            beside=len(self.integrator.records),
        )
        self._trajectory = TrajectoryReader(
            self.formulation, self.integrator, preset, self._segments, self.history
        )
        self._solution: Solution | None = None
        self._since = 0
        """The sample from which the closed form counts its time."""
        self._begin()
        self.remarks += tuple(self.formulation.remarks())
        self.prepared = self.formulation.closed_form
        """Whether the compiled kernels are at hand: before that, whoever asks for lambda waits for the compiler."""
        self._within = 0
        """Steps made since the last sample, and the state that they led to."""
        self._between: tuple[float, ...] = ()
        self._led: dict[int, np.ndarray] = {}
        """The row that led to the events at each sample: recorded is what they made of it."""
        self._retracing = Retracing(self.formulation, self._segments, self.history, self._led, self.interval)
        known = not self._outside and all(registered(each.setting.loads) for each in self._segments)
        self._per = self._retracing.per if known else 1
        """Rows from a sample to the next. Equations of a person are not asked for more than they were."""
        if self.formulation.closed_form and not self.formulation.recorded:
            self._solve(0, self.history.rows[0])

    def _remark(self, event: Event) -> str:
        """What of an event has no effect on this lane, and why."""
        if self.formulation.recorded:
            return phrase("nothing happens to what was recorded")
        return event.remark(self.formulation.blocks)

    # --- computing (the worker's thread)

    @property
    def samples(self) -> int:
        """Recorded samples, the start included."""
        return len(self.history)

    @property
    def stretches(self) -> list[tuple[int, int, Setting]]:
        """First sample, the one at which the next event happens or the last, and the setting between them."""
        places = {segment.first: segment.setting for segment in self._segments}
        cuts = sorted({0, *places, *self._scheduled})
        cuts = [*(cut for cut in cuts if cut < self.samples - 1), self.samples - 1]
        setting, found = self._segments[0].setting, []
        for first, last in pairwise(cuts):
            setting = places.get(first, setting)
            found.append((first, last, setting))
        return found

    @property
    def happened(self) -> list[tuple[float, str, str]]:
        """Time [s], title and words of each event so far, as they came."""
        return [
            (time_of(sample, self.interval), one.event.title, one.event.words)
            for sample, several in sorted(self._scheduled.items())
            for one in several
            if sample < self.samples
        ]

    @property
    def loads(self) -> Sequence[Load]:
        """What acts on the body, at one time or another."""
        return [load for segment in self._segments for load in segment.setting.loads]

    @property
    def first_segment(self) -> Segment:
        """What its kernels read from the start on: for whoever steps many runs at once."""
        return self._segments[0]

    @property
    def sums(self) -> list[MovingLoads]:
        """The sums over loads that are not constant, which its kernels call, and which are compiled for themselves."""
        return [each for segment in self._segments for each in sums(segment.parameters)]

    @property
    def integrator(self) -> Integrator:
        """The method, with the tolerances that the lane has now."""
        return self._segment.integrator

    @property
    def dt(self) -> float:
        """The step [s], of a closed form the sample interval."""
        return self._segment.dt

    @property
    def steps_per_sample(self) -> int:
        """Steps for each sample."""
        return self._segment.steps_per_sample

    @property
    def computed_to(self) -> float:
        """Time of the last recorded sample [s]."""
        return time_of(self.samples - 1, self.interval)

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
        each = self.steps / (self.samples - 1) if self.samples > 1 and self.steps else self.steps_per_sample
        if self.formulation.closed_form:
            each = 1  # it makes no steps, and many samples cost it little more than few
        self.advance(min(count, max(1, int(steps * blocks / each))), steps * blocks)

    def advance(self, count: int, most: int = _NO_END) -> None:
        """Compute `count` more samples, fewer if the lane ends or `most` steps do not come so far: the next goes on there."""
        goal = self.samples + count
        with self._guarded():
            while self.alive and self.samples < goal and most > 0:
                stretch = min([goal, *(sample + 1 for sample in self._scheduled if sample >= self.samples)])
                most -= self._advance(stretch - self.samples, most)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """An exception in a part from outside ends the lane, and not the run."""
        try:
            yield
        except InputError:
            raise
        except FAULTS as fault:
            if not self._outside:
                raise
            self._fail(fault)

    def _fail(self, fault: BaseException) -> None:
        """End the lane with an exception from outside."""
        log.error("the lane %s ended", self.name, exc_info=fault)
        self.message = ended(self.name, self.computed_to, told_of(fault, self._outside))
        self.ended_at, self.status = self.computed_to, "failed"

    def _advance(self, count: int, most: int) -> int:
        """Compute up to `count` more samples in up to `most` steps, which it counts; events may happen at the last."""
        rows = self.history.reserve(count)
        if self.formulation.closed_form:
            self._evaluate(rows)
            return 0
        before = self.integrator.steps_made(self.method)
        started = thread_time()
        status, written, time, state = self._block(rows, most)
        self.seconds += thread_time() - started
        made = self.integrator.steps_made(self.method)
        whole, within = status != blocks.RUNNING or written == count, self._within
        if made is not None and before is not None:
            done = made - before
        elif status != blocks.RUNNING:  # somewhere within a sample, at a time that counts steps
            done = round(time * self.steps_per_sample / self.interval)
            done -= (self.samples - 1) * self.steps_per_sample + self._within
        else:
            done = written * self.steps_per_sample - within if whole else most
            self._within = within + done - written * self.steps_per_sample
        self._between = state
        self.steps += done
        last = self.samples + count - 1
        if status == blocks.RUNNING and whole and last in self._scheduled:
            try:
                self._happen(last, rows[-1])
            except FAULTS:
                self.history.publish(written - 1)  # what led to it stays
                raise
        self.history.publish(written)
        if status != blocks.RUNNING:
            self._end(STATUSES[status], time, np.array(state))
        return done

    def _block(self, rows: np.ndarray, most: int = _NO_END) -> tuple[int, int, float, tuple[float, ...]]:
        """Let the kernel fill these rows, which follow the last recorded one, in up to `most` steps: status, rows filled, time
        [s] and state reached."""
        segment = self._segment
        last = tuple(self.history.rows[-1].tolist())
        arguments = (
            self.method,
            segment.parameters,
            segment.projects,
            (self.samples - 1) * segment.steps_per_sample + self._within,
            segment.steps_per_sample,
            most,
            self.interval / segment.steps_per_sample,
            segment.threshold,
            self._between if self._within else last,
            rows,
        )
        return self._kernel_for(arguments)(*arguments)

    def _kernel_for(self, arguments: tuple[Any, ...]) -> Any:
        """What fills the rows. Types of arguments follow from method and segment: to tell them again for each block takes as long
        as some thousand steps."""
        block = self.integrator.block
        if not isinstance(block, Dispatched):
            return block
        method, segment, kernel = self._bound
        if method is not self.method or segment is not self._segment:
            kernel = block.bound(*arguments)
            self._bound = self.method, self._segment, kernel
        return kernel

    @classmethod
    def restored(cls, name: str, preset: Preset, index: int, record: Record) -> Self:
        """A lane that has recorded what another one had, and is as far."""
        lane = cls(name, preset.lanes[index], preset, index)
        lane.history.take(record.rows)
        lane._led.update(record.led)
        for segment, reference in zip(lane._segments, record.references, strict=True):
            segment.reference = reference
        lane.status, lane.message, lane.ended_at = record.status, record.message, record.ended_at
        lane.steps, lane.seconds = record.steps, record.seconds
        lane.prepared = True
        return lane

    def record(self) -> Record:
        """What is recorded so far; it stays as it is when the lane goes on."""
        references = tuple(segment.reference for segment in self._segments)
        rows = self.history.whole
        return Record(
            rows,
            dict(self._led),
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
        if self.formulation.closed_form:
            return
        with self._guarded():
            self._prepare()

    def _prepare(self) -> None:
        for each in self.sums:
            _ = each.function
        self._block(self.history.reserve(0))
        if self._trajectory.takes_kernel:
            self._trajectory.measures(self.history.rows[:1], 0, self._segment)
        if self.integrator.records and not self.prepared:
            self.history.record_first(
                self.integrator.first_record(
                    self.method, self._segment.parameters, self.dt, tuple(self.history.rows[0].tolist())
                )
            )
        if not self.prepared:
            self._check_start()
        self.prepared = True

    # --- reading

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """The stretch of samples `start:stop`, from which every quantity follows."""
        return self._trajectory.between(start, stop)

    def motion_at(self, samples: np.ndarray) -> Motion:
        """These samples (n,), which need not follow each other."""
        return self._trajectory.at(samples)

    def nodes(self, place: float, count: int) -> Nodes:
        """The samples that say what is between two of the first `count`, at a place in samples, or the rows between them to which
        the lane's own steps lead."""
        return nodes_about(place, count, self.cuts, self.rows_per_sample)

    @property
    def cuts(self) -> tuple[int, ...]:
        """The samples behind the first one at which events have happened, in order: recorded is what these made."""
        return tuple(sorted(self._led))

    @property
    def rows_per_sample(self) -> int:
        """How many rows there are from a sample to the next, for whoever looks between them."""
        return self._per if self.prepared else 1

    def motion_within(self, first: int, stop: int) -> Motion:
        """The rows first:stop of which `rows_per_sample` lead from a sample to the next."""
        per = self._retracing.per
        return joined(
            [self._trajectory.within(rows, low, per) for low, rows in self._retracing.stretches(first, stop)]
        )

    def turned_to(self, p: np.ndarray, place: float) -> Motion:
        """Rows that have these attitudes (n, 4) at a place in samples, and do not turn: for what follows from attitudes alone."""
        return self._trajectory.turned_to(p, place)

    def led_to(self, sample: int) -> Motion:
        """What led to the events at a sample, one row long."""
        return self._trajectory.led_to(self._led[sample], sample)

    def derivative(self, t: float, state: np.ndarray) -> tuple[np.ndarray, float]:
        """The derivative (m,) of a state (m,) at t [s] by this form's own kernel, and lambda [J]."""
        if self.formulation.closed_form:
            raise InputError(
                "the derivative", expected="a lane that is integrated", found=phrase("the closed form {form}", form=self.name),
                remedy="choose another lane", key="formulation",
            )  # fmt: skip
        if np.shape(state) != (len(self.formulation.state),):
            raise InputError(
                "the state", expected=", ".join(self.formulation.state), found=phrase("{count} numbers", count=np.size(state)),
                remedy="take a row of lane.states", topic="scripting#what-a-lane-knows",
            )  # fmt: skip
        sample = min(int(t / self.interval + 1e-9), _NO_END)
        segment = next(each for each in reversed(self._segments) if each.first <= max(sample, 0))
        rate, lam = blocks.derivative(segment.parameters, float(t), tuple(map(float, state)))
        return np.array(rate), float(lam)

    def motion_at_times(self, times: np.ndarray, p: np.ndarray, omega: np.ndarray, sample: int) -> Motion:
        """At these times (n,) [s], attitudes and rates, within the setting of a sample."""
        return self._trajectory.at_times(times, p, omega, sample)

    def __getattr__(self, name: str) -> np.ndarray:
        """Every quantity of `motion.observables.QUANTITIES`, and `t`, over the whole lane."""
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
        return self._digest.of(self.history) if self.prepared else ""

    @property
    def lam_parts(self) -> dict[str, np.ndarray]:
        """The terms of lambda in theory, each (n,) [J]; empty without multiplier."""
        return self.motion().lam_parts

    def _begin(self) -> None:
        """Record the start, after the events that happen there."""
        initial, segment = self.preset.initial, self._segment
        state = self.formulation.start(initial.p(), initial.omega(self.preset.body), segment.parameters)
        known = state
        if self.formulation.recorded:
            self._solve(0, state)
            if self._solution is not None:
                state, known = self._solution(np.zeros(1))[0], self._first_known()
        segment.reference = Reference.of(self._trajectory.of(known[None, :], 0, segment))
        first = self._after_events(0, state)
        self.history.reserve(1)[0] = (*first, *[math.nan] * len(self.integrator.records))
        self.history.publish(1)

    def _first_known(self) -> np.ndarray:
        """The first state of a recording at which anything is known, from which its drifts are measured."""
        assert self._solution is not None
        last = min(self.formulation.ends(), self.preset.run.duration)
        for first in range(0, int(last / self.interval) + 1, _LOOKED_AT):
            states = self._solution((first + np.arange(_LOOKED_AT)) * self.interval)
            known = np.flatnonzero(np.isfinite(states).all(axis=1))
            if len(known):
                return states[known[0]]
        return np.full(len(self.formulation.state), np.nan)

    def _happen(self, sample: int, row: np.ndarray) -> None:
        """Let the events at a sample change its row, and forget what the integrator knows of the motion before."""
        width = len(self.formulation.state)
        self._led[sample] = row.copy()
        row[:width] = self._after_events(sample, row[:width])
        if self.formulation.closed_form:
            if not self.formulation.recorded:
                self._solve(sample, row)
            return
        self.method = self._make_method()
        if self.integrator.records:
            state = tuple(row[:width].tolist())
            row[width:] = self.integrator.first_record(self.method, self._segment.parameters, self.dt, state)

    def _after_events(self, sample: int, state: np.ndarray) -> np.ndarray:
        """The state from which the lane goes on after the events at a sample."""
        for one in self._scheduled.get(sample, ()):
            before, segment = self._segment, one.segment
            layout = layout_of(self.formulation, before)
            if segment is not None:
                self._segment = segment
                layout = layout_of(self.formulation, segment, before=layout)
            if not self.formulation.recorded:
                state = one.event.apply(state, layout)
            if segment is not None and not (segment.renewed and np.isfinite(state).all()):
                segment.reference = before.reference
            elif segment is not None:
                segment.reference = Reference.of(self._trajectory.of(state[None, :], sample, segment))
        return state

    def _solve(self, sample: int, state: np.ndarray) -> None:
        """Find the closed form of the motion that goes on from a sample, or end where none is known."""
        self._since = sample
        try:
            self._solution = solution_from(self.formulation, self._segment, state)
        except NoClosedForm as lack:
            self._solution = None
            self.message = phrase("{lane} has nothing to show: {lack}", lane=self.name, lack=lack.args[0])
            self.ended_at, self.status = sample * self.interval, lack.status

    def _evaluate(self, rows: np.ndarray) -> None:
        """Fill the next rows with what the closed form says."""
        assert self._solution is not None
        first, last = self.samples, self.samples + len(rows) - 1
        times = (first - self._since + np.arange(len(rows))) * self.interval
        rows[:] = self._solution(times)
        known = int((times <= self.formulation.ends() + 1e-6 * self.interval).sum())
        if last in self._scheduled and known == len(rows):
            self._happen(last, rows[-1])
        self.history.publish(known)
        if known < len(rows):
            self.message = phrase(
                "the recording {lane} ends at t = {time:.6g} s", lane=self.name, time=self.computed_to
            )
            self.ended_at, self.status = self.computed_to, "recording_ended"

    def _make_method(self) -> Any:
        """The integrator's own tuple for this lane; what it refuses is the choice of integrator."""
        try:
            return self.integrator.method(self.formulation)
        except InputError as refusal:
            raise refusal.at(self._choice, self._choice) from None

    def _check_start(self) -> None:
        if self.formulation.singularity_title:
            measure = self._trajectory.measures(self.history.rows[:1], 0, self._segment)[0, 1]
            if not abs(measure) > self._segment.threshold:
                self._end("singular", 0.0, self.history.rows[0])

    @property
    def told(self) -> str:
        """The message as a person reads it, by the title of the lane; of a complete one, whether it has strayed."""
        message = self.message
        if self.status == "ok":
            message = self._found_out[1]
        return told(titled(message, self.name))

    @property
    def all_remarks(self) -> tuple[str, ...]:
        """`remarks`, and what is found out of a lane that is complete."""
        remark = self._found_out[2] if self.status == "ok" else ""
        return (*self.remarks, remark) if remark else self.remarks

    @property
    def _found_out(self) -> tuple[int, str, str]:
        """What there is to tell of the lane, which is complete."""
        if self._story[0] != self.samples:
            looked = np.unique(np.linspace(0, self.samples - 1, LOOKS).astype(int))
            # What concerns the run is said once, of its first lane.
            told_here = self.index == 0 and not self.formulation.recorded and not self._of_persons
            turns = outrun(self.motion_at(looked), self.interval) if told_here else ""
            self._story = self.samples, self._strayed(looked), turns
        return self._story

    def _strayed(self, looked: np.ndarray) -> str:
        """That its numbers are no motion of the body, where they are none and were to be one. Equations of a person are not asked
        for more than they were: they may fail here, where nobody waits for that."""
        if self.formulation.closed_form or not self.formulation.yields_motion or self._of_persons:
            return ""
        keeps_energy = "energy_drift" in constants_of(self.preset)
        useful = uses(self.spec, self.preset.run.integrator)
        remedy = phrase("Try a smaller dt than {dt:g} s", dt=self.dt)
        if useful["rtol"]:
            remedy = phrase("Try smaller tolerances")
        elif useful["stabilisation"] and self.spec.stabilisation in (None, "none"):
            remedy = phrase("Try a stabilisation, or a smaller dt than {dt:g} s", dt=self.dt)
        return strayed(self.name, self.motion_at(looked), keeps_energy, remedy)

    def _end(self, status: str, time: float, state: np.ndarray) -> None:
        self.message = ended(self.name, time, self._explain(status, state, time))
        self.ended_at, self.status = time, status

    def _explain(self, status: str, state: np.ndarray, time: float) -> str:
        if status == "singular":
            measure = self._trajectory.measures(state[None, :], 0, self._segment)[0, 1]
            return self.formulation.explain_singular(state, float(measure))
        if self._of_persons and (lack := self._no_number(state, time)):
            return lack
        if status == "step_failed":
            return self.integrator.explain_failure()
        if lack := undefined(
            bind(self._segment.setting.loads, self._segment.setting.body),
            [time - self.dt, time - 0.5 * self.dt, time],
        ):
            return phrase("{lack}; change the expression, or end the run before", lack=lack)
        title, rows = self.formulation.singularity_title, self.history.rows[-1:]
        last = float(self._trajectory.measures(rows, self.samples - 1, self._segment)[0, 1]) if title else 0.0
        return overflow(self.dt, title, last)

    @property
    def _of_persons(self) -> bool:
        """Whether equations take part that are not quatviz's own: of a package, a notebook's cell, or a script's potential."""
        return bool(self._outside) or not registered(self._segment.setting.loads)

    def _no_number(self, state: np.ndarray, time: float) -> str:
        """What gives no number, and when, as a classical Runge-Kutta step asks for rates that begins with this state, or with the
        last one that was finite; empty where every rate is one, for then the state has grown."""
        segment = self._segment
        dt = self.interval / segment.steps_per_sample
        if not np.isfinite(state).all():
            time, state = self._last_finite(dt)
        rate = np.zeros_like(state)
        for share in (0.0, 0.5, 0.5, 1.0):
            t, at = time + share * dt, state + share * dt * rate
            if not np.abs(at).max() < GROWN:
                return ""
            rate = np.array(blocks.derivative(segment.parameters, t, tuple(at.tolist()))[0])
            if not np.isfinite(rate).all():
                return no_number(self._without_number(t, at, rate), t)
        return ""

    def _last_finite(self, dt: float) -> tuple[float, np.ndarray]:
        """Time [s] and state after the last step of `dt` [s] that led to finite numbers; the last sample where steps do not fall on
        samples."""
        state = self.history.rows[-1]
        if self.integrator.steps_made(self.method) is not None:
            return self.computed_to, state
        low, high = 0, self.steps_per_sample
        self._within = 0
        while high - low > 1:
            middle = (low + high) // 2
            reached = np.array(self._block(self.history.reserve(1), middle)[3])
            if np.isfinite(reached).all():
                low, state = middle, reached
            else:
                high = middle
        return self.computed_to + low * dt, state

    def _without_number(self, t: float, state: np.ndarray, rate: np.ndarray) -> str:
        """What has no number there: the torque of a load, or rates by their names."""
        setting = self._segment.setting
        p, omega = self.formulation.observe(state[None], self._segment.parameters)
        for load in bind(setting.loads, setting.body):
            if not np.isfinite(load.torque(np.array([t]), normalise(p), omega)).all():
                return phrase("the torque of the load {load}", load=phrase(load.name.replace("_", " ")))
        names = [
            name for name, each in zip(self.formulation.state, rate, strict=True) if not np.isfinite(each)
        ]
        return phrase(
            "the rate of {names} by the equations of {form}", names=listed(names), form=self.formulation.id
        )


def registered(loads: Iterable[Load]) -> bool:
    """Whether every one is of a kind that a text can name: none is a script's own."""
    known = set(LOADS.values())
    return all(type(load) in known for load in loads)


def stand_in(lane_id: str) -> Formulation:
    """Newton's and Euler's equations by the name of a lane whose own cannot be made."""
    kind = type(make_formulation("newton_euler"))
    made: type[Formulation] = type(kind.__name__, (kind,), {"__module__": __name__, "name": lane_id})
    return made("", None)


def ended(lane: str, time: float, reason: str) -> str:
    """That a lane ended at a time [s], and the reason, which says what to try."""
    return phrase("{lane} ended at t = {time:.6g} s: {reason}", lane=lane, time=time, reason=reason)


def titled(message: str, lane: str) -> str:
    """What is said of a lane, by its title where it names the lane."""
    if not isinstance(message, Phrase) or "lane" not in message.values:
        return message
    return phrase(message.template, **{**message.values, "lane": lane_title(lane)})


def no_number(what: str, time: float) -> str:
    """What to say of what is no finite number at a time [s]."""
    return phrase(
        "{what} is not a number at t = {time:.6g} s; look there for a division by zero, or a root or logarithm of what is negative",
        what=what, time=time,
    )  # fmt: skip


def overflow(dt: float, title: str = "", measure: float = 0.0) -> str:
    """What to say of numbers beyond all bounds after steps of dt [s], with the singularity measure where there is one."""
    if not title:
        return phrase("its numbers grew beyond what a computer holds; try a smaller dt than {dt:g} s", dt=dt)
    return phrase(
        "its numbers grew beyond what a computer holds ({title} = {measure:.2g} at its last sample); try a smaller dt than "
        "{dt:g} s",
        title=phrase(title),
        measure=measure,
        dt=dt,
    )
