"""Recording of a lane: its samples, the states before events, and the initial values from which drifts are measured."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from quatviz.physics.formulations.base import StateFunction
from quatviz.physics.observables.quantities import DriftReference, Motion
from quatviz.simulation.history import History, HistoryHash
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment, state_after_events

_SEARCH_CHUNK = 1000
"""Number of samples of a recording that are searched at once for the first sample with known values."""

MotionOfRows = Callable[[np.ndarray, int, LaneSegment], Motion]
"""Type of a function (states, first sample, segment) that returns the states as a motion."""


class LaneRecord(NamedTuple):
    """Recorded states of a lane and the way in which the lane ended, sufficient to read the lane in another
    process."""

    rows: np.ndarray
    """States, each followed by the additional values of the integrator (n, k)."""
    pre_event_rows: dict[int, np.ndarray]
    """Row (k,) before the events at each sample with events."""
    references: tuple[DriftReference | None, ...]
    """Initial values from which drifts are measured, for each segment; None for a segment that was not
    reached."""
    status: str
    message: str
    ended_at: float | None
    steps: int
    seconds: float


class Recorder:
    """Recorder of the history of a lane. It also applies events, since the recorded sample at an event is the state
    after the event.

    `pre_event_rows` maps samples to the row (k,) before their events. `references` maps each segment to the initial
    values from which its drifts are measured, or to None before the lane has reached the segment.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        formulation, run = problem.formulation, problem.preset.run
        self._width = len(formulation.component_names)
        self._record_width = len(problem.segments[0].integrator.records)
        self.history = History(
            self._width, round(run.duration / run.sample_interval) + 1, record_width=self._record_width
        )
        self.pre_event_rows: dict[int, np.ndarray] = {}
        self.references: dict[LaneSegment, DriftReference | None] = dict.fromkeys(problem.segments)
        self._hash = HistoryHash(formulation.id, run.sample_interval)

    def record_start(
        self, state: np.ndarray, motion_of_rows: MotionOfRows, reference_state: np.ndarray | None = None
    ) -> tuple[LaneSegment, np.ndarray]:
        """Record the first sample, which is the state after any events at t = 0. Return the segment and the
        state (k,) with which the lane continues.

        Drifts are measured from `reference_state` if given, otherwise from the start.
        """
        segment = self._problem.segments[0]
        reference_state = state if reference_state is None else reference_state
        self.references[segment] = DriftReference.from_motion(
            motion_of_rows(reference_state[None, :], 0, segment)
        )
        segment, state = self._after_events(0, segment, state, motion_of_rows)
        self.history.reserve(1)[0] = (*state, *[math.nan] * self._record_width)
        self.history.publish(1)
        return segment, state

    def apply_events(
        self, sample: int, segment: LaneSegment, row: np.ndarray, motion_of_rows: MotionOfRows
    ) -> tuple[LaneSegment, np.ndarray]:
        """Apply the events at a sample to its row (k,), which is not published yet. Return the segment and
        the state (k,) after the events."""
        self.pre_event_rows[sample] = row.copy()
        segment, state = self._after_events(sample, segment, row[: self._width], motion_of_rows)
        row[: self._width] = state
        return segment, row[: self._width].copy()

    def _after_events(
        self, sample: int, segment: LaneSegment, state: np.ndarray, motion_of_rows: MotionOfRows
    ) -> tuple[LaneSegment, np.ndarray]:
        formulation = self._problem.formulation
        for scheduled in self._problem.events.get(sample, ()):
            previous = segment
            if formulation.is_recorded:  # events do not affect a recording
                segment = scheduled.segment or segment
            else:
                state, segment = state_after_events(formulation, (scheduled,), state, segment)
            if segment is previous:
                continue
            if segment.resets_reference and np.isfinite(state).all():
                motion = motion_of_rows(state[None, :], sample, segment)
                self.references[segment] = DriftReference.from_motion(motion)
            else:
                self.references[segment] = self.references[previous]
        return segment, state

    def digest(self) -> str:
        """Return the SHA-256 of the formulation, the sample interval and the bits of every recorded state."""
        return self._hash.hexdigest(self.history)

    def load(self, record: LaneRecord) -> None:
        """Replace the content by the record of another lane."""
        self.history.load(record.rows)
        self.pre_event_rows.update(record.pre_event_rows)
        self.references.update(zip(self._problem.segments, record.references, strict=True))


def first_known_state(problem: Problem, solution: StateFunction) -> np.ndarray:
    """Return the first state (k,) of a recording without unknown values. Drifts are measured from this state."""
    last = min(problem.formulation.end_time(), problem.preset.run.duration)
    for first in range(0, int(last / problem.interval) + 1, _SEARCH_CHUNK):
        states = solution((first + np.arange(_SEARCH_CHUNK)) * problem.interval)
        known_rows = np.flatnonzero(np.isfinite(states).all(axis=1))
        if len(known_rows):
            return states[known_rows[0]]
    return np.full(len(problem.formulation.component_names), np.nan)
