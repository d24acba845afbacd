"""Steps, error estimate and interpolant of Dormand and Prince's method 8(5,3)."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.physics.integrators._kernels.adaptive import (
    ALTERED,
    AdaptiveKernels,
    larger,
    new_memory,
    register_adaptive,
)
from quatviz.physics.integrators._kernels.dop853_coefficients import (
    DENSE,
    FIFTH_ORDER_ERROR,
    NODES,
    STAGES,
    THIRD_ORDER_ERROR,
)
from quatviz.physics.kernels.algebra import load, store, total, unroll
from quatviz.physics.kernels.binder import inline, noinline, rhs

STEP_SLOPES, ALL_SLOPES = np.intp(13), np.intp(len(NODES))
"""Number of slopes of a step, including that at its end, and number of slopes including those for the interpolant. They
are NumPy integers because a kernel would be compiled separately for each Python integer constant.
"""
_SUMS = [*STAGES.values(), FIFTH_ORDER_ERROR, THIRD_ORDER_ERROR, *DENSE.values()]
"""Weights of the slopes in each weighted sum, in this order: one sum for each stage, two for the error, four
for the interpolant.
"""
C = np.array(NODES)
SLOPE = np.array([slope for row in _SUMS for slope in row])
WEIGHT = np.array([weight for row in _SUMS for weight in row.values()])
BEGIN = np.cumsum([0, *map(len, _SUMS)])
"""Start index of each sum in the arrays `WEIGHT` and `SLOPE`.

Sum i adds `WEIGHT[k]` times slope number `SLOPE[k]` for k from `BEGIN[i]` to `BEGIN[i + 1]` - 1.
"""


class Dop853Method(NamedTuple):
    """Data of the integrator `dop853`.

    `relative` and `absolute` are the tolerances and `changes` is the table of load changes. `memory` and `current`
    (1, k) are described in `_kernels.adaptive`. `slopes` (16, k) are those of the stages of the last step, and
    `interpolant` (8, k) contains seven coefficients and the state at the start of the step.
    """

    relative: float
    absolute: float
    changes: np.ndarray
    memory: np.ndarray
    current: np.ndarray
    slopes: np.ndarray
    interpolant: np.ndarray


def make_method(relative: float, absolute: float, changes: np.ndarray, length: int) -> Dop853Method:
    """Return the data of the method before its first step, for states of `length` components."""
    arrays = new_memory(), np.zeros((1, length)), np.zeros((ALL_SLOPES, length)), np.zeros((8, length))
    return Dop853Method(relative, absolute, changes, *arrays)


_combine = unroll("a, u, b, v", "a * u[#] + b * v[#]", like="u")
_zeros = unroll("y", "0.0")
_horner_step = unroll("value, row, x", "(value[#] + row[#]) * x")


_error_scale = unroll(
    "old, new, relative, absolute",
    "1.0 / (absolute + relative * larger(old[#], new[#]))",
    larger=larger,
)
_scaled_square = unroll("error, scale", "(error[#] * scale[#]) * (error[#] * scale[#])")


@inline
def _weighted_sum(slopes, row, y):
    """Return the weighted sum of slopes whose index in `BEGIN` is `row`, as a tuple of the length of y."""
    result = _zeros(y)
    for k in range(BEGIN[row], BEGIN[row + 1]):
        result = _combine(1.0, result, WEIGHT[k], load(slopes, SLOPE[k], y))
    return result


@noinline
def _evaluate_stages(slopes, par, t, h, y, first, end):
    """Compute the slopes of the stages `first` to `end` - 1 and return the state at the last one."""
    point = y
    for stage in range(first, end):
        point = _combine(1.0, y, h, _weighted_sum(slopes, stage, y))
        store(slopes, stage, rhs(par, t + C[stage] * h, point))
    return point


@inline
def _error(method, h, old, new):
    """Return the estimated error divided by the tolerance: a step is accepted up to 1; Hairer, Norsett, Wanner
    II.10."""
    slopes, scale = method.slopes, _error_scale(old, new, method.relative, method.absolute)
    fifth = total(_scaled_square(_weighted_sum(slopes, ALL_SLOPES, old), scale))
    third = total(_scaled_square(_weighted_sum(slopes, ALL_SLOPES + 1, old), scale))
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return h * fifth / math.sqrt((fifth + 0.01 * third) * len(old))


@inline
def _trial_step(method, par, t, h, y, is_retry):
    first = 1
    if (
        method.memory[ALTERED] == 0.0 and not is_retry
    ):  # the last stage of the previous step is the first of this one
        store(method.slopes, 0, load(method.slopes, STEP_SLOPES - 1, y))
    elif not is_retry:
        first = 0
    new = _evaluate_stages(method.slopes, par, t, h, y, first, STEP_SLOPES)
    return new, _error(method, h, y, new)


@inline
def _make_interpolant(method, par, t, h, old, new):
    """Compute the coefficients of the seventh-order dense output from three more stages; HNW II.6."""
    slopes, rows = method.slopes, method.interpolant
    _evaluate_stages(slopes, par, t, h, old, STEP_SLOPES, ALL_SLOPES)
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
def _interpolate(method, x, y):
    """Return the interpolated state, by Horner's scheme in x and 1 - x. It is exact at both ends."""
    rows, value = method.interpolant, _zeros(y)
    other = 1.0 - x
    for power in range(6, -1, -1):
        value = _horner_step(value, load(rows, power, y), x)
        x, other = other, x
    return _combine(1.0, value, 1.0, load(rows, 7, y))


register_adaptive(Dop853Method, AdaptiveKernels(_trial_step, _make_interpolant, _interpolate))
