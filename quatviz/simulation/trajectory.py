"""Interpretation of the states of a lane as a motion, from which every quantity is computed."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import numpy as np

from quatviz.files.preset import Preset
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.binder import LazyDispatcher
from quatviz.physics.observables.quantities import DriftReference, Motion
from quatviz.simulation.center_of_mass_motion import MotionReader, center_of_mass_reader, interpolate_center
from quatviz.simulation.dense_output import MAX_STEPS_PER_SAMPLE, SNAP_FRACTION
from quatviz.simulation.history import History
from quatviz.simulation.schedule import LaneSegment, segment_number

TARGET_ROWS_PER_SAMPLE = 10
"""Approximate number of rows per sample for display. A body that rotates by half a turn between samples then
rotates by less than 20 degrees between rows. If a lane has fewer steps per sample, the additional rows are
computed again with shorter steps."""


class TrajectoryReader:
    """Reader that converts the states in `history` to motions, with the body, loads and parameters of their segments.
    It modifies nothing and can be used from any thread."""

    def __init__(
        self,
        formulation: Formulation,
        integrator: Integrator,
        preset: Preset,
        segments: Sequence[LaneSegment],
        history: History,
        references: Mapping[LaneSegment, DriftReference | None],
        read_rows: MotionReader,
        rows_per_sample: int,
    ) -> None:
        self._references = references
        self._form, self._integrator = formulation, integrator
        self._interval = preset.run.sample_interval
        self._segments, self._history = segments, history
        self._first_samples = np.array([segment.first for segment in segments])
        parameters = list(map(operator.attrgetter("parameters"), segments))
        self._group_numbers = np.cumsum([0, *map(operator.is_not, parameters[1:], parameters)])
        """Number of the group of each segment. The segments of a group differ only in their drift references."""
        loads = segments[0].config.loads
        has_own_loads = len(loads) != len(preset.loads) or not all(map(operator.is_, loads, preset.loads))
        own_preset = replace(preset, loads=loads, lanes=()) if has_own_loads else preset
        self._center_motion = center_of_mass_reader(own_preset, read_rows, rows_per_sample)

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """Return the motion at the samples `start:stop`."""
        rows = self._history.rows[start:stop]
        if len(self._segments) == 1 or not len(rows):
            return self.motion_of_rows(rows, start, self._segment_at(start))
        numbers = self._segment_numbers(start + np.arange(len(rows)))
        parts = [
            self.motion_of_rows(
                rows[low:high],
                start + low,
                self._segments[numbers[low]],
                later_references=self._later_references(numbers[low:high]),
            )
            for low, high in pairwise(self.group_cuts(numbers))
        ]
        return concatenate_motions(parts)

    def motion_at(self, samples: np.ndarray) -> Motion:
        """Return the motion at samples (n,), which need not be consecutive."""
        group_numbers = self._group_numbers[self._segment_numbers(samples)]
        groups = [np.flatnonzero(group_numbers == number) for number in np.unique(group_numbers)]
        if len(groups) <= 1:
            return self._motion_in_group(samples)
        order = np.argsort(np.concatenate(groups))
        return concatenate_motions([self._motion_in_group(samples[group]) for group in groups], order)

    def motion_of_rows(
        self,
        rows: np.ndarray,
        start: int | np.ndarray,
        segment: LaneSegment,
        measures: Callable[[], np.ndarray] | None = None,
        later_references: Mapping[int, DriftReference] | None = None,
    ) -> Motion:
        """Return the motion of states (n, m) of one group of segments that begins with `segment`. `start` is the
        sample of the first row, or the samples (n,) of all rows. For `later_references`, see `Motion`."""
        samples = start + np.arange(len(rows)) if isinstance(start, int) else start
        first = int(samples[0]) if len(samples) else 0
        # A copy, because a history that grows moves to new memory; by components, as they are computed with.
        rows = rows.copy(order="F")
        form, parameters = self._form, segment.parameters
        p, omega = form.observe(rows, parameters)
        center_states = form.center_states(rows, parameters)
        return Motion(
            samples * self._interval,
            p,
            omega,
            body=segment.config.body,
            loads=segment.config.bound_loads,
            constraint_rate=form.constraint_rate(rows, parameters),
            measures=measures or (lambda: self.measures(rows, first, segment)),
            totals=form.totals(rows, parameters),
            rotor_momenta=form.rotor_momenta(rows, parameters),
            extras=form.extras(rows, parameters),
            system=lambda: form.system_matrix(rows, parameters),
            terms=form.multiplier_terms if form.has_multiplier else None,
            reference=self._references[segment],
            later_references=later_references,
            center_states=center_states,
            center_motion=None if center_states is not None else lambda: self._center_states(samples),
        )

    def motion_within(self, rows: np.ndarray, first: int, rows_per_sample: int) -> Motion:
        """Return the motion of rows (n, k) of one group of segments, with `rows_per_sample` rows per sample; `first`
        is the number of the first row."""
        numbers = self._segment_numbers((first + np.arange(len(rows))) // rows_per_sample)
        segment, width = self._segment_at(first // rows_per_sample), len(self._form.component_names)

        def measures() -> np.ndarray:
            values = self._kernel_measures(rows[:, :width], first, segment, self._interval / rows_per_sample)
            return self._with_records(values, rows[:, width:])

        return self.motion_of_rows(
            rows[:, :width],
            (first + np.arange(len(rows))) / rows_per_sample,
            segment,
            measures,
            self._later_references(numbers),
        )

    def states_before_events(self, rows: np.ndarray, samples: np.ndarray) -> Motion:
        """Return the motion of the states `rows` (n, k) that were recorded before the events at ascending `samples`
        (n,). Body and loads are those of the segments that end there."""
        numbers = self._segment_numbers(samples - 1)
        return concatenate_motions(
            [
                self._states_before_events(rows[low:high], samples[low:high], numbers[low:high])
                for low, high in pairwise(self.group_cuts(numbers))
            ]
        )

    def _states_before_events(self, rows: np.ndarray, samples: np.ndarray, numbers: np.ndarray) -> Motion:
        segment, width = self._segments[numbers[0]], len(self._form.component_names)

        def measures() -> np.ndarray:
            values = [
                self._kernel_measures(rows[i : i + 1, :width], sample, segment)
                for i, sample in enumerate(samples.tolist())
            ]
            return self._with_records(np.concatenate(values), rows[:, width:])

        return self.motion_of_rows(
            rows[:, :width], samples, segment, measures, self._later_references(numbers)
        )

    def motion_from_attitudes(self, p: np.ndarray, position: float) -> Motion:
        """Return a motion that consists of attitudes p (n, 4) at rest, at the time of `position` [samples]."""
        config, count = self._segment_at(math.floor(position)).config, len(p)
        return Motion(
            np.full(count, position * self._interval), p, np.zeros((count, 3)), body=config.body, loads=config.bound_loads,
            constraint_rate=np.zeros(count), measures=lambda: _constant_measures(count),
        )  # fmt: skip

    def motion_at_times(self, times: np.ndarray, rows: np.ndarray) -> Motion:
        """Return the motion at times (n,) [s] from the `rows` (n, k) that `DenseOutput` returns for them."""
        positions = np.clip(times / self._interval, 0.0, len(self._history) - 1.0)
        samples = np.floor(positions + SNAP_FRACTION).astype(int)
        numbers = np.searchsorted(self._first_samples, samples, "right") - 1
        groups = [np.flatnonzero(numbers == number) for number in np.unique(numbers).tolist()]
        parts = [
            self._motion_at_times_of_segment(
                times[group], rows[group], self._segments[numbers[group[0]]], positions[group]
            )
            for group in groups
        ]
        return concatenate_motions(parts, np.argsort(np.concatenate(groups)) if len(groups) > 1 else None)

    def _motion_at_times_of_segment(
        self, times: np.ndarray, rows: np.ndarray, segment: LaneSegment, positions: np.ndarray
    ) -> Motion:
        width = len(self._form.component_names)

        def measures() -> np.ndarray:
            values = _constant_measures(len(rows))
            if self.needs_kernel:
                states = np.ascontiguousarray(rows[:, :width])
                states.flags.writeable = False
                state = tuple(states[0].tolist())
                for number, time in enumerate(times.tolist()):
                    # The kernel computes times from row numbers: with row 1, the interval is the time itself.
                    row, value = states[number : number + 1], values[number : number + 1]
                    _measure_rows(segment, 1, time, state, row, value)
            return self._with_records(values, rows[:, width:])

        return self.motion_of_rows(rows[:, :width], positions, segment, measures)

    def _center_states(self, samples: np.ndarray) -> np.ndarray:
        """Return position [m] and velocity [m/s] of the center of mass in space (n, 6) at `samples` (n,), by
        cubic interpolation between whole samples."""
        lower = np.floor(samples).astype(int)
        fraction = (samples - lower)[:, None]
        start = self._center_motion(lower)
        if not fraction.any():
            return start
        end = self._center_motion(np.minimum(lower + 1, len(self._history) - 1))
        return interpolate_center(start, end, self._interval, fraction)

    def measures(self, rows: np.ndarray, start: int, segment: LaneSegment) -> np.ndarray:
        """Return the multiplier lambda [J] and the singularity measure of each state, (n, 2). The kernel is called only
        if the formulation has at least one of the two quantities."""
        records = self._history.records[start : start + len(rows)]
        return self._with_records(self._kernel_measures(rows, start, segment), records)

    def _kernel_measures(
        self, rows: np.ndarray, start: int, segment: LaneSegment, interval: float | None = None
    ) -> np.ndarray:
        """Return multiplier and singularity measure (n, 2) from the kernel, for rows at multiples of
        `interval` [s], by default the sample interval."""
        rows = np.array(rows, order="C")
        rows.flags.writeable = False  # read-only arrays only, so that a single kernel signature is compiled
        measures = _constant_measures(len(rows))
        if self.needs_kernel:
            example_state = tuple(self._history.rows[0].tolist())
            _measure_rows(segment, start, interval or self._interval, example_state, rows, measures)
        return measures

    def _with_records(self, measures: np.ndarray, records: np.ndarray) -> np.ndarray:
        """Return `measures` (n, 2) with the multiplier replaced by the recorded one, if the integrator
        records a multiplier."""
        if "lambda" in self._integrator.records:
            measures[:, 0] = records[:, self._integrator.records.index("lambda")]
        return measures

    @property
    def needs_kernel(self) -> bool:
        """True if a kernel must compute the multiplier or the singularity measure. A multiplier that the
        integrator records need not be computed."""
        measured = self._form.has_multiplier and "lambda" not in self._integrator.records
        return measured or bool(self._form.singularity_title)

    def _segment_at(self, sample: int) -> LaneSegment:
        """Return the segment of a sample."""
        return self._segments[segment_number(self._segments, sample)]

    def _segment_numbers(self, samples: np.ndarray) -> np.ndarray:
        """Return the numbers (n,) of the segments of `samples` (n,)."""
        return np.searchsorted(self._first_samples, samples, "right") - 1

    def group_cuts(self, numbers: np.ndarray) -> list[int]:
        """Return the indices at which segment `numbers` (n,) pass to another group of segments, with 0 and n."""
        changes = np.flatnonzero(np.diff(self._group_numbers[numbers])) + 1
        return [0, *changes.tolist(), len(numbers)]

    def _later_references(self, numbers: np.ndarray) -> dict[int, DriftReference]:
        """Return the drift references of rows with the segment `numbers` (n,), by the row at which each begins."""
        later_references = {}
        for row in (np.flatnonzero(np.diff(numbers)) + 1).tolist():
            reference = self._references[self._segments[numbers[row]]]
            if reference is not None:  # None before the lane reaches the segment
                later_references[row] = reference
        return later_references

    def _motion_in_group(self, samples: np.ndarray) -> Motion:
        """Return the motion at samples (n,) of one group of segments."""
        rows, segment = self._history.rows[samples], self._segment_at(int(samples[0]) if len(samples) else 0)
        later_references = self._later_references(self._segment_numbers(samples))

        def measures() -> np.ndarray:
            values = [
                self.measures(rows[i : i + 1], sample, segment) for i, sample in enumerate(samples.tolist())
            ]
            return np.concatenate([np.empty((0, 2)), *values])

        return self.motion_of_rows(rows, samples, segment, measures, later_references)


def concatenate_motions(parts: Sequence[Motion], order: np.ndarray | None = None) -> Motion:
    """Return the concatenation of motions. `order` (n,) selects and reorders its rows."""
    if len(parts) == 1 and order is None:
        return parts[0]
    return cast("Motion", ConcatenatedMotion(parts, order))


def _measure_rows(segment: LaneSegment, *arguments: Any) -> None:
    """Call `blocks.measure_rows` with the parameters of a segment."""
    blocks.measure_rows.entry_point(segment.parameters, *arguments)(segment.parameters, *arguments)


def _constant_measures(count: int) -> np.ndarray:
    """Return multiplier and singularity measure (n, 2) of a formulation that has neither."""
    return np.tile([np.nan, 1.0], (count, 1))


class ConcatenatedMotion:
    """Motion with every attribute concatenated from the motions `parts`. `order` (n,) selects and reorders the rows."""

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


def choose_rows_per_sample(form: Formulation, segments: Sequence[LaneSegment]) -> int:
    """Return the number of rows per sample for the display of a lane, or 1 if computing more would take too long."""
    if form.has_closed_form:
        return TARGET_ROWS_PER_SAMPLE
    compiled = all(isinstance(segment.integrator.block, LazyDispatcher) for segment in segments)
    changes_chart = form.kernels is not None and form.kernels.chart is not None
    if not compiled or (changes_chart and not all(map(_has_enough_steps, segments))):
        return 1
    common = math.gcd(*map(_replay_steps, segments))
    target = TARGET_ROWS_PER_SAMPLE
    return min([(max(n / target, target / n), n) for n in range(1, common + 1) if common % n == 0])[1]


def _replay_steps(segment: LaneSegment) -> int:
    """Return the number of steps per sample with which a lane is computed again for display."""
    steps = segment.steps_per_sample
    return min(steps * max(round(0.5 * TARGET_ROWS_PER_SAMPLE / steps), 1), MAX_STEPS_PER_SAMPLE)


def _has_enough_steps(segment: LaneSegment) -> bool:
    """Return True if the rows that are computed again agree with the next recorded sample. With other fixed
    steps than the lane's own, a formulation may change charts at other times, and the rows then do not agree."""
    return not segment.integrator.fixed_step or _replay_steps(segment) == segment.steps_per_sample
