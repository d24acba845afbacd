"""Stepping of a lane: `advance` takes the state of a solver and returns the next state and the rows in between."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.formulations.base import Formulation, StateFunction
from quatviz.physics.kernels import blocks
from quatviz.physics.kernels.binder import LazyDispatcher
from quatviz.physics.mechanics.rotations import normalize
from quatviz.simulation.problem import Problem
from quatviz.simulation.schedule import LaneSegment

UNLIMITED_STEPS = 2**62
"""Value of `max_steps` for an unlimited number of steps."""
RECORDING_ENDED = 4
"""Status of a lane whose recording has ended. It extends the statuses of `physics.kernels.blocks`."""
STATUSES = {
    blocks.SINGULAR: "singular",
    blocks.NOT_FINITE: "not_finite",
    blocks.STEP_FAILED: "step_failed",
    RECORDING_ENDED: "recording_ended",
}
"""Maps each status code with which a block of steps may end to the name of the lane's status."""


class SolverState(NamedTuple):
    """State of a solver between two calls of `advance`."""

    segment: LaneSegment
    sample: int
    """Number of the last complete sample."""
    substeps: int
    """Number of fixed steps since `sample`. The state after these steps is `y`."""
    y: tuple[float, ...]
    method: Any
    """Data that the kernel of the integrator reads (`Integrator.method`). Its arrays hold the memory of a
    multistep method, so that a state of a multistep method can be advanced only once."""
    kernel: Callable[..., Any] | None = None
    """Compiled loop over time steps for `method` and `segment`, cached because its lookup takes as long as
    about a thousand steps."""
    solution: StateFunction | None = None
    """Closed form of the motion, as a function of the time since the sample `origin`; None for a formulation
    that is integrated."""
    origin: int = 0


class StepResult(NamedTuple):
    """Result of `advance`."""

    state: SolverState
    status: int
    """`RUNNING`, or the reason why the lane ends here."""
    row_count: int
    """Number of samples that this call has written to the output rows."""
    time: float
    """Time reached [s]."""
    steps: int
    """Number of steps that this call has made."""


def begin(problem: Problem, segment: LaneSegment, sample: int, y: np.ndarray) -> SolverState:
    """Return the state of a solver that starts from the state `y` (k,) at a sample, without memory of previous
    steps.

    Raises
    ------
    NoClosedForm
        If the formulation has a closed form, but not for this state.
    """
    state = SolverState(segment, sample, 0, tuple(y.tolist()), problem.make_method(segment))
    if problem.formulation.has_closed_form:
        return state._replace(solution=closed_form_from(problem.formulation, segment, y), origin=sample)
    return state


def closed_form_from(form: Formulation, segment: LaneSegment, state: np.ndarray) -> StateFunction:
    """Return the closed form of the motion that starts from a state (k,). Raise `NoClosedForm` if none is known."""
    config = segment.config
    p, omega = form.observe(state[None, :], segment.parameters)
    return form.solution(config.body, config.loads, normalize(p[0]), omega[0])


def advance(
    problem: Problem, state: SolverState, rows: np.ndarray, max_steps: int = UNLIMITED_STEPS
) -> StepResult:
    """Compute the samples after `state` into `rows` (n, k), in up to `max_steps` steps, within one segment.

    The result does not depend on how a lane is divided into calls: the next call continues an incomplete sample
    with bitwise identical results. The initial `state` comes from `begin`, at the start of a lane, after an event,
    or for a replay from any sample.
    """
    if state.solution is not None:
        return _evaluate(problem, state, rows)
    segment, integrator = state.segment, state.segment.integrator
    arguments = (
        state.method,
        segment.parameters,
        segment.projection,
        state.sample * segment.steps_per_sample + state.substeps,
        segment.steps_per_sample,
        max_steps,
        segment.step,
        segment.threshold,
        state.y,
        rows,
    )
    kernel = state.kernel
    if kernel is None:
        block = integrator.block
        kernel = block.entry_point(*arguments) if isinstance(block, LazyDispatcher) else block
    steps_before = integrator.steps_made(state.method)
    status, row_count, time, y = kernel(*arguments)
    sample, substeps = state.sample + row_count, 0
    if steps_before is not None:
        steps = (integrator.steps_made(state.method) or 0) - steps_before
    elif status != blocks.RUNNING:  # ended within a sample; the time gives the number of steps
        steps = round(time / segment.step) - state.sample * segment.steps_per_sample - state.substeps
    elif row_count == len(rows):
        steps = row_count * segment.steps_per_sample - (state.substeps if row_count else 0)
        substeps = 0 if row_count else state.substeps
    else:
        steps = max_steps
        substeps = state.substeps + steps - row_count * segment.steps_per_sample
    new_state = SolverState(segment, sample, substeps, y, state.method, kernel)
    return StepResult(new_state, status, row_count, time, steps)


def _evaluate(problem: Problem, state: SolverState, rows: np.ndarray) -> StepResult:
    """Evaluate the closed form at the next samples into `rows` (n, k), up to the last sample at which it is
    known."""
    assert state.solution is not None
    numbers = state.sample + 1 + np.arange(len(rows))
    times = (numbers - state.origin) * problem.interval
    rows[:] = state.solution(times)
    known = int((times <= problem.formulation.end_time() + 1e-6 * problem.interval).sum())
    status = blocks.RUNNING if known == len(rows) else RECORDING_ENDED
    sample = state.sample + known
    return StepResult(state._replace(sample=sample), status, known, sample * problem.interval, 0)
