"""How runs are computed: a batch side by side, by one compiled call for some of their samples at a time, or one by its lane."""

import math
import threading
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

from quatviz.analysis.sweeps.batches import RunBatch
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import STATUSES, MotionSampleBlock, RunGroup, SampleBlock
from quatviz.analysis.sweeps.side_by_side import (
    FreePacked,
    Packed,
    Single,
    advance_each,
    is_load_free,
    pad_columns,
)
from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import Phrase
from quatviz.files.preset import Preset
from quatviz.physics.kernels.binder import compiler
from quatviz.physics.kernels.blocks import NOT_FINITE, SINGULAR, measure_rows
from quatviz.physics.loads import bind, undefined_value_message, variable_sums
from quatviz.simulation.lane import LaneRun, overflow_message
from quatviz.simulation.simulation import Simulation

Packing = Packed | FreePacked | Single

MAX_BATCH_BODIES = 4096
"""That one call advances."""
MAX_BUFFER_NUMBERS = 2**20
"""Numbers that it writes, about: eight megabytes. Half of it stays nearer to the processor, and has twice as many calls of NumPy
for what is measured: a thirtieth of the time of a step more."""
CACHE_LINE_NUMBERS = 8
"""Numbers in a line of a processor's cache."""
MAX_LANE_SAMPLES = 1024
"""Samples of one run that are in memory at once where it is computed by its lane."""


class BatchOutcome(NamedTuple):
    """How runs (b,) ended: numbers of `STATUSES`, times [s], a sentence by the number of each run that ended early; and what was
    measured (b, ...), by name."""

    status: np.ndarray
    ended: np.ndarray
    reasons: dict[int, str]
    measured: dict[str, np.ndarray]


def run_lane(sweep_preset: Preset, simulation: Simulation, names: Sequence[str]) -> BatchOutcome:
    """The only lane of a run, computed as everywhere in the program. `sweep_preset` is the preset of the sweep."""
    lane, preset = simulation.lanes[0], simulation.preset
    p, omega = preset.initial.p(), preset.initial.omega(preset.body)
    runs = RunGroup(
        sweep_preset, lane.formulation.id, p[:, None], omega[:, None], lambda _: preset, same_body=True
    )
    measures = [MEASURES[name](runs) for name in names]
    lane.prepare()
    reached = 0
    while True:
        raise_if_cancelled()
        lane.advance(min(simulation.missing(lane), MAX_LANE_SAMPLES))
        first = max(reached - 1, 0)
        _update_measures(measures, MotionSampleBlock(runs, first, lane.motion(first, lane.samples)))
        if lane.samples == reached or not simulation.missing(lane):
            break
        reached = lane.samples
    lane.finish()
    ended_early = lane.ended_at is not None
    status, ended = (
        np.array([STATUSES.index(lane.status)]),
        np.array([lane.ended_at if ended_early else np.nan]),
    )
    reasons = {0: _end_reason(lane)} if ended_early else {}
    return BatchOutcome(status, ended, reasons, _measure_results(names, measures, status, ended))


def _end_reason(lane: LaneRun) -> str:
    """Why it ended early, without its name and the time, which stand beside."""
    message = lane.message
    if isinstance(message, Phrase) and "reason" in message.values:
        return str(message.values["reason"])
    return str(message)


def run_batch(sweep_preset: Preset, batch: RunBatch, names: Sequence[str]) -> BatchOutcome:
    """A batch, some thousand runs at a time."""
    loop = CompiledLoop(batch, packing_of(batch))
    starts = range(0, len(batch.point_indices), MAX_BATCH_BODIES)
    outcomes = [
        _run_slice(sweep_preset, loop, slice(start, start + MAX_BATCH_BODIES), names) for start in starts
    ]
    return BatchOutcome(
        np.concatenate([outcome.status for outcome in outcomes]),
        np.concatenate([outcome.ended for outcome in outcomes]),
        {
            start + run: sentence
            for start, outcome in zip(starts, outcomes, strict=True)
            for run, sentence in outcome.reasons.items()
        },
        {name: np.concatenate([outcome.measured[name] for outcome in outcomes]) for name in names},
    )


def _run_slice(
    sweep_preset: Preset, loop: "CompiledLoop", run_slice: slice, names: Sequence[str]
) -> BatchOutcome:
    batch = loop.batch
    runs = RunGroup(
        sweep_preset, batch.first.formulation.id, batch.p[:, run_slice], batch.omega[:, run_slice],
        lambda run: batch.equations_of(run_slice.start + run).preset, batch.has_shared_body,
    )  # fmt: skip
    measures = [MEASURES[name](runs) for name in names]
    bodies = BatchStepper(loop, run_slice)
    while bodies.remaining:
        raise_if_cancelled()
        first, rows = bodies.advance()
        _update_measures(measures, SampleBlock(runs, first, *bodies.observe(rows)))
    status = bodies.ended[0].astype(np.int8)
    times = np.where(status > 0, bodies.ended[1], np.nan)
    return BatchOutcome(status, times, bodies.reasons, _measure_results(names, measures, status, times))


class CompiledLoop:
    """The compiled loop that advances runs of a batch, and what of its arguments is the same in every call."""

    def __init__(self, batch: RunBatch, packing: Packing) -> None:
        self.batch, self.packing = batch, packing
        formulation, segment = batch.first.formulation, batch.first.segment
        for load_sum in variable_sums(segment.parameters):
            _ = load_sum.function  # compiled, or loaded, before a kernel calls it
        self.template_state = tuple(batch.initial_states[:, 0].tolist())
        self.is_packed = not isinstance(packing, Single)
        self._fixed_arguments = (
            packing,
            batch.first.integrator.method(formulation),
            segment.parameters,
        )
        self._has_own_parameters = int(not batch.has_shared_equations)

    def parameter_columns(self, run_slice: slice, columns: int) -> np.ndarray:
        """Those of the parameters, of each run, or once for all."""
        batch = self.batch
        if batch.has_shared_equations:
            return np.array([batch.first.parameter_values] * self.packing.width).T.copy()
        values = [
            batch.equations[number].parameter_values for number in batch.equation_indices[run_slice].tolist()
        ]
        return pad_columns(np.array(values).T, columns)

    def __call__(
        self,
        numbers: np.ndarray,
        steps_done: int,
        steps_per_sample: int,
        states: np.ndarray,
        rows: np.ndarray,
        ended: np.ndarray,
    ) -> None:
        """Advance the states (k, b) by the samples that fit into `rows` (s, w, b)."""
        segment = self.batch.first.segment
        extra_arguments = () if self.is_packed else (segment.threshold, ended)
        arguments = (
            *self._fixed_arguments,
            numbers,
            self._has_own_parameters,
            segment.projection,
            steps_done,
            steps_per_sample,
            segment.dt,
            self.template_state,
            states,
            rows.reshape(-1, rows.shape[-1]),
            *extra_arguments,
        )
        advance = _packed_module().advance_packs if self.is_packed else advance_each
        advance.entry_point(*arguments)(*arguments)


class BatchStepper:
    """Runs of a batch that one call advances, and where they are."""

    def __init__(self, loop: CompiledLoop, run_slice: slice) -> None:
        self._loop, self._batch, self._run_slice = loop, loop.batch, run_slice
        self._first_equations, self._segment = loop.batch.first, loop.batch.first.segment
        start = loop.batch.initial_states[:, run_slice]
        self._count = start.shape[1]
        columns = -(-self._count // loop.packing.width) * loop.packing.width
        self._states, self._numbers = pad_columns(start, columns), loop.parameter_columns(run_slice, columns)
        self._ended = np.zeros((2, columns))
        self.reasons: dict[int, str] = {}
        """Why runs ended early, by their numbers."""
        run = self._first_equations.preset.run
        self.remaining = round(run.duration / run.sample_interval)
        """Samples to come."""
        self._samples_done = 0
        self._width = 7 if self._first_equations.formulation.on_group else len(start)
        rows = max(2, min(self.remaining, MAX_BUFFER_NUMBERS // (self._width * columns))) + 1
        # An odd number of lines of a cache from row to row: with a power of two all of a column would be in a few of its sets.
        row_length = columns if columns // CACHE_LINE_NUMBERS % 2 else columns + CACHE_LINE_NUMBERS
        self._buffer = _buffer_for(rows * self._width * row_length).reshape(rows, self._width, row_length)
        self._run_loop(self._buffer[:1], 0)
        self._last_row = 0
        """The row that was written last: the next ones begin with it."""
        if self._first_equations.formulation.singularity_title:
            self._mark_initially_singular()

    @property
    def ended(self) -> np.ndarray:
        """Status and time [s] of each run (2, b) that ended early; zeros where none has."""
        return self._ended[:, : self._count]

    def advance(self) -> tuple[int, np.ndarray]:
        """The next samples: the number of the first row, and rows (s, w, b), of which the first was the last before."""
        count = min(len(self._buffer) - 1, self.remaining)
        rows = self._buffer[: count + 1]
        rows[0] = self._buffer[self._last_row]
        if not self._loop.is_packed:
            rows[1:] = np.nan
        previous_status = self._ended[0].copy()
        self._run_loop(rows[1:], self._segment.steps_per_sample)
        first, self._samples_done, self.remaining, self._last_row = (
            self._samples_done,
            self._samples_done + count,
            self.remaining - count,
            count,
        )
        if self._mark_not_finite(rows, first) or not self._loop.is_packed:
            for run in np.flatnonzero(
                self._ended[0, : self._count] != previous_status[: self._count]
            ).tolist():
                self.reasons[run] = self._end_reason(run)
            if (self._ended[0] > 0).all():
                self.remaining = 0
        return first, rows[:, :, : self._count]

    def observe(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p (4, s, b) and omega (3, s, b) of rows (s, w, b)."""
        if self._first_equations.formulation.on_group:
            return rows[:, :4].transpose(1, 0, 2), rows[:, 4:].transpose(1, 0, 2)
        batch, (samples, width, count) = self._batch, rows.shape
        formulation = self._first_equations.formulation
        if batch.has_shared_equations:
            states = np.moveaxis(rows, 1, -1).reshape(-1, width)
            observed = formulation.observe(states, self._segment.parameters)
            p, omega = (np.moveaxis(component.reshape(samples, count, -1), -1, 0) for component in observed)
            return p, omega
        p, omega = np.empty((4, samples, count)), np.empty((3, samples, count))
        for run in range(count):
            parameters = batch.equations_of(self._run_slice.start + run).segment.parameters
            component = formulation.observe(np.ascontiguousarray(rows[:, :, run]), parameters)
            p[:, :, run], omega[:, :, run] = component[0].T, component[1].T
        return p, omega

    def _run_loop(self, rows: np.ndarray, steps_per_sample: int) -> None:
        steps_done = self._samples_done * self._segment.steps_per_sample
        self._loop(self._numbers, steps_done, steps_per_sample, self._states, rows, self._ended)

    def _mark_not_finite(self, rows: np.ndarray, first: int) -> bool:
        """Whether there is any. A state that is no number never is one again: the last row tells, and one sum of it that all
        are numbers."""
        if math.isfinite(np.add.reduce(rows[-1, :, : len(self._ended[0])], axis=None)):
            return False
        diverged = ~np.isfinite(rows[-1, :, : len(self._ended[0])].sum(axis=0)) & (self._ended[0] == 0)
        for run in np.flatnonzero(diverged):
            row = int(np.argmax(~np.isfinite(rows[:, :, run].sum(axis=1))))
            rows[row:, :, run] = np.nan
            self._ended[:, run] = NOT_FINITE, (first + row) * self._first_equations.preset.run.sample_interval
        return True

    def _mark_initially_singular(self) -> None:
        for run in range(self._count):
            if not abs(self._singularity_measure(run)) > self._segment.threshold:
                self._ended[0, run] = SINGULAR
                self.reasons[run] = self._end_reason(run)
        self._ended[0, self._count :] = self._ended[0, self._count - 1]

    def _singularity_measure(self, run: int) -> float:
        """How far the state of a run is from a singularity."""
        measures, row = np.empty((1, 2)), self._states[:, run][None].copy()
        row.flags.writeable = False
        parameters = self._batch.equations_of(self._run_slice.start + run).segment.parameters
        measure_rows(parameters, 0, 0.0, self._loop.template_state, row, measures)
        return float(measures[0, 1])

    def _end_reason(self, run: int) -> str:
        """Why a run has ended."""
        equations = self._batch.equations_of(self._run_slice.start + run)
        segment, formulation, (status, time) = equations.segment, equations.formulation, self._ended[:, run]
        if status == SINGULAR:
            return str(formulation.explain_singularity(self._states[:, run], self._singularity_measure(run)))
        times = [time - segment.dt, time - 0.5 * segment.dt, time]
        undefined_load = undefined_value_message(bind(segment.config.loads, segment.config.body), times)
        return str(undefined_load or overflow_message(segment.dt))


def _buffer_for(count: int) -> np.ndarray:
    """So many numbers, which the next who asks in this thread is given again: new memory would be as dear as what is written
    to it."""
    if len(getattr(_thread_buffers, "room", ())) < count:
        buffer = np.empty(count + CACHE_LINE_NUMBERS)
        _thread_buffers.room = buffer[-(buffer.ctypes.data // buffer.itemsize) % CACHE_LINE_NUMBERS :]
    return _thread_buffers.room[:count]


_thread_buffers = threading.local()


def _update_measures(measures: Sequence[SweepMeasure], block: SampleBlock) -> None:
    for measure in measures:
        measure.update(block)


def _measure_results(
    names: Sequence[str], measures: Sequence[SweepMeasure], status: np.ndarray, ended: np.ndarray
) -> dict[str, np.ndarray]:
    for measure in measures:
        measure.set_outcome(status, ended)
    return {name: measure.result() for name, measure in zip(names, measures, strict=True)}


_is_packable: dict[tuple[type, str], bool] = {}
"""Whether a formulation, by the type of its parameters, and an integrator can be compiled for packs of numbers."""
_lock = threading.Lock()


def packing_of(batch: RunBatch) -> Packing:
    """Packs, where nothing in the equations asks which of two numbers is larger."""
    equations = batch.first
    formulation, kernels = equations.formulation, equations.formulation.kernels
    key = (formulation.parameter_type, equations.integrator.name)
    if kernels is None or kernels.singularity is not None or kernels.chart is not None:
        return Single(1)
    with _lock:
        if key not in _is_packable:
            _is_packable[key] = _compiles_packed(batch)
    return _packed_variant(batch) if _is_packable[key] else Single(1)


def _packed_variant(batch: RunBatch) -> Packing:
    return _packed_module().FREE if is_load_free(batch.first.segment.parameters) else _packed_module().PACKED


def _packed_module() -> ModuleType:
    """The loop with packs: numba, which a plan has no need of."""
    compiler()
    from quatviz.analysis.sweeps import packed

    return packed


def _compiles_packed(batch: RunBatch) -> bool:
    packing = _packed_variant(batch)
    from numba.core.errors import NumbaError

    try:
        BatchStepper(CompiledLoop(batch, packing), slice(0, 1))
    except NumbaError:
        return False
    return True
