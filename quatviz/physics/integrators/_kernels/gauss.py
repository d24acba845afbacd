"""The step of Gauss-Legendre methods, for any number of stages."""

from typing import NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import axpy, load, store, total, unroll
from quatviz.physics.kernels.binder import inline, noinline, rhs, stepper
from quatviz.physics.kernels.blocks import RUNNING, STEP_FAILED

MAX_SWEEPS = 60
CONVERGENCE_TOLERANCE = 1e-12
"""Largest change of the slopes, relative to the state, with which an iteration that no longer improves counts
as converged to rounding errors. If a larger change stops decreasing, the iteration diverges."""
STATE, ROUNDING = 0, 1
"""Rows of the memory: the state at the end of the last step, and its rounding error."""


class GaussMethod(NamedTuple):
    """Data of a Gauss-Legendre method with s stages, for states of k components.

    `a` (s, s) is the matrix of the tableau, `b` (s) are its weights and `c` (s) its nodes. `slopes` (s, k) are
    those of the stages in the last step, and `extrapolation` (s, s) extrapolates them to the next step by a
    polynomial. `memory` (2, k) has the rows `STATE` and `ROUNDING`.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    extrapolation: np.ndarray
    slopes: np.ndarray
    memory: np.ndarray


_scale = unroll("y, a", "a * y[#]")
_absolute_difference = unroll("a, b", "abs(a[#] - b[#])")
_magnitude = unroll("y", "abs(y[#])")


@noinline
def _slope(par, t, y):
    return rhs(par, t, y)


@inline
def _weighted_sum(slopes, weights, y):
    """Return the sum of the slopes of all stages, each multiplied by its weight, as a tuple of the length of
    y.
    """
    result = _scale(y, 0.0)
    for stage in range(len(weights)):
        result = axpy(result, weights[stage], load(slopes, stage, y))
    return result


@noinline
def _extrapolate_slopes(method, y):
    """Replace the slopes of the last step by their extrapolation to the current step, as initial values of
    the iteration.
    """
    slopes, previous = method.slopes, method.slopes.copy()
    for stage in range(len(method.c)):
        store(slopes, stage, _weighted_sum(previous, method.extrapolation[stage], y))


@noinline
def _sweep(method, par, t, dt, y):
    """Compute every slope once more from the current slopes and return the sum of the absolute changes,
    multiplied by the step.
    """
    change = 0.0
    for stage in range(len(method.c)):
        stage_state = axpy(y, dt, _weighted_sum(method.slopes, method.a[stage], y))
        new = _slope(par, t + method.c[stage] * dt, stage_state)
        change += total(_absolute_difference(new, load(method.slopes, stage, y)))
        store(method.slopes, stage, new)
    return abs(dt) * change


@stepper(GaussMethod)
def gauss_step(method, par, t, dt, y):
    """Make a step k_i = f(t + c_i dt, y + dt (a_i1 k_1 + ... + a_is k_s)), y1 = y + dt (b_1 k_1 + ... + b_s k_s).

    The slopes k_i are iterated until their changes stop decreasing. The summation is compensated: the rounding
    error of the sum in the last step is added in this step.
    """
    rounding = _scale(y, 0.0)
    if y == load(method.memory, STATE, y):
        rounding = load(method.memory, ROUNDING, y)
        _extrapolate_slopes(method, y)
    else:  # the first step, or one after a change of chart or a stabilization, which altered y
        for stage in range(len(method.c)):
            store(method.slopes, stage, _slope(par, t, y))
    size, previous_change, has_converged = total(_magnitude(y)), np.inf, False
    for _ in range(MAX_SWEEPS):
        slope_change = _sweep(method, par, t, dt, y)
        has_converged = slope_change == 0.0 or (
            slope_change < CONVERGENCE_TOLERANCE * size and slope_change >= previous_change
        )
        if has_converged or not slope_change < np.inf:
            break
        previous_change = slope_change
    if not has_converged:
        return STEP_FAILED, y
    change = axpy(rounding, dt, _weighted_sum(method.slopes, method.b, y))
    new = axpy(y, 1.0, change)
    store(method.memory, STATE, new)
    store(method.memory, ROUNDING, axpy(change, -1.0, axpy(new, -1.0, y)))
    return RUNNING, new
