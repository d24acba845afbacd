"""How runs are computed: a batch side by side, by one compiled call for some of their samples at a time, or one by its lane."""

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import Phrase
from quatviz.kernels.binder import compiler
from quatviz.kernels.blocks import NOT_FINITE, SINGULAR, measure_rows
from quatviz.loads import bind, sums, undefined
from quatviz.simulation.lane import STATUSES as ENDS
from quatviz.simulation.lane import LaneRun, overflow
from quatviz.simulation.simulation import Simulation
from quatviz.sweeps.batches import Batch, Equations
from quatviz.sweeps.measures import MEASURES
from quatviz.sweeps.measures.base import SweepMeasure
from quatviz.sweeps.runs import Block, MotionBlock, Runs
from quatviz.sweeps.side_by_side import Packed, Single, advance, spread
from quatviz.text.preset import Preset

Kind = Packed | Single

BODIES = 1024
"""That one call advances."""
ROWS = 2**18
"""Numbers that it writes, about: two megabytes, which stay in a processor's cache."""
ALONE = 1024
"""Samples of one run that are in memory at once where it is computed by its lane."""


class Outcome(NamedTuple):
    """How runs ended: statuses as lanes have them, times [s] and sentences, and what was measured (b, ...), by name."""

    status: list[str]
    ended: np.ndarray
    reason: list[str]
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
        lane.advance(min(run.missing(lane), ALONE))
        first = max(reached - 1, 0)
        _let_take(measures, MotionBlock(runs, first, lane.motion(first, lane.samples)))
        if lane.samples == reached or not run.missing(lane):
            break
        reached = lane.samples
    lane.finish()
    ended = np.nan if lane.ended_at is None else lane.ended_at
    return Outcome([lane.status], np.array([ended]), [_reason(lane)], _measured(names, measures))


def _reason(lane: LaneRun) -> str:
    """Why it ended early, without its name and the time, which stand beside."""
    message = lane.message
    if isinstance(message, Phrase) and "reason" in message.values:
        return str(message.values["reason"])
    return str(message)


def run_together(own: Preset, batch: Batch, names: Sequence[str]) -> Outcome:
    """A batch, some thousand runs at a time."""
    kind = _kind_of(batch)
    parts = [
        _run_some(own, batch, slice(start, start + BODIES), kind, names)
        for start in range(0, len(batch.places), BODIES)
    ]
    return Outcome(
        [status for part in parts for status in part.status],
        np.concatenate([part.ended for part in parts]),
        [reason for part in parts for reason in part.reason],
        {name: np.concatenate([part.measured[name] for part in parts]) for name in names},
    )  # fmt: skip


def _run_some(own: Preset, batch: Batch, part: slice, kind: Kind, names: Sequence[str]) -> Outcome:
    runs = Runs(
        own, batch.first.form.id, batch.p[:, part], batch.omega[:, part],
        lambda run: batch.equations_of(part.start + run).preset, batch.same_body,
    )  # fmt: skip
    measures = [MEASURES[name](runs) for name in names]
    bodies = Bodies(batch, part, kind)
    while bodies.left:
        first, rows = bodies.advance()
        _let_take(measures, Block(runs, first, *bodies.seen(rows)))
    statuses = [ENDS.get(int(code), "ok") for code in bodies.ended[0]]
    return Outcome(
        statuses,
        np.where(bodies.ended[0] > 0, bodies.ended[1], np.nan),
        bodies.reasons,
        _measured(names, measures),
    )


class Bodies:
    """Runs of a batch that one call advances, and where they are."""

    def __init__(self, batch: Batch, part: slice, kind: Kind) -> None:
        self._batch, self._part, self._kind = batch, part, kind
        self._equations = batch.first
        self._segment = self._equations.segment
        for each in sums(self._segment.parameters):
            _ = each.function  # compiled, or loaded, before a kernel calls it
        self._count = len(batch.own[part])
        columns = -(-self._count // kind.width) * kind.width
        start = batch.states[:, part]
        self._states, self._y = spread(start, columns), tuple(start[:, 0].tolist())
        own = [self._equations.numbers] * kind.width
        if not batch.same_equations:
            own = [batch.equations[number].numbers for number in batch.own[part].tolist()]
        self._numbers = np.array(own).T.copy() if batch.same_equations else spread(np.array(own).T, columns)
        self._ended = np.zeros((2, columns))
        self.reasons = [""] * self._count
        run = self._equations.preset.run
        self.left = round(run.duration / run.sample_interval)
        """Samples to come."""
        self._done = 0
        self._width = 7 if self._equations.form.on_group else len(self._y)
        self._room = np.empty(
            (max(2, min(self.left, ROWS // (self._width * columns))) + 1, self._width, columns)
        )
        self._call(self._room[:1], 0)
        self._last = self._room[0].copy()
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
        rows[0] = self._last
        if self._kind.width == 1:
            rows[1:] = np.nan
        before = self._ended[0].copy()
        self._call(rows[1:], self._segment.steps_per_sample)
        first, self._done, self.left = self._done, self._done + count, self.left - count
        self._end_what_is_not_finite(rows, first)
        for run in np.flatnonzero(self._ended[0, : self._count] != before[: self._count]):
            self.reasons[run] = self._reason(int(run))
        self._last = rows[-1].copy()
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
        segment = self._segment
        advance(
            self._kind, _method_of(self._equations), segment.parameters, self._numbers, int(not self._batch.same_equations),
            segment.projects, self._done * segment.steps_per_sample, steps, segment.dt, segment.threshold, self._y,
            self._states, rows.reshape(-1, rows.shape[-1]), self._ended,
        )  # fmt: skip

    def _end_what_is_not_finite(self, rows: np.ndarray, first: int) -> None:
        """A state that is no number never is one again: the last row tells."""
        lost = ~np.isfinite(rows[-1].sum(axis=0)) & (self._ended[0] == 0)
        for run in np.flatnonzero(lost):
            row = int(np.argmax(~np.isfinite(rows[:, :, run].sum(axis=1))))
            rows[row:, :, run] = np.nan
            self._ended[:, run] = NOT_FINITE, (first + row) * self._equations.preset.run.sample_interval

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
        measure_rows(parameters, 0, 0.0, self._y, row, found)
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


def _let_take(measures: Sequence[SweepMeasure], block: Block) -> None:
    for measure in measures:
        measure.take(block)


def _measured(names: Sequence[str], measures: Sequence[SweepMeasure]) -> dict[str, np.ndarray]:
    return {name: measure.end() for name, measure in zip(names, measures, strict=True)}


def _method_of(equations: Equations) -> Any:
    return equations.integrator.method(equations.form)


_packs: dict[tuple[type, str], bool] = {}
"""Whether a formulation, by the type of its parameters, and an integrator can be compiled for packs of numbers."""
_lock = threading.Lock()


def _kind_of(batch: Batch) -> Kind:
    """Packs, where nothing in the equations asks which of two numbers is larger."""
    equations = batch.first
    form, kernels = equations.form, equations.form.kernels
    key = (form.parameter_type, equations.integrator.name)
    if kernels is None or kernels.singularity is not None or kernels.chart is not None:
        return Single(1)
    with _lock:
        if key not in _packs:
            _packs[key] = _compiles(batch)
    return _packed() if _packs[key] else Single(1)


def _packed() -> Packed:
    compiler()
    from quatviz.kernels.packs import WIDTH

    return Packed(WIDTH)


def _compiles(batch: Batch) -> bool:
    kind = _packed()
    from numba.core.errors import NumbaError

    try:
        Bodies(batch, slice(0, 1), kind)
    except NumbaError:
        return False
    return True
