"""States of a lane at any time. This is the only place that computes states between samples.

A lane with fixed steps repeats its own steps exactly from the previous sample. An adaptive lane is computed again with
more rows per sample. Within a step, the lane's equations are integrated by shorter steps, and the result is corrected
to agree with the states at both ends of the step. Closed forms and recordings are evaluated. Nothing is interpolated
across an event: before its time, states are those before the event; from its time on, those after it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from quatviz.physics.formulations.base import StateFunction
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels.between_steps import advance_rows
from quatviz.physics.kernels.binder import LazyDispatcher
from quatviz.physics.mechanics.rotations import norm
from quatviz.physics.mechanics.state import StateVariable, component_indices
from quatviz.simulation.history import History
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment, segment_number
from quatviz.simulation.step_rows import MAX_CHART_MISMATCH, StepRows
from quatviz.simulation.stepping import closed_form_from

SNAP_FRACTION = 1e-10
"""A time is regarded as the time of a sample if the distance is less than this fraction of the sample interval. It
allows for rounding errors."""
MAX_STEPS_PER_SAMPLE = 1000
"""Largest number of steps per sample that are repeated for display. A lane with more steps is repeated with
this number of longer steps, which is accurate enough within one interval and keeps drawing fast."""
STEP_TOLERANCE = 1e-9
"""A time is regarded as the end of a step if the distance is less than this fraction of the step. It allows for
rounding errors."""
MAX_ERROR = 0.1
"""Relative error of the short steps above which states within a step are interpolated linearly instead."""
SUBSTEPS = 8
"""Number of short steps, of the classical Runge-Kutta method, within a step of the lane. With 8, states within a
step are more accurate than those at its ends."""
ADAPTIVE_ROWS, MAX_ADAPTIVE_ROWS, MAX_PYTHON_ROWS = 16, 1024, 64
"""Numbers of rows per sample with which an adaptive lane is computed again: the initial number, the largest number for
compiled methods, and the largest number for methods in Python."""
MIN_ADAPTIVE_TOLERANCE, TOLERANCE_FACTOR = 1e-9, 10.0
"""Relative errors of the short steps that an adaptive method may have. More rows per sample are computed if the error
exceeds both `MIN_ADAPTIVE_TOLERANCE` and `TOLERANCE_FACTOR` times the tolerance of the method."""


class DenseOutput:
    """Access to the states of a lane between its samples. It does not modify the lane and can be used from any thread.

    Parameters
    ----------
    problem
        Problem of the lane.
    history
        Recorded rows.
    pre_event_rows
        Row (k,) before the events at each sample with events.
    """

    def __init__(self, problem: Problem, history: History, pre_event_rows: Mapping[int, np.ndarray]) -> None:
        self._form, self._segments, self._history = problem.formulation, problem.segments, history
        self._pre_event_rows, self._interval = pre_event_rows, problem.interval
        self._step_rows = StepRows(problem, history, pre_event_rows)
        self._entry_points: dict[int, Callable[..., Any]] = {}
        self._solutions: dict[int, StateFunction] = {}
        self._adaptive_rows: dict[int, int] = {}
        """Number of rows per sample that has been sufficient so far, by segment number."""

    def states_at(self, times: np.ndarray) -> np.ndarray:
        """Return the states of the lane, and the records of its integrator, at any times.

        Parameters
        ----------
        times
            Times (n,) [s] in any order, from 0 to the time of the last sample.

        Returns
        -------
        ndarray
            Rows (n, k). At the time of a sample, this is the recorded row, after the events at that sample.
        """
        positions, lower = self.locate(times)
        rows = self._history.all_columns[lower]
        between = np.flatnonzero(positions > lower)
        between = between[np.argsort(positions[between], kind="stable")]
        if between.size:
            compute = self._evaluate if self._form.has_closed_form else self._integrate
            rows[between] = compute(positions[between], lower[between])
        return rows

    def equal_rows(self, first: int, stop: int, per_sample: int) -> np.ndarray:
        """Return the equidistant rows (n, k) numbered `first` to `stop` - 1, with `per_sample` rows per
        sample. Row 0 is at t = 0.

        An integrated lane calls only kernels that its own computation has already loaded, so that nothing
        needs to be compiled.
        """
        numbers = np.arange(first, stop)
        if self._form.has_closed_form:
            return self.states_at(numbers / per_sample * self._interval)
        lower = numbers // per_sample
        rows = self._history.all_columns[lower]
        indices = np.flatnonzero(numbers % per_sample)
        segments = segment_number(self._segments, lower)
        for number in np.unique(segments[indices]).tolist():
            chosen = indices[segments[indices] == number]
            steps = self._steps_for_equal_rows(self._segments[number], per_sample)
            rows[chosen] = self._step_rows.step_ends(
                number, numbers[chosen] * (steps // per_sample), steps
            ).starts
        return rows

    @staticmethod
    def _steps_for_equal_rows(segment: LaneSegment, per_sample: int) -> int:
        """Return the number of steps per sample with which `per_sample` equidistant rows are computed. It is the lane's
        own number of steps if that is a multiple of `per_sample` and at most `MAX_STEPS_PER_SAMPLE`, otherwise another
        multiple of `per_sample`."""
        own_steps = segment.steps_per_sample if segment.integrator.fixed_step else 0
        if own_steps and own_steps % per_sample == 0 and own_steps <= MAX_STEPS_PER_SAMPLE:
            return own_steps
        return per_sample * -(-max(ADAPTIVE_ROWS, min(own_steps, MAX_STEPS_PER_SAMPLE)) // per_sample)

    def locate(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions (n,) [samples] of `times` (n,) [s], and the sample (n,) at or before each position."""
        positions = np.clip(times / self._interval, 0.0, len(self._history) - 1.0)
        nearest = np.rint(positions)
        positions = np.where(np.abs(positions - nearest) <= SNAP_FRACTION, nearest, positions)
        return positions, np.floor(positions).astype(int)

    def _evaluate(self, positions: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Return the rows of a closed form or a recording at ascending positions (n,) [samples]."""
        starts = [0, *(() if self._form.is_recorded else sorted(self._pre_event_rows))]
        numbers = np.searchsorted(starts, lower, "right") - 1
        parts = []
        for number in np.unique(numbers).tolist():
            times = (positions[numbers == number] - starts[number]) * self._interval
            parts.append(self._solution(starts[number])(times))
        return np.concatenate(parts)

    def _solution(self, start: int) -> StateFunction:
        """Return the closed form of the motion from the recorded state at the sample `start` on."""
        if start not in self._solutions:
            segment = self._segments[segment_number(self._segments, start)]
            self._solutions[start] = closed_form_from(self._form, segment, self._history.rows[start])
        return self._solutions[start]

    def _integrate(self, positions: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Return the rows of an integrated lane at ascending positions (n,)."""
        numbers = segment_number(self._segments, lower)
        return np.concatenate(
            [
                self._integrate_in_segment(number, positions[numbers == number])
                for number in np.unique(numbers).tolist()
            ]
        )

    def _integrate_in_segment(self, number: int, positions: np.ndarray) -> np.ndarray:
        segment = self._segments[number]
        if segment.integrator.fixed_step:
            return self._rows_between_steps(number, positions, segment.steps_per_sample)[0]
        per_sample, tolerances = self._adaptive_rows.get(number, ADAPTIVE_ROWS), segment.integrator.tolerances
        tolerance = max(MIN_ADAPTIVE_TOLERANCE, TOLERANCE_FACTOR * tolerances.relative if tolerances else 0.0)
        is_compiled = isinstance(segment.integrator.block, LazyDispatcher)
        most = MAX_ADAPTIVE_ROWS if is_compiled else MAX_PYTHON_ROWS
        while True:
            rows, error = self._rows_between_steps(number, positions, per_sample)
            if not error > tolerance or per_sample >= most:
                return rows
            per_sample = self._adaptive_rows[number] = 4 * per_sample

    def _rows_between_steps(
        self, number: int, positions: np.ndarray, per_sample: int
    ) -> tuple[np.ndarray, float]:
        """Return the rows (n, k) at ascending positions (n,), computed with `per_sample` steps per sample, and the
        largest relative error of the short steps within these steps."""
        segment, width, length = (
            self._segments[number],
            len(self._form.component_names),
            self._interval / per_sample,
        )
        steps, parts = _locate_in_steps(positions, per_sample)
        starts, ends = self._step_rows.step_ends(number, steps, per_sample)
        rows = np.where((parts == 1.0)[:, None], ends, starts + parts[:, None] * (ends - starts))
        between = np.flatnonzero((parts > 0.0) & (parts < 1.0))
        if not between.size:
            return rows, 0.0
        parts, end = parts[between], ends[between, :width]
        start = np.ascontiguousarray(starts[between, :width])
        reached, full, keeps_chart = np.empty_like(start), np.empty_like(start), np.empty(len(start), bool)
        arguments = (
            INTEGRATORS["rk4"]().method(self._form), segment.parameters, steps[between] * length, parts, length, SUBSTEPS,
            tuple(start[0].tolist()), start, reached, full, keeps_chart,
        )  # fmt: skip
        if number not in self._entry_points:
            self._entry_points[number] = advance_rows.entry_point(*arguments)
        self._entry_points[number](*arguments)
        with np.errstate(all="ignore"):
            errors = (np.abs(end - full) / (1.0 + np.abs(end))).max(axis=1)
            if self._form.kernels is not None and self._form.kernels.chart is not None:
                keeps_chart &= errors < MAX_CHART_MISMATCH
            states = self._meet_ends(reached, full, end, np.where(keeps_chart, parts, 0.0)[:, None])
        # If even short steps are too long for a stiff formulation, interpolate linearly between the ends.
        is_usable = np.isfinite(states).all(axis=1) & ~(keeps_chart & (errors > MAX_ERROR))
        rows[between[is_usable], :width] = states[is_usable]
        return rows, float(np.max(errors, where=keeps_chart, initial=0.0))

    def _meet_ends(
        self, reached: np.ndarray, full: np.ndarray, ends: np.ndarray, parts: np.ndarray
    ) -> np.ndarray:
        """Return states (n, k) within steps of the lane, corrected so that they agree with the ends of these
        steps.

        `reached` (n, k) are the states after the elapsed fraction `parts` (n, 1) of a step, computed by short
        steps. `full` (n, k) are the states that the short steps reach at the end of the step, and `ends` (n,
        k) the states of the lane there. The deviation at the end is distributed in proportion to time. The
        norm of p, and the components of p' or of the momenta along p, are corrected separately, since a sum
        of states would change them.
        """
        states = reached + parts * (ends - full)
        p = component_indices(self._form.blocks, StateVariable.EULER_PARAMETERS)
        if not p:
            return states
        lengths = [norm(rows[:, p])[:, None] for rows in (reached, full, ends)]
        length = lengths[0] + parts * (lengths[2] - lengths[1])
        states[:, p] *= length / norm(states[:, p])[:, None]
        for variable in (StateVariable.EULER_RATES, StateVariable.EULER_MOMENTA):
            if rates := component_indices(self._form.blocks, variable):
                products = [
                    (rows[:, p] * rows[:, rates]).sum(axis=1)[:, None]
                    for rows in (reached, full, ends, states)
                ]
                missing = products[0] + parts * (products[2] - products[1]) - products[3]
                states[:, rates] += missing / length**2 * states[:, p]
        return states


def _locate_in_steps(positions: np.ndarray, per_sample: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number (n,) of the step that contains each position (n,) [samples], and the elapsed fraction (n,)
    of this step, 0 to 1. No position may be a sample."""
    places = positions * per_sample
    tolerance = STEP_TOLERANCE + 8.0 * np.finfo(float).eps * places
    # Stay within the sample interval, since an event may follow at the next sample.
    last = (np.floor(positions).astype(int) + 1) * per_sample - 1
    steps = np.minimum(np.floor(places + tolerance).astype(int), last)
    parts = places - steps
    parts[parts <= tolerance], parts[parts >= 1.0 - tolerance] = 0.0, 1.0
    return steps, parts
