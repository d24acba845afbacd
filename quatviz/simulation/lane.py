"""One lane of a run: a formulation with its integrator and step, its state and its history."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import thread_time

import numpy as np

from quatviz.core import kernel
from quatviz.core.errors import Refusal
from quatviz.core.loads.base import Load
from quatviz.core.observables import QUANTITIES, Motion, Reference
from quatviz.core.preset import Lane, Preset, steps_per_sample
from quatviz.formulations import make_formulation
from quatviz.formulations.base import Formulation
from quatviz.integrators import INTEGRATORS
from quatviz.integrators.base import Integrator
from quatviz.simulation.history import History
from quatviz.simulation.lane_settings import RESTORES, refuse_senseless, settings_of

_STATUS = {kernel.SINGULAR: "singular", kernel.NOT_FINITE: "not_finite", kernel.STEP_FAILED: "step_failed"}


class LaneRun:
    """A lane in progress. The worker calls `advance`; everybody else only reads.

    `status` is `running` until the lane reaches the run's duration (`ok`) or ends early (`singular`, `not_finite`,
    `step_failed`), when `message` says what happened in one sentence; what was computed stays.
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
        self.integrator: Integrator = INTEGRATORS.find(
            chosen, f"{self._key}.integrator" if spec.integrator else "run.integrator"
        )()
        refuse_senseless(spec, self.formulation, self._key)
        self.stabilisation = spec.stabilisation or "none"
        self.interval = preset.run.sample_interval
        self.dt = spec.dt or preset.run.dt
        self.every = steps_per_sample(self.dt, self.interval, f"{self._key}.dt")
        self._refuse_lost_ring()
        self._parameters = self.formulation.parameters(preset.body, preset.loads)
        self._method = self.integrator.method(self.formulation)
        self.history = self._first_row()
        self._threshold = self.formulation.threshold_at(self.dt, preset.initial.omega(preset.body))
        self._reference = Reference.of(self._motion_of(self.history.rows, 0))
        self.prepared = False
        """Whether the compiled kernels are at hand: before that, whoever asks for lambda waits for the compiler."""

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
        if not self.alive or count <= 0:
            return
        rows = self.history.reserve(count)
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
        self.history.publish(written)
        self.steps += written * self.every
        if status != kernel.RUNNING:
            self._end(_STATUS[status], time, np.array(state))

    @property
    def cost(self) -> float:
        """Processor time per step [s]; NaN before the first."""
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
        self.integrator.block(
            self._method,
            self._parameters,
            RESTORES[self.stabilisation],
            0,
            1,
            self.dt,
            -1.0,
            self._state(),
            np.empty((0, len(self._state()))),
        )
        if self.formulation.has_multiplier or self.formulation.singularity_title:
            self._measure(self.history.rows[:1], 0)
        if not self.prepared:
            self._check_start()
        self.prepared = True

    # --- reading

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """The stretch of samples `start:stop`, from which every quantity follows."""
        return self._motion_of(self.history.rows[start:stop], start)

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

    def _motion_of(self, rows: np.ndarray, start: int) -> Motion:
        p, omega = self.formulation.observe(rows, self._parameters)
        return Motion(
            (start + np.arange(len(rows))) * self.interval,
            p,
            omega,
            body=self._preset.body,
            loads=self._preset.loads,
            constraint_rate=self.formulation.constraint_rate(rows, self._parameters),
            measures=lambda: self._measure(rows, start),
            totals=self.formulation.totals(rows, self._parameters),
            system=lambda: self.formulation.system(rows, self._parameters),
            extras=self.formulation.extras(rows, self._parameters),
            terms=self.formulation.multiplier_terms if self.formulation.has_multiplier else None,
            reference=self.__dict__.get("_reference"),
        )

    def _measure(self, rows: np.ndarray, start: int) -> np.ndarray:
        """(lambda, singularity) (n, 2); only formulations that have either one pay for a kernel."""
        rows = rows.view()
        rows.flags.writeable = False  # one kind of array, one compiled kernel
        measures = np.empty((len(rows), 2))
        measures[:] = (np.nan, 1.0)
        if self.formulation.has_multiplier or self.formulation.singularity_title:
            kernel.measure_rows(self._parameters, start, self.interval, self._state(), rows, measures)
        return measures

    def _state(self) -> tuple[float, ...]:
        return tuple(self.history.rows[0].tolist())

    def _first_row(self) -> History:
        initial = self._preset.initial
        state = self.formulation.start(initial.p(), initial.omega(self._preset.body), self._parameters)
        history = History(len(state), round(self._preset.run.duration / self.interval) + 1)
        history.reserve(1)[0] = state
        history.publish(1)
        return history

    def _refuse_lost_ring(self) -> None:
        if self._preset.body.ring is not None and not self.formulation.carries_ring:
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
        self.message = f"{self.name} ended at t = {time:.6g} s: {self._explain(status, state)}"
        self.ended_at = time
        self.status = status

    def _explain(self, status: str, state: np.ndarray) -> str:
        if status == "singular":
            measure = self._measure(state[None, :], 0)[0, 1]
            return self.formulation.explain_singular(state, float(measure))
        if status == "step_failed":
            return self.integrator.explain_failure()
        last = ""
        if self.formulation.singularity_title:
            measure = self._measure(self.history.rows[-1:], self.samples - 1)[0, 1]
            last = f" ({self.formulation.singularity_title} = {measure:.2g} at its last sample)"
        return f"its numbers grew beyond what a computer holds{last}; try a smaller dt than {self.dt:g} s"
