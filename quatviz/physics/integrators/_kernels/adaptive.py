"""The one loop over steps whose length is chosen by an error control, with dense output on the samples. Not an integrator.

`advance_adaptively` is compiled for the methods of this package, which bring one trial step with its estimated error and an
interpolant (`AdaptiveKernels`). Solvers of SciPy, which are Python and have an error control of their own, run the same loop as
Python: what is a stub here then asks the method's `driver`.
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
"""The longest step, in first tries: a motion without curvature would ask for an endless one."""
STEPS_PER_FIRST_TRY, EXTRA_STEPS = 100, 1000
"""Steps between two samples, for each first try that fits and besides: more would hold up whoever waits."""
SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
EPS = float(np.finfo(float).eps)

SAMPLE, SIDE, T_OLD, T_END, T, STEP, TRIED, ALTERED, LIMIT, ROW = range(10)
"""Elements of a method's memory: the sample that the next block starts from, the side of the singularity, times of the last
step's start and end [s], the time at which the next one starts, which is behind a jump of a load at that end, the next step
[s], steps tried, rejected ones included, whether the state was altered after the last step, so that its last slope is not the
first of the next, how many may be tried for the sample that is under way, 0 where none is, and the row of the table of load
changes."""
PAUSED = -1
"""How steps towards a sample can end, beside what a lane can end of."""


class AdaptiveKernels(NamedTuple):
    """What a compiled adaptive method brings.

    Its `NamedTuple` has the fields `memory`, an array as `new_memory` gives it, `current` (1, k), in which the state at `T` is
    kept, and `changes`, the table of `physics.kernels.load_changes`.
    """

    trial_step: Kernel
    """`f(method, par, t, h, y, is_retry) -> (y, error)`, a step of `h` [s] and its estimated error over the tolerance. After a
    rejected step `is_retry` says that the slope at `t` is known."""
    make_interpolant: Kernel
    """`f(method, par, t, h, old, new)`: prepare for the times within the step from old to new."""
    interpolate: Kernel
    """`f(method, x, y) -> y`, the state at the part x of that step; `y` gives the length."""


_kernels: dict[type, AdaptiveKernels] = {}


def register_adaptive(method: type, kernels: AdaptiveKernels) -> None:
    """Let the loop use these kernels for methods of that type."""
    _kernels[method] = kernels


def new_memory() -> np.ndarray:
    """The memory of a method that has made no step."""
    memory = np.full(10, -1.0)
    memory[[TRIED, LIMIT, ROW]] = 0.0
    return memory


def _kernel(method: Any, name: str) -> Kernel:
    kernel: Kernel = getattr(_kernels[method.instance_class], name)
    return kernel


def trial_step(method, par, t, h, y, is_retry):
    """`AdaptiveKernels.trial_step` (kernels only)."""


overload(trial_step)(lambda method, par, t, h, y, is_retry: _kernel(method, "trial_step"))


def make_interpolant(method, par, t, h, old, new):
    """`AdaptiveKernels.make_interpolant`; SciPy's solvers remember the step by themselves."""
    method.driver.make_interpolant()


@overload(make_interpolant)
def _make_interpolant(method, par, t, h, old, new):
    return _kernel(method, "make_interpolant")


def interpolate(method, par, project, x, target, y):
    """The state at `target` [s], the part x of the last step, on the constraint if asked for; `y` gives the length."""
    return method.driver.interpolate(float(target))


@overload(interpolate)
def _interpolate(method, par, project, x, target, y):
    kernel = _kernel(method, "interpolate")

    def interpolated(method, par, project, x, target, y):
        value = kernel(method, x, y)
        return projection(par, project == PROJECT_RATES, value) if project > 0 else value

    return interpolated


def begin(method, par, t, dt, y):
    """Start from y at `t` [s] with the first try `dt` [s]: only SciPy's solvers have something to do."""
    method.driver.begin(par, float(t), float(dt), y)


@overload(begin)
def _begin(method, par, t, dt, y):
    return lambda method, par, t, dt, y: None


def end_of_step(method, par, project, t, h, old, y):
    """`(y, singularity)` after a step of `h` [s] from old to y at `t` [s]: in the best coordinates, with first integrals that must
    not drift, and on the constraint if asked for."""
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
    """`(status, time, y)` after a step from `T` whose error is within the tolerance, until `end` [s] at the latest."""
    return method.driver.accepted_step(method.memory, float(end))


@overload(accepted_step)
def _accepted_step(method, par, dt, end, is_switch, y):
    return _by_error_control


@inline
def larger(a, b):
    """The size of the larger of two numbers, or of b where one is not a number."""
    a, b = abs(a), abs(b)
    return a if a > b else b


@inline
def _by_error_control(method, par, dt, end, is_switch, y):
    """Try steps until the error of one is within the tolerance; Hairer, Norsett, Wanner, II.4."""
    memory = method.memory
    t, rejected = memory[T], False
    remaining = end - t
    while True:
        h = memory[STEP]
        if h < remaining < 2.0 * h and is_switch:
            h = 0.5 * remaining  # two equal steps, and none that ends right before the jump
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
    """Remember y as the state at `time` [s], and nothing of what was before."""
    memory = method.memory
    store(method.current, 0, y)
    memory[SIDE] = end_of_step(method, par, 0, time, 0.0, y, y)[1]
    memory[T_OLD], memory[T_END], memory[LIMIT], memory[ROW] = time, time, 0.0, 0.0
    _begin_anew(method, par, time, dt, y)


@inline
def _begin_anew(method, par, time, dt, y):
    """Go on from y at `time` [s], or behind what changes there abruptly, with the first try."""
    memory = method.memory
    memory[T], memory[ROW] = time_behind_switches(method.changes, int(memory[ROW]), time)
    memory[STEP], memory[ALTERED] = dt, 1.0
    begin(method, par, memory[T], dt, y)


@inline
def _advance(method, par, project, target, dt, pause, threshold, y):
    """`(status, y)`: steps until one reaches `target` [s], for which the interpolant is then ready, or until `pause` were tried."""
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
    """As `physics.kernels.blocks.fixed_step_block`, but steps are as long as the tolerances allow; `dt` is the first try.

    The step that covers the block's last sample is kept for the next block, so that results do not depend on how a
    run is divided. Samples inside a step come from its interpolant, before a chart changes the coordinates at
    its end; where a lane asks for stabilisation they are stabilised like the end of the step.
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
