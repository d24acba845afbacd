"""Engine of sweeps: a batch of runs computed together by compiled calls, or a single run computed by its lane."""

import math
import threading
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from quatviz.analysis.sweeps.batches import RunBatch
from quatviz.analysis.sweeps.measuring import (
    MeasureClasses,
    make_measures,
    measure_results,
    pass_lane,
    update_measures,
)
from quatviz.analysis.sweeps.runs import STATUSES, MotionSampleBlock, RotorSampleBlock, RunGroup, SampleBlock
from quatviz.analysis.sweeps.side_by_side import (
    FreePacked,
    Packed,
    is_load_free,
    pad_columns,
)
from quatviz.base.cancellation import raise_if_cancelled
from quatviz.base.errors import Phrase
from quatviz.files.preset import Preset
from quatviz.physics.kernels.binder import compiler
from quatviz.physics.kernels.blocks import NOT_FINITE, RUNNING, measure_rows
from quatviz.physics.loads import variable_sums
from quatviz.physics.mechanics.state import StateVariable, component_indices
from quatviz.simulation.end_reasons import can_tell_growth, end_reason, growth_reason, growth_samples
from quatviz.simulation.lane import LaneRun
from quatviz.simulation.schedule import LaneSegment
from quatviz.simulation.simulation import Simulation
from quatviz.simulation.stepping import SolverState, advance, begin

Packing = Packed | FreePacked

MAX_BATCH_BODIES = 4096
"""Largest number of bodies that one compiled call advances."""
MAX_BUFFER_NUMBERS = 2**20
"""Approximate number of values that one compiled call writes (8 MB).

Half this number uses the processor cache better but needs twice as many NumPy calls for the measures. The NumPy calls
cost about 3 % of the time of a step.
"""
CACHE_LINE_NUMBERS = 8
"""Number of 8-byte values in a line of the processor cache."""
_OBSERVED_ORDER = StateVariable.EULER_PARAMETERS, StateVariable.BODY_RATE
_OBSERVED = set(_OBSERVED_ORDER)
"""State variables that measures read. They are copied from the state if the formulation integrates all of
them."""
MAX_LANE_SAMPLES = 1024
"""Largest number of samples that are in memory at once if a run is computed by its lane."""


class BatchOutcome(NamedTuple):
    """Outcome of a group of b runs."""

    status: np.ndarray
    """Status of each run (b,), as an index into `STATUSES`."""
    ended: np.ndarray
    """Times [s] at which runs ended early (b,), otherwise NaN."""
    reasons: dict[int, str]
    """Sentences for runs that ended early, by index of the run."""
    measured: dict[str, np.ndarray]
    """Measured values (b, ...) by name of the measure."""


def run_lane(sweep_preset: Preset, simulation: Simulation, classes: MeasureClasses) -> BatchOutcome:
    """Compute the only lane of a run, sample by sample, as the window and scripts do. `sweep_preset` is the
    preset of the sweep."""
    lane, preset = simulation.lanes[0], simulation.preset
    p, omega = preset.initial.p(), preset.initial.omega(preset.body)
    runs = RunGroup(
        sweep_preset, lane.formulation.id, p[:, None], omega[:, None], lambda _: preset, has_shared_body=True
    )
    measures = make_measures(classes, runs)
    lane.prepare()
    reached = 0
    while True:
        raise_if_cancelled()
        lane.advance(min(simulation.missing(lane), MAX_LANE_SAMPLES))
        first = max(reached - 1, 0)
        update_measures(measures, MotionSampleBlock(runs, first, lane.motion(first, lane.samples)))
        if lane.samples == reached or not simulation.missing(lane):
            break
        reached = lane.samples
    lane.finish()
    pass_lane(measures, lane)
    ended_early = lane.ended_at is not None
    status, ended = (
        np.array([STATUSES.index(lane.status)]),
        np.array([lane.ended_at if ended_early else np.nan]),
    )
    reasons = {0: _end_reason(lane)} if ended_early else {}
    return BatchOutcome(status, ended, reasons, measure_results(classes, measures, status, ended))


def _end_reason(lane: LaneRun) -> str:
    """Return the reason for an early end, without lane name and time, which are stored separately."""
    message = lane.message
    if isinstance(message, Phrase) and "reason" in message.values:
        return str(message.values["reason"])
    return str(message)


def run_batch(sweep_preset: Preset, batch: RunBatch, classes: MeasureClasses) -> BatchOutcome:
    """Compute a batch, at most `MAX_BATCH_BODIES` runs at a time."""
    loop = loop_of(batch)
    starts = range(0, len(batch.point_indices), MAX_BATCH_BODIES)
    outcomes = [
        _run_slice(sweep_preset, loop, slice(start, start + MAX_BATCH_BODIES), classes) for start in starts
    ]
    return BatchOutcome(
        np.concatenate([outcome.status for outcome in outcomes]),
        np.concatenate([outcome.ended for outcome in outcomes]),
        {
            start + run: sentence
            for start, outcome in zip(starts, outcomes, strict=True)
            for run, sentence in outcome.reasons.items()
        },
        {name: np.concatenate([outcome.measured[name] for outcome in outcomes]) for name in classes},
    )


def _run_slice(
    sweep_preset: Preset, loop: "PackedLoop | LaneLoop", run_slice: slice, classes: MeasureClasses
) -> BatchOutcome:
    batch = loop.batch
    runs = RunGroup(
        sweep_preset, batch.first.formulation.id, batch.p[:, run_slice], batch.omega[:, run_slice],
        lambda run: batch.equations_of(run_slice.start + run).preset, batch.has_shared_body,
    )  # fmt: skip
    measures = make_measures(classes, runs)
    bodies = BatchStepper(loop, run_slice)
    while bodies.remaining:
        raise_if_cancelled()
        first, rows = bodies.advance()
        update_measures(measures, bodies.sample_block(runs, first, rows))
    status = bodies.ended[0].astype(np.int8)
    times = np.where(status > 0, bodies.ended[1], np.nan)
    return BatchOutcome(status, times, bodies.reasons, measure_results(classes, measures, status, times))


class PackedLoop:
    """Loop that advances all runs of a batch in SIMD packs, by one compiled call."""

    is_packed = True

    def __init__(self, batch: RunBatch, packing: Packing) -> None:
        self.batch, self.width = batch, packing.width
        formulation, segment = batch.first.formulation, batch.first.segment
        _prepare_loads(segment)
        self._template_state = tuple(batch.initial_states[:, 0].tolist())
        self._fixed_arguments = (
            packing,
            batch.first.integrator.method(formulation),
            segment.parameters,
        )
        self._has_own_parameters = int(not batch.has_shared_equations)

    def start(self, run_slice: slice) -> None:
        """Set the states of the runs `run_slice` of the batch to their initial states."""
        self._states = pad_columns(self.batch.initial_states[:, run_slice], self.width)
        self._numbers, self._steps_done = self._parameter_columns(run_slice), 0

    def state(self, run: int) -> np.ndarray:
        """Return the current state (k,) of a run."""
        return self._states[:, run].copy()

    def advance(self, rows: np.ndarray, ended: np.ndarray, is_start: bool = False) -> None:
        """Advance the runs and write their samples to `rows` (s, k, b): s samples, k state components, b runs. If
        `is_start` is True, write the initial states as the first sample."""
        segment = self.batch.first.segment
        steps_done, steps_per_sample = self._steps_done, 0 if is_start else segment.steps_per_sample
        self._steps_done += len(rows) * steps_per_sample
        arguments = (
            *self._fixed_arguments,
            self._numbers,
            self._has_own_parameters,
            segment.projection,
            steps_done,
            steps_per_sample,
            segment.step,
            self._template_state,
            self._states,
            rows.reshape(-1, rows.shape[-1]),
        )
        advance_packs = _packed_module().advance_packs
        advance_packs.entry_point(*arguments)(*arguments)
        self._mark_not_finite(steps_done, steps_per_sample, rows, ended)

    def _parameter_columns(self, run_slice: slice) -> np.ndarray:
        """Return the n parameter values of each run (n, b), or only as many columns as a pack has, (n, width), if all
        runs share them."""
        batch = self.batch
        if batch.has_shared_equations:
            return np.array([batch.first.parameter_values] * self.width).T.copy()
        values = [
            batch.equations[number].parameter_values for number in batch.equation_indices[run_slice].tolist()
        ]
        return pad_columns(np.array(values).T, self.width)

    def _mark_not_finite(
        self, steps_done: int, steps_per_sample: int, rows: np.ndarray, ended: np.ndarray
    ) -> None:
        """Write status and time to `ended` (2, b) for each run whose rows (s, k, b) contain a value that is not finite.

        Once a state is not finite, all following states are not finite either. Therefore it suffices to look at the
        last row, and to look at single runs only if the sum over all runs is not finite.
        """
        last = rows[-1, :, : ended.shape[1]]
        if math.isfinite(np.add.reduce(last, axis=None)):
            return
        diverged = ~np.isfinite(last.sum(axis=0)) & (ended[0] == RUNNING)
        for run in np.flatnonzero(diverged):
            row = int(np.argmax(~np.isfinite(rows[:, :, run].sum(axis=1))))
            time = (steps_done + (row + 1) * steps_per_sample) * self.batch.first.segment.step
            ended[:, run] = NOT_FINITE, time
        for run in np.flatnonzero(ended[0] != RUNNING):
            rows[~np.isfinite(rows[:, :, run].sum(axis=1)), :, run] = np.nan


class LaneLoop:
    """Loop that advances the runs of a batch one by one, with the step function that lanes use. It is used for kernels
    that cannot be packed for SIMD."""

    is_packed = False
    width = 1

    def __init__(self, batch: RunBatch) -> None:
        self.batch = batch
        _prepare_loads(batch.first.segment)
        self._method = batch.first.integrator.method(batch.first.formulation)

    def start(self, run_slice: slice) -> None:
        """Set the states of the runs `run_slice` of the batch to their initial states."""
        equations = [
            self.batch.equations[number] for number in self.batch.equation_indices[run_slice].tolist()
        ]
        states = self.batch.initial_states[:, run_slice].T.tolist()
        self._problems = [run_equations.problem for run_equations in equations]
        # All runs share one method, because methods with memory are not computed in batches.
        self._solvers = [
            SolverState(run_equations.segment, 0, 0, tuple(state), self._method)
            for run_equations, state in zip(equations, states, strict=True)
        ]

    def state(self, run: int) -> np.ndarray:
        """Return the current state (k,) of a run."""
        return np.array(self._solvers[run].y)

    def advance(self, rows: np.ndarray, ended: np.ndarray, is_start: bool = False) -> None:
        """Advance the runs and write their samples to `rows` (s, k, b); samples that a run does not reach are NaN.

        `ended` (2, b) receives status and time [s] of runs that end. If `is_start` is True, write the initial states as
        the first sample, and check whether they are singular.
        """
        samples = np.empty((0 if is_start else len(rows), rows.shape[1]))
        kernel: Callable[..., Any] | None = None
        rows[:] = np.nan
        for run, (problem, solver) in enumerate(zip(self._problems, self._solvers, strict=True)):
            if is_start:
                rows[:, :, run] = solver.y
            if ended[0, run] != RUNNING:
                continue
            result = advance(problem, solver if kernel is None else solver._replace(kernel=kernel), samples)
            kernel = result.state.kernel
            self._solvers[run] = result.state
            rows[: result.row_count, :, run] = samples[: result.row_count]
            if result.status != RUNNING:
                ended[:, run] = result.status, result.time


def _prepare_loads(segment: LaneSegment) -> None:
    """Compile or load the sums of loads, before a kernel calls them."""
    for load_sum in variable_sums(segment.parameters):
        _ = load_sum.function


class BatchStepper:
    """Stepper for those runs of a batch that one call advances together. It stores their current samples.

    Arrays of samples have the axes (s, k, b): s samples, k state components, b runs.
    """

    def __init__(self, loop: PackedLoop | LaneLoop, run_slice: slice) -> None:
        self._loop, self._batch, self._run_slice = loop, loop.batch, run_slice
        self._first_equations, self._segment = loop.batch.first, loop.batch.first.segment
        width, self._count = loop.batch.initial_states[:, run_slice].shape
        loop.start(run_slice)
        self.ended = np.zeros((2, self._count))
        """Status and time [s] of each run (2, b) that ended early; zeros for the others."""
        self.reasons: dict[int, str] = {}
        """Sentences that say why runs ended early, by index of the run."""
        run = self._first_equations.preset.run
        self.remaining = round(run.duration / run.sample_interval)
        """Number of samples that remain to be computed."""
        self._samples_done = 0
        columns = -(-self._count // loop.width) * loop.width
        rows = max(2, min(self.remaining, MAX_BUFFER_NUMBERS // (width * columns))) + 1
        # The row length is an odd number of cache lines. With a power of two, a column would occupy only a
        # few sets of the cache.
        row_length = columns if columns // CACHE_LINE_NUMBERS % 2 else columns + CACHE_LINE_NUMBERS
        self._buffer = _buffer_for(rows * width * row_length).reshape(rows, width, row_length)
        self._last_row = 0
        """Index of the last written row of the buffer, which becomes the first row of the next block."""
        self._advance_rows(self._buffer[:1], is_start=True)

    def advance(self) -> tuple[int, np.ndarray]:
        """Compute the next samples of all runs. Return the number of the first returned sample, and the states (s, k,
        b). The first sample repeats the last one of the previous call."""
        count = min(len(self._buffer) - 1, self.remaining)
        rows = self._buffer[: count + 1]
        rows[0] = self._buffer[self._last_row]
        self._advance_rows(rows[1:])
        first, self._last_row = self._samples_done, count
        self._samples_done += count
        self.remaining = 0 if (self.ended[0] != RUNNING).all() else self.remaining - count
        return first, rows[:, :, : self._count]

    def sample_block(self, runs: RunGroup, first: int, rows: np.ndarray) -> SampleBlock:
        """Return the block of samples in rows (s, k, b). `first` is the number of the sample in the first row."""
        observed = self.observe(rows)
        if not runs.has_rotors:
            return SampleBlock(runs, first, *observed)
        indices = component_indices(self._first_equations.formulation.blocks, StateVariable.ROTOR_MOMENTA)
        return RotorSampleBlock(runs, first, *observed, rows[:, indices].transpose(1, 0, 2))

    def observe(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return p (4, s, b) and omega (3, s, b) of rows (s, k, b)."""
        batch, (samples, width, count) = self._batch, rows.shape
        formulation = self._first_equations.formulation
        if {block.variable for block in formulation.blocks} >= _OBSERVED:
            indices = (component_indices(formulation.blocks, variable) for variable in _OBSERVED_ORDER)
            p, omega = (rows[:, index[0] : index[-1] + 1].transpose(1, 0, 2) for index in indices)
            return p, omega
        if batch.has_shared_equations:
            # Component-major, as lanes store their rows: the last bit of sums of products depends on the
            # memory layout.
            states = np.moveaxis(rows, 1, 0).reshape(width, -1).T
            observed = formulation.observe(states, self._segment.parameters)
            p, omega = (np.moveaxis(component.reshape(samples, count, -1), -1, 0) for component in observed)
            return p, omega
        p, omega = np.empty((4, samples, count)), np.empty((3, samples, count))
        for run in range(count):
            parameters = batch.equations_of(self._run_slice.start + run).segment.parameters
            component = formulation.observe(rows[:, :, run].copy(order="F"), parameters)
            p[:, :, run], omega[:, :, run] = component[0].T, component[1].T
        return p, omega

    def _advance_rows(self, rows: np.ndarray, is_start: bool = False) -> None:
        """Let the loop fill rows (s, k, b), and determine the reasons of runs that end within them."""
        previous_status = self.ended[0].copy()
        self._loop.advance(rows, self.ended, is_start)
        for run in np.flatnonzero(self.ended[0] != previous_status).tolist():
            self.reasons[run] = self._end_reason(run, rows[:, :, run], self._samples_done + (not is_start))

    def _singularity_measure(self, run: int, state: np.ndarray) -> float:
        """Return the singularity measure of a state (k,) of a run."""
        measures, row = np.empty((1, 2)), state[None].copy()
        row.flags.writeable = False
        parameters = self._batch.equations_of(self._run_slice.start + run).segment.parameters
        measure_rows(parameters, 0, 0.0, tuple(state.tolist()), row, measures)
        return float(measures[0, 1])

    def _end_reason(self, run: int, rows: np.ndarray, first: int) -> str:
        """Return why a run ended within its rows (s, k). `first` is the number of the sample in the first row."""
        problem, (status, time) = (
            self._batch.equations_of(self._run_slice.start + run).problem,
            self.ended[:, run],
        )
        finite = np.flatnonzero(np.isfinite(rows.sum(axis=1)))
        last_row, sample = (rows[finite[-1]], first + int(finite[-1])) if len(finite) else (
            self._buffer[0, :, run], first - 1
        )  # fmt: skip
        last = SolverState(problem.segments[0], sample, 0, tuple(last_row.tolist()), None)
        return str(
            end_reason(
                problem,
                last,
                int(status),
                self._loop.state(run),
                float(time),
                partial(self._singularity_measure, run),
                partial(self._growth_reason, run, sample),
            )
        )

    def _growth_reason(self, run: int, last: int) -> str:
        """Return a message if the run ended at sample `last` because the motion itself grew without bound, otherwise
        "". The samples are computed again."""
        problem = self._batch.equations_of(self._run_slice.start + run).problem
        segment = problem.segments[0]
        if last < 1 or not can_tell_growth(problem, segment):
            return ""
        start = self._batch.initial_states[:, self._run_slice.start + run]
        rows = np.empty((last, len(start) + len(segment.integrator.records)))
        advance(problem, begin(problem, segment, 0, start), rows)
        samples = growth_samples(last + 1)
        states = np.concatenate([start[None], rows[:, : len(start)]])[samples]
        _, omega = problem.formulation.observe(states, segment.parameters)
        return growth_reason(samples * problem.interval, omega, segment.dt)


def _buffer_for(count: int) -> np.ndarray:
    """Return a buffer (count,) of this thread. It is reused, because allocating memory costs as much time as
    writing the results."""
    if len(getattr(_thread_buffers, "room", ())) < count:
        buffer = np.empty(count + CACHE_LINE_NUMBERS)
        _thread_buffers.room = buffer[-(buffer.ctypes.data // buffer.itemsize) % CACHE_LINE_NUMBERS :]
    return _thread_buffers.room[:count]


_thread_buffers = threading.local()


_is_packable: dict[tuple[type, str], bool] = {}
"""Cached test results, by parameter type of the formulation and name of the integrator: True if the kernels can be
compiled for SIMD packs."""
_lock = threading.Lock()


def loop_of(batch: RunBatch) -> PackedLoop | LaneLoop:
    """Return the loop that advances a batch. This is the loop over SIMD packs, except for kernels that cannot
    be packed, such as those that test for a singularity or a change of chart."""
    equations = batch.first
    formulation, kernels = equations.formulation, equations.formulation.kernels
    key = (formulation.parameter_type, equations.integrator.name)
    if kernels is None or kernels.singularity is not None or kernels.chart is not None:
        return LaneLoop(batch)
    with _lock:
        if key not in _is_packable:
            _is_packable[key] = _compiles_packed(batch)
    return PackedLoop(batch, _packed_variant(batch)) if _is_packable[key] else LaneLoop(batch)


def _packed_variant(batch: RunBatch) -> Packing:
    return _packed_module().FREE if is_load_free(batch.first.segment.parameters) else _packed_module().PACKED


def _packed_module() -> ModuleType:
    """Import the packed loop on demand, because it needs numba and a plan does not."""
    compiler()
    from quatviz.analysis.sweeps import packed

    return packed


def _compiles_packed(batch: RunBatch) -> bool:
    packing = _packed_variant(batch)
    from numba.core.errors import NumbaError

    try:
        BatchStepper(PackedLoop(batch, packing), slice(0, 1))
    except NumbaError:
        return False
    return True
