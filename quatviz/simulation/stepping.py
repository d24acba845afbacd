"""The only thing that steps: `advance` takes a solver's state in, and gives the next one and the rows between."""

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
"""More steps than are ever made."""
RECORDING_ENDED = 4
"""Beside the statuses of `physics.kernels.blocks`: nothing is known of the motion from here on."""
STATUSES = {
    blocks.SINGULAR: "singular",
    blocks.NOT_FINITE: "not_finite",
    blocks.STEP_FAILED: "step_failed",
    RECORDING_ENDED: "recording_ended",
}
"""Statuses of a lane by those of a block."""


class SolverState(NamedTuple):
    """Where a solver is, between two calls of `advance`."""

    segment: LaneSegment
    sample: int
    """Number of the last complete sample."""
    substeps: int
    """Steps of fixed length made since that sample, to which `y` belongs."""
    y: tuple[float, ...]
    method: Any
    """The method's own tuple. Its arrays are the memory of methods that have one: a state with such a method can be advanced
    once."""
    kernel: Callable[..., Any] | None = None
    """The compiled block for `method` and `segment`. To look it up takes as long as some thousand steps."""
    solution: StateFunction | None = None
    """The closed form, and the sample from which its time counts, of a formulation that is not integrated."""
    origin: int = 0


class StepResult(NamedTuple):
    """What `advance` did."""

    state: SolverState
    status: int
    """How it ended: `RUNNING`, or why the lane ends here."""
    written: int
    """Rows that were written."""
    time: float
    """Time reached [s]."""
    steps: int
    """Steps that were made."""


def begin(problem: Problem, segment: LaneSegment, sample: int, y: np.ndarray) -> SolverState:
    """Return the state of a solver that starts from the state y (k,) at a sample and knows nothing of before. `NoClosedForm` where
    the formulation has a closed form, but not from here on."""
    state = SolverState(segment, sample, 0, tuple(y.tolist()), problem.make_method(segment))
    if problem.formulation.has_closed_form:
        return state._replace(solution=closed_form_from(problem.formulation, segment, y), origin=sample)
    return state


def closed_form_from(form: Formulation, segment: LaneSegment, state: np.ndarray) -> StateFunction:
    """The closed form of the motion that goes on from a state (k,); `NoClosedForm` where none is known."""
    config = segment.config
    p, omega = form.observe(state[None, :], segment.parameters)
    return form.solution(config.body, config.loads, normalize(p[0]), omega[0])


def advance(
    problem: Problem, state: SolverState, rows: np.ndarray, max_steps: int = UNLIMITED_STEPS
) -> StepResult:
    """Compute the samples that follow `state` into `rows` (n, k), in up to `max_steps` steps, within one segment.

    The result does not depend on how a lane is divided into calls: what is not complete after `max_steps` goes on with the next
    call, to the same bits. A lane's start, an event, and a replay from any sample begin with `begin`.
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
    status, written, time, y = kernel(*arguments)
    sample, substeps = state.sample + written, 0
    if steps_before is not None:
        steps = (integrator.steps_made(state.method) or 0) - steps_before
    elif status != blocks.RUNNING:  # somewhere within a sample, at a time that counts steps
        steps = round(time / segment.step) - state.sample * segment.steps_per_sample - state.substeps
    elif written == len(rows):
        steps = written * segment.steps_per_sample - (state.substeps if written else 0)
        substeps = 0 if written else state.substeps
    else:
        steps = max_steps
        substeps = state.substeps + steps - written * segment.steps_per_sample
    new_state = SolverState(segment, sample, substeps, y, state.method, kernel)
    return StepResult(new_state, status, written, time, steps)


def _evaluate(problem: Problem, state: SolverState, rows: np.ndarray) -> StepResult:
    """Evaluate the closed form at the samples that follow, as far as it is known."""
    assert state.solution is not None
    numbers = state.sample + 1 + np.arange(len(rows))
    times = (numbers - state.origin) * problem.interval
    rows[:] = state.solution(times)
    known = int((times <= problem.formulation.end_time() + 1e-6 * problem.interval).sum())
    status = blocks.RUNNING if known == len(rows) else RECORDING_ENDED
    sample = state.sample + known
    return StepResult(state._replace(sample=sample), status, known, sample * problem.interval, 0)
