"""How runs are computed: a batch side by side, by one compiled call for some of their samples at a time, or one by its lane."""

import math
import threading
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

import numpy as np

from quatviz.analysis.executors.cancellation import refuse_to_go_on
from quatviz.analysis.sweeps.batches import Batch
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import STATUSES, Block, MotionBlock, Runs
from quatviz.analysis.sweeps.side_by_side import FreePacked, Packed, Single, advance_each, is_free, spread
from quatviz.base.errors import Phrase
from quatviz.files.preset import Preset
from quatviz.physics.kernels.binder import compiler
from quatviz.physics.kernels.blocks import NOT_FINITE, SINGULAR, measure_rows
from quatviz.physics.loads import bind, sums, undefined
from quatviz.simulation.lane import LaneRun, overflow
from quatviz.simulation.simulation import Simulation

Kind = Packed | FreePacked | Single

BODIES = 4096
"""That one call advances."""
ROWS = 2**20
"""Numbers that it writes, about: eight megabytes. Half of it stays nearer to the processor, and has twice as many calls of NumPy
for what is measured: a thirtieth of the time of a step more."""
LINE = 8
"""Numbers in a line of a processor's cache."""
ALONE = 1024
"""Samples of one run that are in memory at once where it is computed by its lane."""


class Outcome(NamedTuple):
    """How runs (b,) ended: numbers of `STATUSES`, times [s], a sentence by the number of each run that ended early; and what was
    measured (b, ...), by name."""

    status: np.ndarray
    ended: np.ndarray
    reasons: dict[int, str]
    measured: dict[str, np.ndarray]


def run_alone(own: Preset, run: Simulation, names: Sequence[str]) -> Outcome:
    """The only lane of a run, computed as everywhere in the program. `own` is the preset of the sweep."""
    lane, preset = run.lanes[0], run.preset
    p, omega = preset.initial.p(), preset.initial.omega(preset.body)
    runs = Runs(own, lane.formulation.id, p[:, None], omega[:, None], lambda _: preset, same_body=True)
    measures = [MEASURES[name](runs) for name in names]
    lane.prepare()
    reached = 0
    while True:
        refuse_to_go_on()
        lane.advance(min(run.missing(lane), ALONE))
        first = max(reached - 1, 0)
        _let_take(measures, MotionBlock(runs, first, lane.motion(first, lane.samples)))
        if lane.samples == reached or not run.missing(lane):
            break
        reached = lane.samples
    lane.finish()
    early = lane.ended_at is not None
    status, ended = np.array([STATUSES.index(lane.status)]), np.array([lane.ended_at if early else np.nan])
    reasons = {0: _reason(lane)} if early else {}
    return Outcome(status, ended, reasons, _measured(names, measures, status, ended))


def _reason(lane: LaneRun) -> str:
    """Why it ended early, without its name and the time, which stand beside."""
    message = lane.message
    if isinstance(message, Phrase) and "reason" in message.values:
        return str(message.values["reason"])
    return str(message)


def run_together(own: Preset, batch: Batch, names: Sequence[str]) -> Outcome:
    """A batch, some thousand runs at a time."""
    loop = Loop(batch, kind_of(batch))
    starts = range(0, len(batch.places), BODIES)
    parts = [_run_some(own, loop, slice(start, start + BODIES), names) for start in starts]
    return Outcome(
        np.concatenate([part.status for part in parts]),
        np.concatenate([part.ended for part in parts]),
        {start + run: said for start, part in zip(starts, parts, strict=True) for run, said in part.reasons.items()},
        {name: np.concatenate([part.measured[name] for part in parts]) for name in names},
    )  # fmt: skip


def _run_some(own: Preset, loop: "Loop", part: slice, names: Sequence[str]) -> Outcome:
    batch = loop.batch
    runs = Runs(
        own, batch.first.form.id, batch.p[:, part], batch.omega[:, part],
        lambda run: batch.equations_of(part.start + run).preset, batch.same_body,
    )  # fmt: skip
    measures = [MEASURES[name](runs) for name in names]
    bodies = Bodies(loop, part)
    while bodies.left:
        refuse_to_go_on()
        first, rows = bodies.advance()
        _let_take(measures, Block(runs, first, *bodies.seen(rows)))
    status = bodies.ended[0].astype(np.int8)
    times = np.where(status > 0, bodies.ended[1], np.nan)
    return Outcome(status, times, bodies.reasons, _measured(names, measures, status, times))


class Loop:
    """The compiled loop that advances runs of a batch, and what of its arguments is the same in every call."""

    def __init__(self, batch: Batch, kind: Kind) -> None:
        self.batch, self.kind = batch, kind
        form, segment = batch.first.form, batch.first.segment
        for each in sums(segment.parameters):
            _ = each.function  # compiled, or loaded, before a kernel calls it
        self.y = tuple(batch.states[:, 0].tolist())
        self.packed = not isinstance(kind, Single)
        self._first = (
            kind,
            batch.first.integrator.method(form),
            segment.parameters,
        )
        self._own = int(not batch.same_equations)

    def numbers(self, part: slice, columns: int) -> np.ndarray:
        """Those of the parameters, of each run, or once for all."""
        batch = self.batch
        if batch.same_equations:
            return np.array([batch.first.numbers] * self.kind.width).T.copy()
        own = [batch.equations[number].numbers for number in batch.own[part].tolist()]
        return spread(np.array(own).T, columns)

    def __call__(
        self,
        numbers: np.ndarray,
        made: int,
        steps: int,
        states: np.ndarray,
        rows: np.ndarray,
        ended: np.ndarray,
    ) -> None:
        """Advance the states (k, b) by the samples that fit into `rows` (s, w, b)."""
        segment = self.batch.first.segment
        further = () if self.packed else (segment.threshold, ended)
        arguments = (
            *self._first, numbers, self._own, segment.projects, made, steps, segment.dt, self.y, states,
            rows.reshape(-1, rows.shape[-1]), *further,
        )  # fmt: skip
        advance = _packs().advance_packs if self.packed else advance_each
        advance.bound(*arguments)(*arguments)


class Bodies:
    """Runs of a batch that one call advances, and where they are."""

    def __init__(self, loop: Loop, part: slice) -> None:
        self._loop, self._batch, self._part = loop, loop.batch, part
        self._equations, self._segment = loop.batch.first, loop.batch.first.segment
        start = loop.batch.states[:, part]
        self._count = start.shape[1]
        columns = -(-self._count // loop.kind.width) * loop.kind.width
        self._states, self._numbers = spread(start, columns), loop.numbers(part, columns)
        self._ended = np.zeros((2, columns))
        self.reasons: dict[int, str] = {}
        """Why runs ended early, by their numbers."""
        run = self._equations.preset.run
        self.left = round(run.duration / run.sample_interval)
        """Samples to come."""
        self._done = 0
        self._width = 7 if self._equations.form.on_group else len(start)
        rows = max(2, min(self.left, ROWS // (self._width * columns))) + 1
        # An odd number of lines of a cache from row to row: with a power of two all of a column would be in a few of its sets.
        across = columns if columns // LINE % 2 else columns + LINE
        self._room = _room_for(rows * self._width * across).reshape(rows, self._width, across)
        self._call(self._room[:1], 0)
        self._last = 0
        """The row that was written last: the next ones begin with it."""
        if self._equations.form.singularity_title:
            self._end_what_begins_singular()

    @property
    def ended(self) -> np.ndarray:
        """Status and time [s] of each run (2, b) that ended early; zeros where none has."""
        return self._ended[:, : self._count]

    def advance(self) -> tuple[int, np.ndarray]:
        """The next samples: the number of the first row, and rows (s, w, b), of which the first was the last before."""
        count = min(len(self._room) - 1, self.left)
        rows = self._room[: count + 1]
        rows[0] = self._room[self._last]
        if not self._loop.packed:
            rows[1:] = np.nan
        before = self._ended[0].copy()
        self._call(rows[1:], self._segment.steps_per_sample)
        first, self._done, self.left, self._last = self._done, self._done + count, self.left - count, count
        if self._end_what_is_not_finite(rows, first) or not self._loop.packed:
            for run in np.flatnonzero(self._ended[0, : self._count] != before[: self._count]).tolist():
                self.reasons[run] = self._reason(run)
            if (self._ended[0] > 0).all():
                self.left = 0
        return first, rows[:, :, : self._count]

    def seen(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """p (4, s, b) and omega (3, s, b) of rows (s, w, b)."""
        if self._equations.form.on_group:
            return rows[:, :4].transpose(1, 0, 2), rows[:, 4:].transpose(1, 0, 2)
        batch, (samples, width, count) = self._batch, rows.shape
        form = self._equations.form
        if batch.same_equations:
            states = np.moveaxis(rows, 1, -1).reshape(-1, width)
            found = form.observe(states, self._segment.parameters)
            p, omega = (np.moveaxis(each.reshape(samples, count, -1), -1, 0) for each in found)
            return p, omega
        p, omega = np.empty((4, samples, count)), np.empty((3, samples, count))
        for run in range(count):
            parameters = batch.equations_of(self._part.start + run).segment.parameters
            each = form.observe(np.ascontiguousarray(rows[:, :, run]), parameters)
            p[:, :, run], omega[:, :, run] = each[0].T, each[1].T
        return p, omega

    def _call(self, rows: np.ndarray, steps: int) -> None:
        made = self._done * self._segment.steps_per_sample
        self._loop(self._numbers, made, steps, self._states, rows, self._ended)

    def _end_what_is_not_finite(self, rows: np.ndarray, first: int) -> bool:
        """Whether there is any. A state that is no number never is one again: the last row tells, and one sum of it that all
        are numbers."""
        if math.isfinite(np.add.reduce(rows[-1, :, : len(self._ended[0])], axis=None)):
            return False
        lost = ~np.isfinite(rows[-1, :, : len(self._ended[0])].sum(axis=0)) & (self._ended[0] == 0)
        for run in np.flatnonzero(lost):
            row = int(np.argmax(~np.isfinite(rows[:, :, run].sum(axis=1))))
            rows[row:, :, run] = np.nan
            self._ended[:, run] = NOT_FINITE, (first + row) * self._equations.preset.run.sample_interval
        return True

    def _end_what_begins_singular(self) -> None:
        for run in range(self._count):
            if not abs(self._singularity(run)) > self._segment.threshold:
                self._ended[0, run] = SINGULAR
                self.reasons[run] = self._reason(run)
        self._ended[0, self._count :] = self._ended[0, self._count - 1]

    def _singularity(self, run: int) -> float:
        """How far the state of a run is from a singularity."""
        found, row = np.empty((1, 2)), self._states[:, run][None].copy()
        row.flags.writeable = False
        parameters = self._batch.equations_of(self._part.start + run).segment.parameters
        measure_rows(parameters, 0, 0.0, self._loop.y, row, found)
        return float(found[0, 1])

    def _reason(self, run: int) -> str:
        """Why a run has ended."""
        equations = self._batch.equations_of(self._part.start + run)
        segment, form, (status, time) = equations.segment, equations.form, self._ended[:, run]
        if status == SINGULAR:
            return str(form.explain_singular(self._states[:, run], self._singularity(run)))
        times = [time - segment.dt, time - 0.5 * segment.dt, time]
        lack = undefined(bind(segment.setting.loads, segment.setting.body), times)
        return str(lack or overflow(segment.dt))


def _room_for(count: int) -> np.ndarray:
    """So many numbers, which the next who asks in this thread is given again: new memory would be as dear as what is written
    to it."""
    if len(getattr(_kept, "room", ())) < count:
        room = np.empty(count + LINE)
        _kept.room = room[-(room.ctypes.data // room.itemsize) % LINE :]
    return _kept.room[:count]


_kept = threading.local()


def _let_take(measures: Sequence[SweepMeasure], block: Block) -> None:
    for measure in measures:
        measure.take(block)


def _measured(
    names: Sequence[str], measures: Sequence[SweepMeasure], status: np.ndarray, ended: np.ndarray
) -> dict[str, np.ndarray]:
    for measure in measures:
        measure.hear(status, ended)
    return {name: measure.end() for name, measure in zip(names, measures, strict=True)}


_packable: dict[tuple[type, str], bool] = {}
"""Whether a formulation, by the type of its parameters, and an integrator can be compiled for packs of numbers."""
_lock = threading.Lock()


def kind_of(batch: Batch) -> Kind:
    """Packs, where nothing in the equations asks which of two numbers is larger."""
    equations = batch.first
    form, kernels = equations.form, equations.form.kernels
    key = (form.parameter_type, equations.integrator.name)
    if kernels is None or kernels.singularity is not None or kernels.chart is not None:
        return Single(1)
    with _lock:
        if key not in _packable:
            _packable[key] = _compiles(batch)
    return _packing(batch) if _packable[key] else Single(1)


def _packing(batch: Batch) -> Kind:
    return _packs().FREE if is_free(batch.first.segment.parameters) else _packs().PACKED


def _packs() -> ModuleType:
    """The loop with packs: numba, which a plan has no need of."""
    compiler()
    from quatviz.analysis.sweeps import packed

    return packed


def _compiles(batch: Batch) -> bool:
    kind = _packing(batch)
    from numba.core.errors import NumbaError

    try:
        Bodies(Loop(batch, kind), slice(0, 1))
    except NumbaError:
        return False
    return True
