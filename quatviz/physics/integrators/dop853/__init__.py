"""Dormand and Prince's adaptive method of order eight, with dense output on the samples."""

import math
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator, Tolerances
from quatviz.physics.integrators.dop853.coefficients import DENSE, FIFTH, NODES, STAGES, THIRD
from quatviz.physics.kernels.algebra import load, store, total, unroll
from quatviz.physics.kernels.binder import chart, compiled, inline, noinline, projection, rhs, singularity
from quatviz.physics.kernels.blocks import NOT_FINITE, PROJECT_RATES, RUNNING, SINGULAR, STEP_FAILED

MAX_STEP_FACTOR = 1000.0
"""The longest step, in first tries: a motion without curvature would ask for an endless one."""
STEPS_PER_FIRST_TRY, EXTRA_STEPS = 100, 1000
"""Steps between two samples, for each first try that fits and besides: more would hold up whoever waits."""
SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
EPS = float(np.finfo(float).eps)

SAMPLE, SIDE, T_OLD, T, STEP, TRIED, ALTERED, LIMIT = range(8)
"""Elements of the memory: the sample that the next block starts from, the side of the singularity, times of the
step's start and end [s], the next step [s], steps tried, rejected ones included, whether what follows a step has altered
its end, so that the last slope is not the first of the next, and how many may be tried for the sample that is under way, 0
where none is."""

PAUSED = -1
"""How steps towards a sample can end, beside what a lane can end of."""

STEP_SLOPES, ALL_SLOPES = np.intp(13), np.intp(len(NODES))
"""How many slopes make a step, that at its end included, and how many with those that serve the interpolant alone. (For each
of Python's own integers that it is called with, a function would be compiled anew.)"""
_SUMS = [*STAGES.values(), FIFTH, THIRD, *DENSE.values()]
"""What each sum takes of which slopes: one for each stage, two for the error, four for the interpolant."""
C = np.array(NODES)
SLOPE = np.array([slope for row in _SUMS for slope in row])
WEIGHT = np.array([weight for row in _SUMS for weight in row.values()])
BEGIN = np.cumsum([0, *map(len, _SUMS)])
"""The sum i is that of `WEIGHT[k]` times slope number `SLOPE[k]` for k from `BEGIN[i]` to `BEGIN[i + 1]` - 1."""


class Dop853Method(NamedTuple):
    """The tolerances of a step; what is remembered: `memory` (8) as above, `current` (1, k), the state that the last step
    ended with, the `slopes` (16, k) of its stages, and the `interpolant` (8, k): seven coefficients and the step's start."""

    relative: float
    absolute: float
    memory: np.ndarray
    current: np.ndarray
    slopes: np.ndarray
    interpolant: np.ndarray


_combine = unroll("a, u, b, v", "a * u[#] + b * v[#]", like="u")
_zeros = unroll("y", "0.0")
_horner_step = unroll("value, row, x", "(value[#] + row[#]) * x")


@inline
def _larger(a, b):
    """The size of the larger of two numbers, or of b where one is not a number."""
    a, b = abs(a), abs(b)
    return a if a > b else b


_error_scale = unroll(
    "old, new, relative, absolute",
    "1.0 / (absolute + relative * _larger(old[#], new[#]))",
    _larger=_larger,
)
_scaled_square = unroll("error, scale", "(error[#] * scale[#]) * (error[#] * scale[#])")


@inline
def _weighted_sum(slopes, row, y):
    """The weighed sum of slopes (as long as y) with this number."""
    result = _zeros(y)
    for k in range(BEGIN[row], BEGIN[row + 1]):
        result = _combine(1.0, result, WEIGHT[k], load(slopes, SLOPE[k], y))
    return result


@noinline
def _evaluate_stages(slopes, par, t, h, y, first, end):
    """The state at the last of the stages `first` to `end` - 1, after the slopes at all of them are found."""
    point = y
    for stage in range(first, end):
        point = _combine(1.0, y, h, _weighted_sum(slopes, stage, y))
        store(slopes, stage, rhs(par, t + C[stage] * h, point))
    return point


@inline
def _error(method, h, old, new):
    """The estimated error over the tolerance: a step is good up to 1; Hairer, Norsett, Wanner II.10."""
    slopes, scale = method.slopes, _error_scale(old, new, method.relative, method.absolute)
    fifth = total(_scaled_square(_weighted_sum(slopes, ALL_SLOPES, old), scale))
    third = total(_scaled_square(_weighted_sum(slopes, ALL_SLOPES + 1, old), scale))
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return h * fifth / math.sqrt((fifth + 0.01 * third) * len(old))


@inline
def _interpolate(method, h, old, new):
    """The coefficients of the dense output of order seven, from three more stages; HNW II.6."""
    slopes, rows = method.slopes, method.interpolant
    change = _combine(1.0, new, -1.0, old)
    store(rows, 0, change)
    store(rows, 1, _combine(h, load(slopes, 0, old), -1.0, change))
    both = _combine(1.0, load(slopes, STEP_SLOPES - 1, old), 1.0, load(slopes, 0, old))
    store(rows, 2, _combine(2.0, change, -h, both))
    for row in range(4):
        weighed = _weighted_sum(slopes, ALL_SLOPES + 2 + row, old)
        store(rows, 3 + row, _combine(h, weighed, 0.0, weighed))
    store(rows, 7, old)


@inline
def _interpolated_state(method, par, project, target, y):
    """The state (as long as y) at `target` [s], by Horner's scheme in the part x of the step and 1 - x; exact at both ends."""
    rows, value = method.interpolant, _zeros(y)
    x = (target - method.memory[T_OLD]) / (method.memory[T] - method.memory[T_OLD])
    other = 1.0 - x
    for power in range(6, -1, -1):
        value = _horner_step(value, load(rows, power, y), x)
        x, other = other, x
    value = _combine(1.0, value, 1.0, load(rows, 7, y))
    return projection(par, project == PROJECT_RATES, value) if project > 0 else value


@inline
def _restart(method, par, time, dt, y):
    """Remember y as the state at `time` [s], and nothing of what was before."""
    memory = method.memory
    store(method.current, 0, y)
    memory[SIDE] = singularity(par, time, y)
    memory[T_OLD], memory[T], memory[STEP], memory[TRIED], memory[ALTERED] = time, time, dt, 0.0, 1.0
    memory[LIMIT] = 0.0


@inline
def _accept_step(memory, error, longest, rejected):
    """Whether the step that was tried is good; `STEP` becomes the one to try next, and `T` its end if it is."""
    h, factor = memory[STEP], SHRINK
    memory[TRIED] += 1.0
    if error < np.inf:
        factor = SAFETY / math.sqrt(math.sqrt(math.sqrt(error)))
        factor = SHRINK if factor < SHRINK else (GROW if factor > GROW else factor)
    if rejected and factor > 1.0:
        factor = 1.0
    memory[STEP] = h * factor if h * factor < longest else longest
    if error <= 1.0:
        memory[T_OLD], memory[T] = memory[T], memory[T] + h
    return error <= 1.0


@inline
def _advance(method, par, project, target, dt, pause, threshold, y):
    """`(status, y)`: steps until one reaches `target` [s], whose interpolant is then made, or until `pause` were tried."""
    memory, slopes = method.memory, method.slopes
    current = load(method.current, 0, y)
    old, new = current, current
    while memory[T] < target:
        if memory[TRIED] >= pause:
            return PAUSED, current
        first, rejected, is_accepted = 0, False, False
        if memory[ALTERED] == 0.0:  # the last stage of the step before is the first of this
            store(slopes, 0, load(slopes, STEP_SLOPES - 1, y))
            first = 1
        while not is_accepted:
            h = memory[STEP]
            shortest = _larger(1e-12 * dt, 16.0 * EPS * memory[T])
            if memory[TRIED] >= memory[LIMIT] or not h > shortest:
                return STEP_FAILED, current
            new = _evaluate_stages(slopes, par, memory[T], h, current, first, STEP_SLOPES)
            error = _error(method, h, current, new)
            is_accepted = _accept_step(memory, error, MAX_STEP_FACTOR * dt, rejected)
            first, rejected = 1, True
        old, current = current, chart(par, new)
        if project > 0:
            current = projection(par, project == PROJECT_RATES, current)
        memory[ALTERED] = 0.0 if current == new else 1.0
        store(method.current, 0, current)
        measure = singularity(par, memory[T], current)
        if not abs(measure) > threshold or measure * memory[SIDE] < 0.0:
            return SINGULAR if math.isfinite(total(current)) else NOT_FINITE, current
    h = memory[T] - memory[T_OLD]
    _evaluate_stages(slopes, par, memory[T_OLD], h, old, STEP_SLOPES, ALL_SLOPES)
    _interpolate(method, h, old, new)
    return RUNNING, current


@compiled
def dop853_block(method, par, project, step_count, steps_per_sample, max_steps, dt, threshold, y, rows):
    """As `physics.kernels.blocks.fixed_step_block`, but steps are as long as the tolerances allow; `dt` is the first try.

    The step that covers the block's last sample is kept for the next block, so that results do not depend on how a
    run is divided. Samples inside a step come from its interpolant, before a chart changes the coordinates at
    its end; where a lane asks for stabilisation they are stabilised like the end of the step.
    """
    memory, interval, first = method.memory, steps_per_sample * dt, step_count // steps_per_sample
    if rows.shape[0] == 0:
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
                return status, row, memory[T], current
            memory[LIMIT] = 0.0
        y = _interpolated_state(method, par, project, target, y)
        if not math.isfinite(total(y)):
            return NOT_FINITE, row, target, y
        store(rows, row, y)
    memory[SAMPLE] = first + rows.shape[0]
    return RUNNING, rows.shape[0], memory[SAMPLE] * interval, y


class Dop853(Integrator):
    """Twelve evaluations per step of its own length, error of order eight; three more where a sample falls into the step,
    which an interpolant of order seven then gives. Keeps its error per step below its tolerances, 1e-12 unless a lane or
    the run says otherwise, and so passes gently through what is fast only for a while. It preserves nothing exactly, but
    loses little."""

    name = "dop853"
    title = "Dormand–Prince 8(5,3)"
    source = "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5, II.6, II.10"
    order = 8
    sort_order = 70
    measured = (Performance(1110, 450, ("3.6e-11", "3.7e-11", "1.5e-11")),)
    fixed_step = False
    usual_tolerances = Tolerances(1e-12, 1e-12)
    """Near the end of what doubles hold, where an adaptive method earns its keep."""
    block = staticmethod(dop853_block)

    def method(self, formulation: Formulation) -> Dop853Method:
        length = len(formulation.component_names)
        memory = np.full(8, -1.0)
        memory[[TRIED, LIMIT]] = 0.0
        arrays = memory, np.zeros((1, length)), np.zeros((ALL_SLOPES, length)), np.zeros((8, length))
        return Dop853Method(*(self.tolerances or self.usual_tolerances), *arrays)

    def steps_made(self, method: Any) -> int | None:
        return int(method.memory[TRIED])

    def explain_failure(self) -> str:
        return phrase(
            "its steps became more than a hundred times shorter than dt: the motion is singular in these coordinates, or "
            "much faster than dt suggests; try a smaller dt, a larger tolerance, or another formulation"
        )
