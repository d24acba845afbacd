"""What the recorded states of a lane mean: its motion, from which every quantity follows, and what its steps lead to between
two of them."""

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.binder import LazyDispatcher
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.observables.quantities import Motion
from quatviz.simulation.center_of_mass_motion import center_of_mass_reader
from quatviz.simulation.history import History
from quatviz.simulation.schedule import LaneSegment

TARGET_ROWS_PER_SAMPLE = 10
"""Rows for each sample, or as near to it as steps fall: a body that goes round half a turn from sample to sample turns by few
degrees between two of these. A lane of few steps is led by shorter ones."""
MAX_STEPS_PER_SAMPLE = 1000
"""Steps from sample to sample that are made again at most, longer ones where the lane makes more: whoever looks does not wait, and
in so short a time longer steps are as good."""


class TrajectoryReader:
    """Reads the states in `history`, each with the body, the loads and the parameters of its segment. It writes nothing,
    and any thread may ask it."""

    def __init__(
        self,
        formulation: Formulation,
        integrator: Integrator,
        preset: Preset,
        segments: Sequence[LaneSegment],
        history: History,
    ) -> None:
        self._form, self._integrator = formulation, integrator
        self._interval = preset.run.sample_interval
        self._segments, self._history = segments, history
        self._first_samples = [segment.first for segment in segments]
        self._center_motion = center_of_mass_reader(preset, self.motion)

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """The stretch of samples `start:stop`."""
        rows = self._history.rows[start:stop]
        if len(self._first_samples) == 1:
            return self.motion_of_rows(rows, start, self._segments[0])
        cuts = [start, *(first for first in self._first_samples if start < first < start + len(rows))]
        parts = [
            self.motion_of_rows(rows[low - start : high - start], low, self._segment_at(low))
            for low, high in zip(cuts, [*cuts[1:], start + len(rows)], strict=True)
        ]
        return concatenate_motions(parts)

    def motion_at(self, samples: np.ndarray) -> Motion:
        """These samples (n,), which need not follow each other."""
        segment_indices = np.searchsorted(self._first_samples, samples, "right") - 1
        groups = [
            np.flatnonzero(segment_indices == segment_index) for segment_index in np.unique(segment_indices)
        ]
        if len(groups) <= 1:
            return self._motion_in_segment(samples)
        order = np.argsort(np.concatenate(groups))
        return concatenate_motions([self._motion_in_segment(samples[group]) for group in groups], order)

    def motion_of_rows(
        self,
        rows: np.ndarray,
        start: int | np.ndarray,
        segment: LaneSegment,
        measures: Callable[[], np.ndarray] | None = None,
    ) -> Motion:
        """Of states (n, m) of one segment. `start` is the first sample of `rows`, or the sample of each where they do not
        follow each other."""
        samples = start + np.arange(len(rows)) if isinstance(start, int) else start
        first = int(samples[0]) if len(samples) else 0
        # A copy, because a history that grows moves to new memory; by components, as they are computed with.
        rows = rows.copy(order="F")
        form, parameters = self._form, segment.parameters
        p, omega = form.observe(rows, parameters)
        return Motion(
            samples * self._interval,
            p,
            omega,
            body=segment.config.body,
            loads=segment.config.loads,
            constraint_rate=form.constraint_rate(rows, parameters),
            measures=measures or (lambda: self.measures(rows, first, segment)),
            totals=form.totals(rows, parameters),
            extras=form.extras(rows, parameters),
            system=lambda: form.system_matrix(rows, parameters),
            terms=form.multiplier_terms if form.has_multiplier else None,
            reference=segment.reference,
            center_motion=lambda: self._center_states(samples),
        )

    def motion_within(self, rows: np.ndarray, first: int, rows_per_sample: int) -> Motion:
        """Of rows (n, k) of which there are so many `rows_per_sample` sample, the first of this number, all of one segment."""
        segment, width = self._segment_at(first // rows_per_sample), len(self._form.component_names)

        def measures() -> np.ndarray:
            values = self._kernel_measures(rows[:, :width], first, segment, self._interval / rows_per_sample)
            return self._with_records(values, rows[:, width:])

        return self.motion_of_rows(
            rows[:, :width], (first + np.arange(len(rows))) / rows_per_sample, segment, measures
        )

    def state_before_event(self, row: np.ndarray, sample: int) -> Motion:
        """Of the recorded row (n,) that led to the events at a sample, by what was in force until then: one row long."""
        segment, width = self._segment_at(sample - 1), len(self._form.component_names)

        def measures() -> np.ndarray:
            values = self._kernel_measures(row[None, :width], sample, segment)
            return self._with_records(values, row[None, width:])

        return self.motion_of_rows(row[None, :width], sample, segment, measures)

    def motion_from_attitudes(self, p: np.ndarray, position: float) -> Motion:
        """Rows that have these attitudes (n, 4) at a place in samples, and do not turn."""
        config, count = self._segment_at(math.floor(position)).config, len(p)
        return Motion(
            np.full(count, position * self._interval), p, np.zeros((count, 3)), body=config.body, loads=config.loads,
            constraint_rate=np.zeros(count), measures=lambda: _constant_measures(count),
        )  # fmt: skip

    def motion_at_times(self, times: np.ndarray, p: np.ndarray, omega: np.ndarray, sample: int) -> Motion:
        """At times (n,) [s] that need be those of no sample, p (n, 4) as integrated and omega (n, 3) [rad/s, body], within the
        segment of that sample."""
        segment = self._segment_at(sample)
        rows = np.stack(
            [self._form.start(*state, segment.parameters) for state in zip(p, omega, strict=True)]
        )

        def measures() -> np.ndarray:
            values = np.empty((len(rows), 2))
            example_state = tuple(rows[0].tolist())
            for number, time in enumerate(times.tolist()):
                # The kernel counts in samples: this one is number 1, and as long as its time.
                row = rows[number : number + 1].copy()
                row.flags.writeable = False
                _measure_rows(segment, 1, time, example_state, row, values[number : number + 1])
            return values

        constant_measures = (
            None
            if self._form.has_multiplier or self._form.singularity_title
            else _constant_measures(len(rows))
        )
        return self.motion_of_rows(
            rows,
            times / self._interval,
            segment,
            measures if constant_measures is None else lambda: constant_measures,
        )

    def _center_states(self, samples: np.ndarray) -> np.ndarray:
        """Position and velocity of the centre of mass (n, 6), by a cubic between two samples."""
        lower = np.floor(samples).astype(int)
        fraction = (samples - lower)[:, None]
        start = self._center_motion(lower)
        if not fraction.any():
            return start
        end = self._center_motion(np.minimum(lower + 1, len(self._history) - 1))
        rise = end[:, :3] - start[:, :3]
        start_slope, end_slope = self._interval * start[:, 3:] - rise, self._interval * end[:, 3:] - rise
        blend = fraction * (1.0 - fraction)
        position = (
            start[:, :3] + fraction * rise + blend * ((1.0 - fraction) * start_slope - fraction * end_slope)
        )
        slope = (
            rise
            + (1.0 - 2.0 * fraction) * ((1.0 - fraction) * start_slope - fraction * end_slope)
            - blend * (start_slope + end_slope)
        )
        return np.concatenate((position, slope / self._interval), axis=1)

    def measures(self, rows: np.ndarray, start: int, segment: LaneSegment) -> np.ndarray:
        """(lambda, singularity) (n, 2); only formulations that have either one pay for a kernel."""
        records = self._history.records[start : start + len(rows)]
        return self._with_records(self._kernel_measures(rows, start, segment), records)

    def _kernel_measures(
        self, rows: np.ndarray, start: int, segment: LaneSegment, interval: float | None = None
    ) -> np.ndarray:
        """What a kernel makes of them, at times that are multiples of an `interval` [s], of samples unless it is given."""
        rows = np.array(rows, order="C")
        rows.flags.writeable = False  # one kind of array, one compiled kernel
        measures = _constant_measures(len(rows))
        if self.needs_kernel:
            example_state = tuple(self._history.rows[0].tolist())
            _measure_rows(segment, start, interval or self._interval, example_state, rows, measures)
        return measures

    def _with_records(self, measures: np.ndarray, records: np.ndarray) -> np.ndarray:
        """With the lambda that the step has recorded beside the states, where it does."""
        if "lambda" in self._integrator.records:
            measures[:, 0] = records[:, self._integrator.records.index("lambda")]
        return measures

    @property
    def needs_kernel(self) -> bool:
        """Whether lambda or the singularity takes a kernel: lambda does not where the step has recorded it."""
        measured = self._form.has_multiplier and "lambda" not in self._integrator.records
        return measured or bool(self._form.singularity_title)

    def _segment_at(self, sample: int) -> LaneSegment:
        """The segment to which a sample belongs."""
        return self._segments[_segment_index(self._segments, sample)]

    def _motion_in_segment(self, samples: np.ndarray) -> Motion:
        """Samples (n,) of one segment."""
        rows, segment = self._history.rows[samples], self._segment_at(int(samples[0]) if len(samples) else 0)

        def measures() -> np.ndarray:
            values = [
                self.measures(rows[i : i + 1], sample, segment) for i, sample in enumerate(samples.tolist())
            ]
            return np.concatenate([np.empty((0, 2)), *values])

        return self.motion_of_rows(rows, samples, segment, measures)


def concatenate_motions(parts: Sequence[Motion], order: np.ndarray | None = None) -> Motion:
    """Stretches one after another; `order` (n,) says which of their rows come where."""
    if len(parts) == 1 and order is None:
        return parts[0]
    return cast("Motion", ConcatenatedMotion(parts, order))


def _measure_rows(segment: LaneSegment, *arguments: Any) -> None:
    """`blocks.measure_rows` with the parameters of a segment."""
    blocks.measure_rows.entry_point(segment.parameters, *arguments)(segment.parameters, *arguments)


def _constant_measures(count: int) -> np.ndarray:
    """Of a form with neither a multiplier nor a singularity."""
    return np.tile([np.nan, 1.0], (count, 1))


class ConcatenatedMotion:
    """Every attribute of `Motion`, of all `parts` one after another; `order` (n,) says which of their rows come where."""

    def __init__(self, parts: Sequence[Motion], order: np.ndarray | None = None) -> None:
        self._parts, self._order = tuple(parts), order

    def angles(self, sequence: str) -> np.ndarray:
        return self._concatenate([part.angles(sequence) for part in self._parts])

    def det_S(self, sequence: str) -> np.ndarray:
        return self._concatenate([part.det_S(sequence) for part in self._parts])

    def extra(self, name: str) -> np.ndarray:
        return self._concatenate([part.extra(name) for part in self._parts])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self.__dict__[name] = self._concatenate([getattr(part, name) for part in self._parts])
        return value

    def _concatenate(self, values: list[Any]) -> Any:
        first = values[0]
        if isinstance(first, dict):
            return {key: self._concatenate([value[key] for value in values]) for key in first}
        if not isinstance(first, np.ndarray):
            return first
        rows = np.concatenate(values)
        return rows if self._order is None else rows[self._order]


class StepReplay:
    """Makes the steps of a lane again, from one of its samples to another, or asks its closed form. It writes nothing, and any
    thread may ask it.

    A polynomial through samples knows nothing of what is faster than these: of a top that goes round by one radian from one to the
    next, it was off in the fourth digit. The steps that were made between them lead to the same bits when they are made again.
    """

    def __init__(
        self,
        formulation: Formulation,
        segments: Sequence[LaneSegment],
        history: History,
        pre_event_rows: Mapping[int, np.ndarray],
        interval: float,
    ) -> None:
        self._form, self._segments, self._history, self._pre_event_rows = (
            formulation,
            segments,
            history,
            pre_event_rows,
        )
        self._interval = interval
        self._kernels: dict[int, Callable[..., Any]] = {}
        self._solutions: dict[int, StateFunction] = {}
        self.rows_per_sample = self._choose_rows_per_sample()
        """Rows from a sample to the next; 1 where nothing is known between them, as of what was measured."""

    def _choose_rows_per_sample(self) -> int:
        if self._form.has_closed_form:
            return 1 if self._form.is_recorded else TARGET_ROWS_PER_SAMPLE
        compiled = all(isinstance(segment.integrator.block, LazyDispatcher) for segment in self._segments)
        kernels = self._form.kernels
        changes_chart = kernels is not None and kernels.chart is not None
        if not compiled or (changes_chart and not all(map(_repeats_own_steps, self._segments))):
            return 1  # Python's steps take too long; others than the lane's go over to other coordinates elsewhere
        common = math.gcd(*map(_replay_steps, self._segments))
        fitting = [count for count in range(1, common + 1) if common % count == 0]
        return min(
            fitting, key=lambda count: max(count / TARGET_ROWS_PER_SAMPLE, TARGET_ROWS_PER_SAMPLE / count)
        )

    def rows_between_events(self, first: int, stop: int) -> list[tuple[int, np.ndarray]]:
        """The rows first:stop (n, k), each stretch between two events by itself, with the number of its first row."""
        cuts = [
            cut
            for sample in sorted(self._pre_event_rows)
            if first < (cut := sample * self.rows_per_sample) < stop
        ]
        ends = [*cuts, stop]
        return [
            (low, self._rows(low, high, high + (high != stop)))
            for low, high in zip([first, *cuts], ends, strict=True)
        ]

    def _rows(self, first: int, stop: int, end: int) -> np.ndarray:
        """Rows first:stop, found with those before `end`, between two events."""
        start, last = first // self.rows_per_sample, -(-(end - 1) // self.rows_per_sample)
        stored = self._history.all_columns[start : last + 1].copy()
        if last > start and last in self._pre_event_rows:
            stored[-1] = self._pre_event_rows[last]
        rows = np.empty(((last - start) * self.rows_per_sample + 1, stored.shape[1]))
        rows[0] = stored[0]
        if len(rows) == 1:
            return rows
        fill = self._fill_by_solution if self._form.has_closed_form else self._fill_by_steps
        restarts = fill(start, rows, stored)
        _match_samples(rows, stored, self.rows_per_sample, restarts)
        return rows[first - start * self.rows_per_sample : stop - start * self.rows_per_sample]

    def _fill_by_steps(self, start: int, rows: np.ndarray, stored: np.ndarray) -> bool:
        """Fill the rows behind the first one, which is a sample, and tell whether they begin afresh at each sample."""
        number = _segment_index(self._segments, start)
        segment = self._segments[number]
        if _repeats_own_steps(segment):
            self._make_steps(number, start, rows)
            return False
        # Other steps lead elsewhere: what they are off by must not grow from sample to sample.
        for sample in range(len(stored) - 1):
            sample_rows = np.empty((self.rows_per_sample + 1, rows.shape[1]))
            sample_rows[0] = stored[sample]
            self._make_steps(number, start + sample, sample_rows)
            rows[sample * self.rows_per_sample + 1 : (sample + 1) * self.rows_per_sample + 1] = sample_rows[
                1:
            ]
        return True

    def _make_steps(self, number: int, start: int, rows: np.ndarray) -> None:
        """Fill them by steps from that sample on, with the segment of this number."""
        segment = self._segments[number]
        steps = _replay_steps(segment)
        arguments = (
            segment.integrator.method(self._form),
            segment.parameters,
            segment.projection,
            start * steps,
            steps // self.rows_per_sample,
            steps * len(rows),
            self._interval / steps,
            segment.threshold,
            tuple(rows[0, : len(self._form.component_names)].tolist()),
            rows[1:],
        )
        kernel = self._kernels.get(number)
        if kernel is None:
            block = segment.integrator.block
            assert isinstance(block, LazyDispatcher)
            kernel = block.entry_point(*arguments)
            self._kernels[number] = kernel
        complete_rows = int(kernel(*arguments)[1]) // self.rows_per_sample * self.rows_per_sample
        rows[complete_rows + 1 :] = rows[
            complete_rows
        ]  # what ends before its time is on the line between samples

    def _fill_by_solution(self, start: int, rows: np.ndarray, _: np.ndarray) -> bool:
        """The same by a closed form."""
        last_event = max((sample for sample in self._pre_event_rows if sample <= start), default=0)
        if last_event not in self._solutions:
            segment = self._segments[_segment_index(self._segments, last_event)]
            self._solutions[last_event] = closed_form_from(
                self._form, segment, self._history.rows[last_event]
            )
        times = (start - last_event + np.arange(1, len(rows)) / self.rows_per_sample) * self._interval
        rows[1:] = self._solutions[last_event](times)
        return False


def closed_form_from(form: Formulation, segment: LaneSegment, state: np.ndarray) -> StateFunction:
    """The closed form of the motion that goes on from a state (k,); `NoClosedForm` where none is known."""
    config = segment.config
    p, omega = form.observe(state[None, :], segment.parameters)
    return form.solution(config.body, config.loads, normalize(p[0]), omega[0])


def _segment_index(segments: Sequence[LaneSegment], sample: int) -> int:
    """That of the segment to which a sample belongs."""
    return bisect.bisect_right(segments, sample, key=lambda segment: segment.first) - 1


def _replay_steps(segment: LaneSegment) -> int:
    """How many lead from a sample to the next."""
    steps = segment.steps_per_sample
    return min(steps * max(round(0.5 * TARGET_ROWS_PER_SAMPLE / steps), 1), MAX_STEPS_PER_SAMPLE)


def _repeats_own_steps(segment: LaneSegment) -> bool:
    """Whether these are the lane's own, to the last bit: an adaptive method finds others where it is asked for more rows."""
    return segment.integrator.fixed_step and _replay_steps(segment) == segment.steps_per_sample


def _match_samples(rows: np.ndarray, stored: np.ndarray, rows_per_sample: int, restarts: bool) -> None:
    """Let every one of `rows_per_sample` rows be the one that is `stored`, and mix what they were off by into those between:
    for the rounding of a method that remembers what was before, and for other steps, which begin `restarts` at each."""
    errors = stored - rows[::rows_per_sample]
    if not errors.any():
        return
    fractions = (np.arange(rows_per_sample) / rows_per_sample)[:, None]
    start_errors = np.zeros_like(errors[:-1]) if restarts else errors[:-1]
    rows[::rows_per_sample] = stored
    inner = rows[:-1].reshape(-1, rows_per_sample, rows.shape[1])
    inner[:, 1:] += (start_errors[:, None] + fractions * (errors[1:] - start_errors)[:, None])[:, 1:]
