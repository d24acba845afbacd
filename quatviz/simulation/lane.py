"""One lane of a run: a formulation with its integrator and step, its state and its history."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import thread_time
from typing import Any

import numpy as np

from quatviz.core import kernel
from quatviz.core.errors import Refusal
from quatviz.core.events import sample_of
from quatviz.core.events.base import Event, Layout
from quatviz.core.exact import NoClosedForm
from quatviz.core.loads import undefined
from quatviz.core.loads.base import Load
from quatviz.core.observables import QUANTITIES, Motion, Reference
from quatviz.core.preset import Lane, Preset, steps_per_sample
from quatviz.core.rotations import normalise
from quatviz.formulations import make_formulation
from quatviz.formulations.base import Formulation, Solution
from quatviz.integrators import INTEGRATORS
from quatviz.integrators.base import Integrator
from quatviz.simulation.history import History
from quatviz.simulation.lane_settings import RESTORES, refuse_senseless, settings_of
from quatviz.simulation.translation import Translation, is_free

EVALUATION = 40
"""Steps that the evaluation of one sample of a closed form costs, about."""
_STATUS = {kernel.SINGULAR: "singular", kernel.NOT_FINITE: "not_finite", kernel.STEP_FAILED: "step_failed"}


class LaneRun:
    """A lane in progress. The worker calls `advance`; everybody else only reads.

    `status` is `running` until the lane reaches the run's duration (`ok`) or ends early (`singular`, `not_finite`,
    `step_failed`, `no_closed_form`), when `message` says what happened in one sentence; what was computed stays.
    """

    def __init__(self, name: str, spec: Lane, preset: Preset, index: int) -> None:
        self.name = name
        self.spec = spec
        self.status = "running"
        self.message = ""
        self.ended_at: float | None = None
        """Time at which the lane ended early [s]."""
        self.steps = 0
        self.seconds = 0.0
        """Processor time that the steps took, for the cost per step [s]."""
        self._preset = preset
        self._key = f"lanes[{index}]"
        self.formulation: Formulation = make_formulation(
            spec.formulation, f"{self._key}.formulation", settings_of(spec)
        )
        chosen = spec.integrator or preset.run.integrator
        choice = f"{self._key}.integrator" if spec.integrator else "run.integrator"
        self.integrator: Integrator = INTEGRATORS.find(chosen, choice)()
        refuse_senseless(spec, self.formulation, self.integrator, self._key)
        self.stabilisation = spec.stabilisation or "none"
        self.interval = preset.run.sample_interval
        self.dt = spec.dt or preset.run.dt
        self.every = steps_per_sample(self.dt, self.interval, f"{self._key}.dt")
        if self.formulation.closed_form:
            self.dt, self.every = self.interval, EVALUATION
        self._refuse_lost_ring()
        self._parameters = self.formulation.parameters(preset.body, preset.loads)
        self._choice = choice
        self._method: Any = None if self.formulation.closed_form else self._make_method()
        self._events = _by_sample(preset.events, self.interval)
        self.remarks = tuple(
            f"{event.title} at t = {event.at:g} s: {remark}"
            for event in preset.events
            if (remark := event.remark(self.formulation.state))
        )
        """A sentence for each event that has no effect on this lane, or not all of it."""
        self.history = self._first_row()
        self._threshold = self.formulation.threshold_at(self.dt, preset.initial.omega(preset.body))
        self.prepared = self.formulation.closed_form
        """Whether the compiled kernels are at hand: before that, whoever asks for lambda waits for the compiler."""
        self._translation: Translation | None = None
        if is_free(preset.body, preset.loads):
            self._translation = Translation(
                preset.body, preset.loads, preset.initial, self.interval, self._attitudes
            )
        self._solution: Solution | None = None
        self._since = 0
        """The sample from which the closed form counts its time."""
        if self.formulation.closed_form:
            self._solve(0, self.history.rows[0])

    # --- computing (the worker's thread)

    @property
    def samples(self) -> int:
        """Recorded samples, the start included."""
        return len(self.history)

    @property
    def loads(self) -> Sequence[Load]:
        """What acts on the body."""
        return self._preset.loads

    @property
    def computed_to(self) -> float:
        """Time of the last recorded sample [s]."""
        return (self.samples - 1) * self.interval

    @property
    def alive(self) -> bool:
        """Whether the lane has not ended early."""
        return self.status in ("running", "ok")

    def advance(self, count: int) -> None:
        """Compute `count` more samples, fewer if the lane ends."""
        while self.alive and count > 0:
            stretch = min(
                [count, *(sample - self.samples + 1 for sample in self._events if sample >= self.samples)]
            )
            self._advance(stretch)
            count -= stretch

    def _advance(self, count: int) -> None:
        """Compute `count` more samples, the last of which may be one at which events happen."""
        rows = self.history.reserve(count)
        if self.formulation.closed_form:
            self._evaluate(rows)
            return
        before = self.integrator.steps_made(self._method)
        started = thread_time()
        status, written, time, state = self.integrator.block(
            self._method,
            self._parameters,
            RESTORES[self.stabilisation],
            self.samples - 1,
            self.every,
            self.interval / self.every,
            self._threshold,
            tuple(self.history.rows[-1].tolist()),
            rows,
        )
        self.seconds += thread_time() - started
        made = self.integrator.steps_made(self._method)
        self.steps += written * self.every if made is None or before is None else made - before
        last = self.samples + count - 1
        if status == kernel.RUNNING and last in self._events:
            self._happen(last, rows[-1])
        self.history.publish(written)
        if status != kernel.RUNNING:
            self._end(_STATUS[status], time, np.array(state))

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
        self.integrator.block(
            self._method,
            self._parameters,
            RESTORES[self.stabilisation],
            0,
            1,
            self.dt,
            -1.0,
            self._state(),
            self.history.reserve(0),
        )
        if self._is_measured:
            self._measure(self.history.rows[:1], 0)
        if self.integrator.records and not self.prepared:
            self.history.record_first(
                self.integrator.first_record(self._method, self._parameters, self.dt, self._state())
            )
        if not self.prepared:
            self._check_start()
        self.prepared = True

    # --- reading

    def motion(self, start: int = 0, stop: int | None = None, copy: bool = False) -> Motion:
        """The stretch of samples `start:stop`, from which every quantity follows; with a `copy` of the states for who
        keeps it, because a history that grows moves to new memory."""
        rows = self.history.rows[start:stop]
        return self._motion_of(rows.copy() if copy else rows, start)

    def motion_at(self, samples: np.ndarray) -> Motion:
        """These samples (n,), which need not follow each other."""
        rows = self.history.rows[samples]

        def measures() -> np.ndarray:
            each = [self._measure(rows[i : i + 1], sample) for i, sample in enumerate(samples.tolist())]
            return np.concatenate([np.empty((0, 2)), *each])

        return self._motion_of(rows, samples, measures)

    def __getattr__(self, name: str) -> np.ndarray:
        """Every quantity of `core.observables.QUANTITIES`, and `t`, over the whole lane."""
        if name == "t":
            return np.arange(self.samples) * self.interval
        if name in QUANTITIES:
            return QUANTITIES[name].values(self.motion())
        raise AttributeError(f"a lane has no {name!r}; its quantities are t, {', '.join(QUANTITIES)}")

    def angles(self, sequence: str) -> np.ndarray:
        """Euler angles (n, 3) [rad] of a sequence such as "313", in the order of the rotations."""
        return self.motion().angles(sequence)

    @property
    def lam_parts(self) -> dict[str, np.ndarray]:
        """The terms of lambda in theory, each (n,) [J]; empty without multiplier."""
        return self.motion().lam_parts

    def _motion_of(
        self, rows: np.ndarray, start: int | np.ndarray, measures: Callable[[], np.ndarray] | None = None
    ) -> Motion:
        """`start` is the first sample of `rows`, or the sample of each where they do not follow each other."""
        samples = start + np.arange(len(rows)) if isinstance(start, int) else start
        p, omega = self.formulation.observe(rows, self._parameters)
        return Motion(
            samples * self.interval,
            p,
            omega,
            body=self._preset.body,
            loads=self._preset.loads,
            constraint_rate=self.formulation.constraint_rate(rows, self._parameters),
            measures=measures or (lambda: self._measure(rows, int(samples[0]) if len(samples) else 0)),
            totals=self.formulation.totals(rows, self._parameters),
            system=lambda: self.formulation.system(rows, self._parameters),
            extras=self.formulation.extras(rows, self._parameters),
            terms=self.formulation.multiplier_terms if self.formulation.has_multiplier else None,
            reference=self.__dict__.get("_reference"),
            path=lambda: self._path_of(samples),
        )

    def _attitudes(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        return self.formulation.observe(self.history.rows[start:stop], self._parameters)

    def _path_of(self, samples: np.ndarray) -> np.ndarray:
        """Position and velocity (n, 6) of the centre of mass at these samples; NaN for a body that is held."""
        if self._translation is None or not len(samples):
            return np.full((len(samples), 6), np.nan)
        return self._translation.upto(int(samples.max()) + 1)[samples]

    def _measure(self, rows: np.ndarray, start: int) -> np.ndarray:
        """(lambda, singularity) (n, 2); only formulations that have either one pay for a kernel."""
        rows = rows.view()
        rows.flags.writeable = False  # one kind of array, one compiled kernel
        measures = np.empty((len(rows), 2))
        measures[:] = (np.nan, 1.0)
        if self._is_measured:
            kernel.measure_rows(self._parameters, start, self.interval, self._state(), rows, measures)
        if "lambda" in self.integrator.records:
            column = self.integrator.records.index("lambda")
            measures[:, 0] = self.history.records[start : start + len(rows), column]
        return measures

    @property
    def _is_measured(self) -> bool:
        """Whether lambda or the singularity takes a kernel: lambda does not where the step has recorded it."""
        measured = self.formulation.has_multiplier and "lambda" not in self.integrator.records
        return measured or bool(self.formulation.singularity_title)

    def _state(self) -> tuple[float, ...]:
        return tuple(self.history.rows[0].tolist())

    def _first_row(self) -> History:
        initial = self._preset.initial
        state = self.formulation.start(initial.p(), initial.omega(self._preset.body), self._parameters)
        self._reference = Reference.of(self._motion_of(state[None, :], 0))
        samples = round(self._preset.run.duration / self.interval) + 1
        history = History(len(state), samples, beside=len(self.integrator.records))
        first = self._after_events(0, state)
        history.reserve(1)[0] = (*first, *[math.nan] * len(self.integrator.records))
        history.publish(1)
        return history

    def _happen(self, sample: int, row: np.ndarray) -> None:
        """Let the events at a sample change its row, and forget what the integrator knows of the motion before."""
        width = len(self.formulation.state)
        row[:width] = self._after_events(sample, row[:width])
        if self.formulation.closed_form:
            self._solve(sample, row)
            return
        self._method = self._make_method()
        if self.integrator.records:
            state = tuple(row[:width].tolist())
            row[width:] = self.integrator.first_record(self._method, self._parameters, self.dt, state)

    def _after_events(self, sample: int, state: np.ndarray) -> np.ndarray:
        """The state from which the lane goes on after the events at a sample."""
        form, parameters = self.formulation, self._parameters

        def observe(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            p, omega = form.observe(state[None, :], parameters)
            return p[0], omega[0]

        layout = Layout(form.state, observe, lambda p, omega: form.start(p, omega, parameters))
        for event in self._events.get(sample, ()):
            state = event.apply(state, layout)
        return state

    def _solve(self, sample: int, state: np.ndarray) -> None:
        """Find the closed form of the motion that goes on from a sample, or end where none is known."""
        body = self._preset.body
        p, omega = self.formulation.observe(state[None, :], self._parameters)
        self._since = sample
        try:
            self._solution = self.formulation.solution(body, self._preset.loads, normalise(p[0]), omega[0])
        except NoClosedForm as lack:
            self._solution = None
            self.message = f"{self.name} has nothing to show: {lack}"
            self.ended_at, self.status = sample * self.interval, "no_closed_form"

    def _evaluate(self, rows: np.ndarray) -> None:
        """Fill the next rows with what the closed form says."""
        assert self._solution is not None
        first, last = self.samples, self.samples + len(rows) - 1
        rows[:] = self._solution((first - self._since + np.arange(len(rows))) * self.interval)
        if last in self._events:
            self._happen(last, rows[-1])
        self.history.publish(len(rows))

    def _make_method(self) -> Any:
        """The integrator's own tuple for this lane; what it refuses is the choice of integrator."""
        try:
            return self.integrator.method(self.formulation)
        except Refusal as refusal:
            raise refusal.at(self._choice, self._choice) from None

    def _refuse_lost_ring(self) -> None:
        lost = not (self.formulation.carries_ring or self.formulation.closed_form)
        if self._preset.body.ring is not None and lost:
            raise Refusal(
                f"{self._key}.formulation",
                expected="a formulation that moves the body's ring: ring_damper, ring_damper_as_printed",
                found=f"{self.formulation.id}, which would leave it out",
                remedy="choose one of these, or remove [body.ring]",
                key=f"{self._key}.formulation",
            )

    def _check_start(self) -> None:
        if self.formulation.singularity_title:
            measure = self._measure(self.history.rows[:1], 0)[0, 1]
            if not abs(measure) > self._threshold:
                self._end("singular", 0.0, self.history.rows[0])

    def _end(self, status: str, time: float, state: np.ndarray) -> None:
        self.message = f"{self.name} ended at t = {time:.6g} s: {self._explain(status, state, time)}"
        self.ended_at = time
        self.status = status

    def _explain(self, status: str, state: np.ndarray, time: float) -> str:
        if status == "singular":
            measure = self._measure(state[None, :], 0)[0, 1]
            return self.formulation.explain_singular(state, float(measure))
        if status == "step_failed":
            return self.integrator.explain_failure()
        if lack := undefined(self._preset.loads, [time - self.dt, time - 0.5 * self.dt, time]):
            return f"{lack}; change the expression, or end the run before"
        last = ""
        if self.formulation.singularity_title:
            measure = self._measure(self.history.rows[-1:], self.samples - 1)[0, 1]
            last = f" ({self.formulation.singularity_title} = {measure:.2g} at its last sample)"
        return f"its numbers grew beyond what a computer holds{last}; try a smaller dt than {self.dt:g} s"


def _by_sample(events: Sequence[Event], interval: float) -> dict[int, list[Event]]:
    """The events at each sample that has any, in their order."""
    found: dict[int, list[Event]] = {}
    for event in events:
        found.setdefault(sample_of(event.at, interval), []).append(event)
    return found
