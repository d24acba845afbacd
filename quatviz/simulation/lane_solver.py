"""Solver of one lane: its current state between two calls of `advance`, and the cost of its steps so far."""

import math
from time import thread_time
from typing import Any

import numpy as np

from quatviz.physics.exact import NoClosedForm
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment
from quatviz.simulation.stepping import UNLIMITED_STEPS, SolverState, StepResult, advance, begin

STEPS_PER_BLOCK = 40_000
"""Largest number of steps per block. A block takes a few milliseconds and does not hold the GIL, so that the window
rarely waits."""
BLOCK_TIME = 0.004
"""Intended processor time of a block [s]. Between blocks, the cursor moves and commands take effect."""
FIRST_BLOCK = 2_000
"""Number of steps in the first block, when the cost per step is not known yet."""


class LaneSolver:
    """Solver state of a lane between calls of `advance`, with a count of the steps.

    `state` is the solver state, `steps` the number of steps so far, and `seconds` their processor time [s].
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._has_closed_form = problem.formulation.has_closed_form
        self._is_recorded = problem.formulation.is_recorded
        self.state = SolverState(problem.segments[0], 0, 0, (), None)
        self.steps, self.seconds = 0, 0.0

    @property
    def segment(self) -> LaneSegment:
        """Current segment, with the integration method and the step."""
        return self.state.segment

    @property
    def cost(self) -> float:
        """Processor time per step [s]; NaN before the first step and for lanes without steps."""
        return self.seconds / self.steps if self.steps else math.nan

    def begin(self, segment: LaneSegment, sample: int, y: np.ndarray) -> None:
        """Start from the state `y` (k,) at a sample, without memory of previous steps.

        A recording is a single solution for the whole run, which continues unaffected by events.

        Raises
        ------
        NoClosedForm
            If the required closed form does not exist. The solver then has no solution.
        """
        if self._is_recorded and self.state.solution is not None:
            self.state = self.state._replace(segment=segment, sample=sample)
            return
        try:
            self.state = begin(self._problem, segment, sample, y)
        except NoClosedForm:
            self.state = SolverState(segment, sample, 0, tuple(y.tolist()), None)
            raise

    def first_record(self, y: tuple[float, ...]) -> tuple[float, ...]:
        """Return the additional values that the integrator records with the initial state `y` (k,); () if it
        records none."""
        segment = self.state.segment
        if self._has_closed_form or not segment.integrator.records:
            return ()
        return segment.integrator.first_record(self.state.method, segment.parameters, segment.dt, y)

    def load_kernels(self, rows: np.ndarray) -> StepResult:
        """Load the compiled block and the sums of loads that it calls, compiling them if needed. Check the start of the
        lane by a call that makes no step. `rows` (0, k) has the width of the rows of the lane."""
        for load_sum in self._problem.load_sums:
            _ = load_sum.function
        result = advance(self._problem, self.state, rows)
        self.state = result.state
        return result

    def advance(self, rows: np.ndarray, max_steps: int = UNLIMITED_STEPS) -> StepResult:
        """Compute the next samples into `rows` (n, k), in up to `max_steps` steps."""
        started = thread_time()
        result = advance(self._problem, self.state, rows, max_steps)
        if not self._has_closed_form:
            self.seconds += thread_time() - started
            self.steps += result.steps
        self.state = result.state
        return result

    def block_size(self, blocks: int, samples: int) -> tuple[int, int]:
        """Return the number of samples (at least one) and the number of steps that can be computed in about the
        time of `blocks` blocks. `samples` is the number of samples recorded so far."""
        steps = FIRST_BLOCK
        if self.steps:
            steps = min(STEPS_PER_BLOCK, max(1, round(BLOCK_TIME / max(self.cost, 1e-9))))
        intervals = samples - 1
        steps_per_row = (
            self.steps / intervals if intervals and self.steps else self.state.segment.steps_per_sample
        )
        if self._has_closed_form:
            steps_per_row = 1  # without steps, many samples cost little more than a few
        return max(1, int(steps * blocks / steps_per_row)), steps * blocks

    def find_load_changes(self, duration: float) -> None:
        """Search the loads for abrupt changes up to `duration` [s]. This is called after the run was
        extended."""
        for segment in self._problem.segments:
            segment.find_load_changes(duration)
        method: Any = self.state.method
        if method is not None:
            self.state = self.state._replace(method=self.segment.integrator.with_load_changes(method))
