"""The loop over steps of adaptive methods, with dense output at the samples. This module defines no integrator.

`advance_adaptively` is the loop. It is compiled for the methods of this package, which provide a trial step with an
error estimate and an interpolant (`AdaptiveKernels`). SciPy's solvers are Python code with their own error control.
They run the same loop in Python, where the functions of this module that are replaced in compiled code call the
method's `driver` instead.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import load, store, total
from quatviz.physics.kernels.binder import (
    Kernel,
    chart,
    compiled,
    inline,
    overload,
    projection,
    singularity,
    with_first_integrals,
)
from quatviz.physics.kernels.blocks import NOT_FINITE, PROJECT_RATES, RUNNING, SINGULAR, STEP_FAILED
from quatviz.physics.kernels.load_changes import latest_end, row_at, time_behind_switches

MAX_STEP_FACTOR = 1000.0
"""Largest step in units of the first trial step.

Without this limit, the error control would choose an endless step for a motion without curvature.
"""
STEPS_PER_FIRST_TRY, EXTRA_STEPS = 100, 1000
"""Largest number of steps between two samples: `STEPS_PER_FIRST_TRY` for each first trial step that fits into
the interval, plus `EXTRA_STEPS`. A lane that needs more steps ends, since it would block the run."""
SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
EPS = float(np.finfo(float).eps)

SAMPLE, SIDE, T_OLD, T_END, T, STEP, TRIED, ALTERED, LIMIT, ROW = range(10)
"""Indices of the elements of a method's memory.

- `SAMPLE`: sample from which the next block starts.
- `SIDE`: sign of the singularity measure.
- `T_OLD`, `T_END`: start and end [s] of the last step.
- `T`: time [s] from which the next step starts. After a jump of a load at `T_END` it is the time just behind the jump.
- `STEP`: length [s] of the next step.
- `TRIED`: number of steps tried, rejected ones included.
- `ALTERED`: 1 if the state was altered after the last step, so that the next step cannot reuse its last slope.
- `LIMIT`: value of `TRIED` at which the lane ends if the current sample is not reached; 0 before the first step to it.
- `ROW`: current row of the table of load changes.
"""
PAUSED = -1
"""Status of an advance that was interrupted before it reached its sample.

The statuses of a lane do not include it.
"""


class AdaptiveKernels(NamedTuple):
    """Kernels of a compiled adaptive method.

    Their argument `method` is a `NamedTuple` with the following fields, among others: `memory` is an array made by
    `new_memory`, `current` (1, k) stores the state at `T`, and `changes` is the table of `physics.kernels.load_changes`.
    """

    trial_step: Kernel
    """Kernel `f(method, par, t, h, y, is_retry) -> (y, error)`: a step of `h` [s] and its estimated error divided by
    the tolerance. `is_retry` is True after a rejected step, when the slope at `t` is known.
    """
    make_interpolant: Kernel
    """Kernel `f(method, par, t, h, old, new)` that prepares the interpolation within the step from `old` to `new`."""
    interpolate: Kernel
    """Kernel `f(method, x, y) -> y`: the state at the fraction `x` of the step last given to `make_interpolant`. `y`
    gives the number of components."""


_kernels: dict[type, AdaptiveKernels] = {}


def register_adaptive(method: type, kernels: AdaptiveKernels) -> None:
    """Register the kernels of the adaptive method whose data have the type `method`."""
    _kernels[method] = kernels


def new_memory() -> np.ndarray:
    """Return the array `memory` of an adaptive method before its first step; its elements are described at
    `SAMPLE`."""
    memory = np.full(10, -1.0)
    memory[[TRIED, LIMIT, ROW]] = 0.0
    return memory


def _kernel(method: Any, name: str) -> Kernel:
    kernel: Kernel = getattr(_kernels[method.instance_class], name)
    return kernel


def trial_step(method, par, t, h, y, is_retry):
    """Make a trial step, see `AdaptiveKernels.trial_step`. Callable only from kernels."""


overload(trial_step)(lambda method, par, t, h, y, is_retry: _kernel(method, "trial_step"))


def make_interpolant(method, par, t, h, old, new):
    """Prepare the interpolation within the last step.

    For SciPy's solvers the arguments are not needed, since the driver has stored that step.
    """
    method.driver.make_interpolant()


@overload(make_interpolant)
def _make_interpolant(method, par, t, h, old, new):
    return _kernel(method, "make_interpolant")


def interpolate(method, par, project, x, target, y):
    """Return the state at `target` [s], the time at the fraction `x` of the last step.

    The state is projected onto the constraint if `project` is set. `y` gives the number of components.
    """
    return method.driver.interpolate(float(target))


@overload(interpolate)
def _interpolate(method, par, project, x, target, y):
    kernel = _kernel(method, "interpolate")

    def interpolated(method, par, project, x, target, y):
        value = kernel(method, x, y)
        return projection(par, project == PROJECT_RATES, value) if project > 0 else value

    return interpolated


def begin(method, par, t, dt, y):
    """Tell the driver of a SciPy solver to start from y at `t` [s] with the first trial step `dt` [s].

    For compiled methods this does nothing.
    """
    method.driver.begin(par, float(t), float(dt), y)


@overload(begin)
def _begin(method, par, t, dt, y):
    return lambda method, par, t, dt, y: None


def end_of_step(method, par, project, t, h, old, y):
    """Return `(y, singularity)` after a step of `h` [s] from `old` to `y` at `t` [s].

    `y` is converted to the best-suited coordinates. If `project` is set, it is then projected onto the constraint,
    otherwise corrected to have the first integrals of `old`.
    """
    return method.driver.end_of_step(par, float(t), y)


@overload(end_of_step)
def _end_of_step(method, par, project, t, h, old, y):
    def finish(method, par, project, t, h, old, y):
        y = chart(par, y)
        if project > 0:
            y = projection(par, project == PROJECT_RATES, y)
        if project == 0:
            y = with_first_integrals(par, h, old, y)
        return y, singularity(par, t, y)

    return finish


def accepted_step(method, par, dt, end, is_switch, y):
    """Make one step from the time `T` in the memory, with an error within the tolerance, and return `(status,
    time, y)` at its end. The step ends at `end` [s] or earlier.
    """
    return method.driver.accepted_step(method.memory, float(end))


@overload(accepted_step)
def _accepted_step(method, par, dt, end, is_switch, y):
    return _by_error_control


@inline
def larger(a, b):
    """Return the larger of |a| and |b|, or |b| if one of them is NaN."""
    a, b = abs(a), abs(b)
    return a if a > b else b


@inline
def _by_error_control(method, par, dt, end, is_switch, y):
    """Try steps until the error of one is within the tolerance, and return `(status, time, y)` at its end;
    Hairer, Norsett, Wanner, II.4.
    """
    memory = method.memory
    t, rejected = memory[T], False
    remaining = end - t
    while True:
        h = memory[STEP]
        if h < remaining < 2.0 * h and is_switch:
            h = 0.5 * remaining  # two equal steps instead of a very short one right before the jump
        is_cut = not h < remaining
        if is_cut:
            h = remaining
        shortest = larger(1e-12 * dt, 16.0 * EPS * t)
        if memory[TRIED] >= memory[LIMIT] or not (h > shortest or (is_cut and is_switch)):
            return STEP_FAILED, t, y
        new, error = trial_step(method, par, t, h, y, rejected)
        memory[TRIED] += 1.0
        factor = SHRINK
        if error < np.inf:
            factor = SAFETY / math.sqrt(math.sqrt(math.sqrt(error)))
            factor = SHRINK if factor < SHRINK else (GROW if factor > GROW else factor)
        if rejected and factor > 1.0:
            factor = 1.0
        if error <= 1.0:
            if h == memory[STEP] or h * factor > memory[STEP]:
                memory[STEP] = h * factor
            if not memory[STEP] < MAX_STEP_FACTOR * dt:
                memory[STEP] = MAX_STEP_FACTOR * dt
            return RUNNING, end if is_cut else t + h, new
        memory[STEP] = h * factor
        rejected = True


@inline
def _restart(method, par, time, dt, y):
    """Store y as the state at `time` [s] and discard all previous information."""
    memory = method.memory
    store(method.current, 0, y)
    memory[SIDE] = end_of_step(method, par, 0, time, 0.0, y, y)[1]
    memory[T_OLD], memory[T_END], memory[LIMIT], memory[ROW] = time, time, 0.0, 0.0
    _begin_anew(method, par, time, dt, y)


@inline
def _begin_anew(method, par, time, dt, y):
    """Restart from `y` with the first trial step, at `time` [s] or just behind an abrupt change at that time."""
    memory = method.memory
    memory[T], memory[ROW] = time_behind_switches(method.changes, int(memory[ROW]), time)
    memory[STEP], memory[ALTERED] = dt, 1.0
    begin(method, par, memory[T], dt, y)


@inline
def _advance(method, par, project, target, dt, pause, threshold, y):
    """Make steps until one reaches `target` [s], or until `pause` steps were tried in total, and return `(status, y)`.

    When a step reaches the target, the interpolation within it has been prepared.
    """
    memory, changes = method.memory, method.changes
    has_changes = changes.shape[0] > 1
    current = load(method.current, 0, y)
    old, new = current, current
    while memory[T] < target:
        if memory[TRIED] >= pause:
            return PAUSED, current
        t, latest, is_switch = memory[T], np.inf, False
        if has_changes:
            memory[ROW] = row_at(changes, int(memory[ROW]), t)
            latest, is_switch = latest_end(changes, int(memory[ROW]), t, np.inf)
        status, time, new = accepted_step(method, par, dt, latest, is_switch, current)
        if status != RUNNING:
            return status, new
        memory[T_OLD], memory[T_END], memory[T] = t, time, time
        if has_changes:
            memory[T], memory[ROW] = time_behind_switches(changes, int(memory[ROW]), time)
        old = current
        current, measure = end_of_step(method, par, project, time, time - t, old, new)
        store(method.current, 0, current)
        if not abs(measure) > threshold or measure * memory[SIDE] < 0.0:
            return SINGULAR if math.isfinite(total(current)) else NOT_FINITE, current
        if memory[T] > time:
            _begin_anew(method, par, memory[T], dt, current)
        elif current != new:
            memory[ALTERED] = 1.0
            begin(method, par, memory[T], memory[STEP], current)
        else:
            memory[ALTERED] = 0.0
    make_interpolant(method, par, memory[T_OLD], memory[T_END] - memory[T_OLD], old, new)
    return RUNNING, current


def advance_adaptively(method, par, project, step_count, steps_per_sample, max_steps, dt, threshold, y, rows):
    """Advance by samples as `physics.kernels.blocks.fixed_step_block` does, with steps as long as the tolerances allow.

    `dt` is the first trial step. The step that covers the block's last sample is kept for the next block, so that
    results do not depend on how a run is divided into blocks. Samples inside a step are interpolated, in the
    coordinates in which the step began. If the lane has a stabilization, these samples are stabilized in the same
    way as the end of the step.
    """
    memory, interval, first = method.memory, steps_per_sample * dt, step_count // steps_per_sample
    if rows.shape[0] == 0:
        end_of_step(method, par, project, first * interval, 0.0, y, y)
        return RUNNING, 0, first * interval, y
    if memory[SAMPLE] != first:
        _restart(method, par, first * interval, dt, y)
    pause = memory[TRIED] + max_steps
    for row in range(rows.shape[0]):
        target = (first + row + 1) * interval
        if memory[T] < target:
            if memory[LIMIT] == 0.0:
                memory[LIMIT] = memory[TRIED] + EXTRA_STEPS + STEPS_PER_FIRST_TRY * steps_per_sample
            status, current = _advance(method, par, project, target, dt, pause, threshold, y)
            if status == PAUSED:
                memory[SAMPLE] = first + row
                return RUNNING, row, memory[T], y
            if status != RUNNING:
                return status, row, memory[T_END], current
            memory[LIMIT] = 0.0
        x = (target - memory[T_OLD]) / (memory[T_END] - memory[T_OLD])
        y = interpolate(method, par, project, x if x < 1.0 else 1.0, target, y)
        if not math.isfinite(total(y)):
            return NOT_FINITE, row, target, y
        store(rows, row, y)
    memory[SAMPLE] = first + rows.shape[0]
    return RUNNING, rows.shape[0], memory[SAMPLE] * interval, y


adaptive_block = compiled(advance_adaptively)
