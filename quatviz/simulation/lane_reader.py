"""Reading of a lane: its motion at samples and between them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from quatviz.base.errors import InputError, phrase
from quatviz.files.preset import time_of_sample
from quatviz.physics.events.base import PhysicalConfig
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.rate_rows import rate_rows
from quatviz.physics.observables.interpolation import InterpolationNodes, interpolation_nodes
from quatviz.physics.observables.quantities import QUANTITIES, Motion
from quatviz.physics.observables.quantity_attributes import QuantityAttributes
from quatviz.simulation.dense_output import DenseOutput
from quatviz.simulation.history import History
from quatviz.simulation.problem import Problem
from quatviz.simulation.recorder import Recorder
from quatviz.simulation.schedule import LaneSegment, segment_number
from quatviz.simulation.stepping import UNLIMITED_STEPS
from quatviz.simulation.trajectory import TrajectoryReader, choose_rows_per_sample, concatenate_motions


class LaneReader(QuantityAttributes):
    """Read access to the recorded states of a lane. It does not modify the lane and can be used from any thread."""

    name: str
    t: NDArray[np.float64]
    """Times (n,) [s] of the recorded samples."""
    prepared: bool
    """True if the compiled kernels are loaded. Before that, reading the multiplier waits for the compiler."""

    def _set_problem(self, problem: Problem) -> None:
        self.problem = problem
        self.formulation: Formulation = problem.formulation
        self.interval = problem.interval
        self.recorder = Recorder(problem)
        self.history: History = self.recorder.history
        self._dense_output = DenseOutput(problem, self.history, self.recorder.pre_event_rows)
        self._rows_per_sample = (
            choose_rows_per_sample(problem.formulation, problem.segments) if problem.is_built_in else 1
        )
        """Number of rows per sample for display. With user equations it is 1, so that these are evaluated no
        more often than the run itself requires."""
        self._trajectory = TrajectoryReader(
            problem.formulation,
            problem.segments[0].integrator,
            problem.preset,
            problem.segments,
            self.history,
            self.recorder.references,
            self.motion_within,
            self._rows_per_sample,
        )

    @property
    def samples(self) -> int:
        """Number of recorded samples, including the start."""
        return len(self.history)

    @property
    def computed_to(self) -> float:
        """Time of the last recorded sample [s]."""
        return time_of_sample(self.samples - 1, self.interval)

    @property
    def intervals_between_events(self) -> list[tuple[int, int, PhysicalConfig]]:
        """First sample, last sample (that of the next event, or the last one of the lane) and physical configuration of
        each interval between events."""
        configs = {segment.first: segment.config for segment in self.problem.segments}
        cuts = sorted({0, *configs, *self.problem.events})
        cuts = [*(cut for cut in cuts if cut < self.samples - 1), self.samples - 1]
        config, intervals = self.problem.segments[0].config, []
        for first, last in pairwise(cuts):
            config = configs.get(first, config)
            intervals.append((first, last, config))
        return intervals

    @property
    def event_log(self) -> list[tuple[float, str, str]]:
        """Time [s], title and description of each event so far, in order."""
        return [
            (time_of_sample(sample, self.interval), scheduled.event.title, scheduled.event.summary)
            for sample, events in sorted(self.problem.events.items())
            for scheduled in events
            if sample < self.samples
        ]

    def motion(self, start: int = 0, stop: int | None = None) -> Motion:
        """Return the motion at the samples `start:stop`. Every displayed quantity is computed from such a
        motion."""
        return self._trajectory.motion(start, stop)

    def motion_at(self, samples: np.ndarray) -> Motion:
        """Return the motion at samples (n,), which need not be consecutive."""
        return self._trajectory.motion_at(samples)

    def nodes(self, position: float, count: int) -> InterpolationNodes:
        """Return the samples or rows from which the motion at `position` [samples] is interpolated, among the
        first `count` samples."""
        return interpolation_nodes(position, count, self.event_samples, self.rows_per_sample)

    @property
    def event_samples(self) -> tuple[int, ...]:
        """Samples at which events occurred, in order, without the start. The recorded rows at these samples are
        those after the events."""
        return tuple(sorted(self.recorder.pre_event_rows))

    @property
    def rows_per_sample(self) -> int:
        """Number of rows per sample that can be read for display, a row being a state at or between samples."""
        return self._rows_per_sample if self.prepared else 1

    def motion_within(self, first: int, stop: int, rows_per_sample: int | None = None) -> Motion:
        """Return the motion at equidistant rows.

        Parameters
        ----------
        first, stop
            Number of the first row, and of the row after the last.
        rows_per_sample
            Number of rows per sample; by default that of `choose_rows_per_sample`.
        """
        if rows_per_sample is None:
            rows_per_sample = choose_rows_per_sample(self.formulation, self.problem.segments)
        if rows_per_sample == 1:
            return self.motion(first, stop)
        numbers = np.arange(first, stop)
        rows = self._dense_output.equal_rows(first, stop, rows_per_sample)
        segments = segment_number(self.problem.segments, numbers // rows_per_sample)
        return concatenate_motions(
            [
                self._trajectory.motion_within(rows[low:high], first + low, rows_per_sample)
                for low, high in pairwise(self._trajectory.group_cuts(segments))
            ]
        )

    def motion_from_attitudes(self, p: np.ndarray, position: float) -> Motion:
        """Return a motion that consists of attitudes p (n, 4) at rest, at the time of `position` [samples].
        Quantities that depend only on the attitude are computed from it."""
        return self._trajectory.motion_from_attitudes(p, position)

    def singularity_measure(self, state: np.ndarray, segment: LaneSegment) -> float:
        """Return the singularity measure of a state (k,) in a segment."""
        return float(self._trajectory.measures(state[None, :], 0, segment)[0, 1])

    def load_measures(self, segment: LaneSegment) -> None:
        """Load the kernel that computes the multiplier and the singularity measure, compiling it if
        needed."""
        if self._trajectory.needs_kernel:
            self._trajectory.measures(self.history.rows[:1], 0, segment)

    def state_before_event(self, sample: int) -> Motion:
        """Return the motion just before the events at a sample, as a motion with one row."""
        return self.states_before_events([sample])

    def states_before_events(self, samples: Sequence[int]) -> Motion:
        """Return the motion just before the events at each of the ascending `samples`, with one row for each."""
        rows = np.array([self.recorder.pre_event_rows[sample] for sample in samples])
        return self._trajectory.states_before_events(rows, np.array(samples))

    def derivative(self, t: float, state: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the derivative (m,) of a state (m,) at t [s] from the kernel of the formulation, and the multiplier [J]."""
        self._refuse_states(state, (1,))
        rate, lam = blocks.derivative(self._segment_at(t).parameters, float(t), tuple(map(float, state)))
        return np.array(rate), float(lam)

    def derivatives(self, t: float, states: np.ndarray) -> np.ndarray:
        """Return the derivatives at t [s] of one state (m,), or of k states in columns (m, k) as SciPy's vectorized
        solvers pass them. The result has the shape of `states`."""
        self._refuse_states(states, (1, 2))
        rows = np.ascontiguousarray(np.atleast_2d(states.T))
        rates = np.empty_like(rows)
        rate_rows(self._segment_at(t).parameters, float(t), (0.0,) * rows.shape[1], rows, rates)
        return rates[0] if states.ndim == 1 else rates.T

    def _segment_at(self, t: float) -> LaneSegment:
        """Return the segment between events that contains the time t [s]."""
        return self.problem.segment_at(min(int(t / self.interval + 1e-9), UNLIMITED_STEPS))

    def _refuse_states(self, states: np.ndarray, dimensions: Sequence[int]) -> None:
        """Raise an `InputError` if the lane has a closed form, or if `states` has a wrong number of components or of
        array dimensions."""
        if self.formulation.has_closed_form:
            raise InputError(
                "the derivative", expected="a lane that is integrated",
                found=phrase("the closed form {form}", form=self.formulation.titled_id),
                remedy="choose another lane", key="formulation",
            )  # fmt: skip
        if np.ndim(states) not in dimensions or len(states) != len(self.formulation.component_names):
            raise InputError(
                "the state",
                expected=", ".join(self.formulation.component_names),
                found=phrase("{count} numbers", count=np.size(states))
                if np.ndim(states) < 2
                else phrase("an array of the shape {shape}", shape=np.shape(states)),
                remedy="take a row of lane.states",
                topic="scripting#results-of-a-lane",
            )

    def states_at(self, times: np.ndarray) -> np.ndarray:
        """Return the states (n, m) at any times (n,) [s] from 0 to `computed_to`: see `DenseOutput.states_at`."""
        return self._dense_output.states_at(times)[:, : len(self.formulation.component_names)]

    def motion_at_times(self, times: np.ndarray) -> Motion:
        """Return the motion at any times (n,) [s] from 0 to `computed_to`."""
        if not len(times):
            return self.motion(0, 0)
        return self._trajectory.motion_at_times(times, self._dense_output.states_at(times))

    if not TYPE_CHECKING:  # Type checkers then report misspelled quantities.

        def __getattr__(self, name: str) -> np.ndarray:
            """Return the values over the whole lane, one row per sample, of a quantity in
            `physics.observables.quantities.QUANTITIES`, or the times `t` (n,) [s]."""
            if name == "t":
                return np.arange(self.samples) * self.interval
            if name in QUANTITIES:
                return QUANTITIES[name].values(self.motion())
            raise AttributeError(f"a lane has no {name!r}; its quantities are t, {', '.join(QUANTITIES)}")

    def angles(self, sequence: str) -> np.ndarray:
        """Return Euler angles (n, 3) [rad] of a sequence such as "313", in the order of the rotations."""
        return self.motion().angles(sequence)

    @property
    def digest(self) -> str:
        """SHA-256 of the formulation, the sample interval and the bits of every recorded state; "" before the
        kernels are loaded."""
        return self.recorder.digest() if self.prepared else ""

    @property
    def lam_parts(self) -> dict[str, np.ndarray]:
        """Terms of the theoretical multiplier, each (n,) [J]; empty for a lane without multiplier."""
        return self.motion().lam_parts
