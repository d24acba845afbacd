"""Replay of the steps of a lane. Since only samples are stored, the rows at the ends of steps are computed again."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from quatviz.simulation.history import History
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment
from quatviz.simulation.stepping import UNLIMITED_STEPS, SolverState, StepResult, advance

MAX_WINDOW_ROWS = 8192
"""Largest number of rows (states at the ends of steps) that are computed in one call and kept in memory at
once."""
MAX_IDLE_ROWS = 64
"""Largest number of consecutive unrequested rows that are computed between two requested ones. If more lie in
between, the replay restarts at a later sample."""
GROUP_SAMPLES = 16
"""Number of samples that are computed in one call if the steps have another length than those of the lane. One
call per sample would take ten times as long."""
MAX_DEVIATION = 1e-7
"""Largest relative deviation, at a recorded sample, of states that were computed with steps of another length. Up to
this deviation, the steps continue through the sample; beyond it, they restart from the recorded row. Within one sample
interval the deviation changes far less."""
MAX_CHART_MISMATCH = 1e-3
"""Relative difference above which two states of a formulation that changes charts are assumed to be in different
charts."""


class StepEnds(NamedTuple):
    """Rows (n, k) at the starts and ends of steps."""

    starts: np.ndarray
    ends: np.ndarray


class _Window(NamedTuple):
    """Consecutive steps `first` to `stop` - 1, counted from the start of the lane, with no event in
    between."""

    first: int
    stop: int


class StepRows:
    """Replay of the steps of a lane. It does not modify the lane and can be used from any thread.

    The lane's own fixed steps are reproduced exactly. With another number of steps per sample, or with an adaptive
    method, the steps deviate from the recorded samples; the deviation is distributed over the steps in between.
    """

    def __init__(self, problem: Problem, history: History, pre_event_rows: Mapping[int, np.ndarray]) -> None:
        self._problem, self._history, self._pre_event_rows = problem, history, pre_event_rows
        self._form, self._segments, self._interval = problem.formulation, problem.segments, problem.interval
        self._entry_points: dict[int, Callable[..., Any]] = {}
        self._latest: tuple[int, int, np.ndarray, StepEnds] | None = None
        """Last request (segment number, steps per sample, step numbers) and its result, cached because root finders
        repeat requests."""

    def step_ends(self, segment_number: int, steps: np.ndarray, per_sample: int) -> StepEnds:
        """Return the rows at both ends of steps.

        Parameters
        ----------
        segment_number
            Number of the segment that contains all the steps.
        steps
            Numbers (n,) of the steps, counted from the start of the lane, in ascending order.
        per_sample
            Number of steps per sample: that of the segment, or another one.
        """
        needed, indices = np.unique(steps, return_inverse=True)
        latest = self._latest
        is_known = latest is not None and latest[:2] == (segment_number, per_sample)
        if latest is None or not is_known or not np.array_equal(latest[2], needed):
            ends = self._compute_ends(segment_number, needed, per_sample)
            self._latest = latest = segment_number, per_sample, needed, ends
        starts, ends_ = latest[3]
        return StepEnds(starts[indices], ends_[indices])

    def _compute_ends(self, segment_number: int, steps: np.ndarray, per_sample: int) -> StepEnds:
        segment = self._segments[segment_number]
        if segment.integrator.fixed_step and not self._is_own(segment, per_sample):
            # Other fixed steps deviate from the lane, so they start again from recorded samples.
            samples, indices = np.unique(steps // per_sample, return_inverse=True)
            rows, offsets = self._rows_from_samples(segment_number, samples, per_sample), steps % per_sample
            return StepEnds(rows[indices, offsets], rows[indices, offsets + 1])
        starts = np.empty((len(steps), self._history.all_columns.shape[1]))
        ends = np.empty_like(starts)
        for window in self._windows(steps, per_sample):
            low, high = np.searchsorted(steps, window)
            rows = self._window_rows(segment_number, window, per_sample)
            offsets = steps[low:high] - window.first
            starts[low:high], ends[low:high] = rows[offsets], rows[offsets + 1]
        return StepEnds(starts, ends)

    @staticmethod
    def _is_own(segment: LaneSegment, per_sample: int) -> bool:
        """Return True if `per_sample` is the number of fixed steps per sample that the lane itself made."""
        return segment.integrator.fixed_step and per_sample == segment.steps_per_sample

    def _windows(self, steps: np.ndarray, per_sample: int) -> Iterator[_Window]:
        """Group ascending step numbers (n,) into windows, each computed in one call."""
        event_steps = np.array(sorted(self._pre_event_rows), dtype=int) * per_sample
        is_cut = np.diff(steps) > MAX_IDLE_ROWS
        is_cut |= np.diff(np.searchsorted(event_steps, steps, "right")) > 0
        for group in np.split(steps, np.flatnonzero(is_cut) + 1):
            low = 0
            while low < len(group):
                first = int(group[low])
                low = int(np.searchsorted(group, first + MAX_WINDOW_ROWS))
                yield _Window(first, int(group[low - 1]) + 1)

    def _window_rows(self, segment_number: int, window: _Window, per_sample: int) -> np.ndarray:
        """Return the rows (m + 1, k) at the starts of the m steps of a window and at the end of the last
        step."""
        segment, width = self._segments[segment_number], len(self._form.component_names)
        integrator, is_own = segment.integrator, self._is_own(segment, per_sample)
        sample = window.first // per_sample
        first, stop = sample * per_sample, window.stop
        if not is_own:
            stop = -(-stop // per_sample) * per_sample
        method, recorded = integrator.method(self._form), self._history.all_columns
        skipped = window.first - first if is_own else 0
        rows = np.empty((stop - first - skipped + 1, recorded.shape[1]))
        rows[0] = recorded[sample]
        if skipped:
            buffer = np.empty((1, recorded.shape[1]))
            state = self._run_block(
                segment_number, method, first, per_sample, skipped, rows[0, :width], buffer
            ).state.y
            rows[0, :width] = state
        row_count = self._run_block(
            segment_number, method, first + skipped, 1, UNLIMITED_STEPS, rows[0, :width], rows[1:], self._interval / per_sample
        ).row_count  # fmt: skip
        rows[row_count + 1 :] = rows[row_count]  # repeat the last row if rounding ended the block early
        if is_own:
            return rows
        self._meet_samples(rows, sample, per_sample)
        return rows[window.first - first : window.stop - first + 1]

    def _run_block(
        self,
        segment_number: int,
        method: Any,
        step_count: int,
        steps_per_row: int,
        max_steps: int,
        state: np.ndarray,
        rows: np.ndarray,
        dt: float | None = None,
    ) -> StepResult:
        """Compute `rows` (n, k) with `steps_per_row` steps per row, starting from `state` (k,), which is the
        state after `step_count` steps of the lane."""
        segment = self._segments[segment_number]
        segment = segment.with_steps(steps_per_row, segment.step if dt is None else dt)
        kernel = self._entry_points.get(segment_number)
        start = SolverState(
            segment, step_count // steps_per_row, step_count % steps_per_row, tuple(state.tolist()), method, kernel
        )  # fmt: skip
        result = advance(self._problem, start, rows, max_steps)
        assert result.state.kernel is not None
        self._entry_points[segment_number] = result.state.kernel
        return result

    def _rows_from_samples(self, segment_number: int, samples: np.ndarray, per_sample: int) -> np.ndarray:
        """Return rows (n, per_sample + 1, k) from each of the n ascending `samples` to the next sample, computed with
        fixed steps of another length than the lane's own.

        Each call of the kernel continues through several samples. When the deviation becomes too large, the remaining
        intervals are computed one by one, each from its recorded row.
        """
        rows = np.empty((len(samples), per_sample + 1, self._history.all_columns.shape[1]))
        for first, low, high in self._replay_groups(segment_number, samples):
            offsets = samples[low:high] - first
            path = self._rows_through_samples(segment_number, first, int(offsets[-1]) + 1, per_sample)
            single = low + int(np.searchsorted(offsets, len(path)))
            rows[low:single] = path[offsets[: single - low]]
            for index in range(single, high):
                rows[index] = self._rows_through_samples(segment_number, int(samples[index]), 1, per_sample)[
                    0
                ]
        return rows

    def _replay_groups(self, segment_number: int, samples: np.ndarray) -> Iterator[tuple[int, int, int]]:
        """Divide ascending `samples` (n,) into groups without an event in between. For each group, yield the sample
        from which it is computed, and the index range (start, stop) of its samples in `samples`.

        The groups depend only on the events of the lane, so that every request gives the same rows.
        """
        starts = np.array(sorted({self._segments[segment_number].first, *self._pre_event_rows}))
        firsts = samples - (samples - starts[np.searchsorted(starts, samples, "right") - 1]) % GROUP_SAMPLES
        for low, high in pairwise([0, *(np.flatnonzero(np.diff(firsts)) + 1).tolist(), len(samples)]):
            yield int(firsts[low]), low, high

    def _rows_through_samples(
        self, segment_number: int, first: int, count: int, per_sample: int
    ) -> np.ndarray:
        """Return rows (m, per_sample + 1, k) from each of the samples `first` to `first + m - 1` to the next one, computed
        in one call. At most `count` samples are computed, and fewer if the deviation becomes too large."""
        recorded, width = self._history.all_columns, len(self._form.component_names)
        path = np.empty((count * per_sample + 1, recorded.shape[1]))
        path[0] = recorded[first]
        method = self._segments[segment_number].integrator.method(self._form)
        row_count = self._run_block(
            segment_number, method, first * per_sample, 1, UNLIMITED_STEPS, path[0, :width], path[1:], self._interval / per_sample
        ).row_count  # fmt: skip
        path[row_count + 1 :] = path[row_count]
        ends, targets = path[per_sample::per_sample], recorded[first + 1 : first + count + 1].copy()
        if first + count in self._pre_event_rows:
            targets[-1] = self._pre_event_rows[first + count]
        errors = targets - ends
        is_close = np.abs(errors).max(axis=1) <= MAX_DEVIATION * (1.0 + np.abs(ends).max(axis=1))
        count = count if is_close.all() else max(int(np.argmin(is_close)), 1)
        errors = self._accepted(errors[:count], ends[:count])
        parts = (np.arange(per_sample + 1) / per_sample)[:, None]
        rows = path[per_sample * np.arange(count)[:, None] + np.arange(per_sample + 1)]
        rows += parts * errors[:, None]
        rows[1:] += (1.0 - parts) * errors[:-1, None]
        rows[:, 0] = recorded[first : first + count]
        return rows

    def _meet_samples(self, rows: np.ndarray, sample: int, per_sample: int) -> None:
        """Shift `rows` (n, k), which begin at the sample number `sample`, so that they equal the recorded
        rows at all samples. The differences are distributed over the rows in between."""
        samples = rows[::per_sample]
        recorded = self._history.all_columns[sample : sample + len(samples)].copy()
        last = sample + len(samples) - 1
        if last in self._pre_event_rows:
            recorded[-1] = self._pre_event_rows[last]
        errors = self._accepted(recorded - samples, samples)
        parts = np.arange(len(rows)) / per_sample
        for column in range(rows.shape[1]):
            rows[:, column] += np.interp(parts, np.arange(len(samples)), errors[:, column])

    def _accepted(self, errors: np.ndarray, samples: np.ndarray) -> np.ndarray:
        """Return the deviations `errors` (n, k) from recorded samples, with zeros where both states are in
        different charts."""
        if self._form.kernels is not None and self._form.kernels.chart is not None:
            errors[np.abs(errors).max(axis=1) > MAX_CHART_MISMATCH * (1.0 + np.abs(samples).max(axis=1))] = (
                0.0
            )
        return errors
