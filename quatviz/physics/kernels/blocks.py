"""Compiled loops that Python calls: blocks of steps, and measures of stored states."""

import math

from quatviz.physics.kernels.algebra import load, store, total
from quatviz.physics.kernels.binder import (
    chart,
    compiled,
    inline,
    kernels_for,
    multiplier,
    overload,
    projection,
    rhs,
    singularity,
    singularity_limit,
    step,
)

RUNNING, SINGULAR, NOT_FINITE, STEP_FAILED = 0, 1, 2, 3
"""Status at the end of a block of steps. `STEP_FAILED` is a failure of the integrator itself, such as of Newton's
iteration."""

PROJECT_NOTHING, PROJECT_P, PROJECT_RATES = 0, 1, 2
"""Stabilization after every step: none, projection of p onto the sphere, or projection of p and of its rates
or momenta.
"""


def singularity_status(par, dt, threshold, sign, t, y):
    """Return the status of a state at t [s] for fixed steps of dt [s]. Callable only from kernels.

    The status is `SINGULAR` if the steps cannot follow the motion: the magnitude of the singularity measure is at
    most `threshold`, or at most the formulation's own `singularity_limit`, or the sign of the measure differs from
    `sign`. The status is `NOT_FINITE` if the state is not finite, otherwise `RUNNING`.

    If `threshold` is negative, its magnitude is the threshold and `singularity_limit` is ignored. This is meant for
    computations that are only compared with others.

    For adaptive methods, `integrators._kernels.adaptive` applies the same criterion after each accepted step, and
    `simulation.lane` to the initial state. Both ignore `singularity_limit`, which is meant for fixed steps only.
    """


@overload(singularity_status)
def _singularity_status(par, dt, threshold, sign, t, y):
    if kernels_for(par).singularity is None:
        return lambda par, dt, threshold, sign, t, y: RUNNING

    def status(par, dt, threshold, sign, t, y):
        measure = singularity(par, t, y)
        distance = abs(measure)
        is_followed = threshold < 0.0 or distance > singularity_limit(par, dt, y)
        if distance > abs(threshold) and is_followed and not measure * sign < 0.0:
            return RUNNING
        return SINGULAR if math.isfinite(total(y)) else NOT_FINITE

    return status


@inline
def make_steps(method, par, project, first, stop, dt, threshold, sign, y):
    """Make the steps `first` to `stop` - 1 of dt [s] and return `(status, number of steps made in total, y)`.

    After each step the state is converted to the best-suited coordinates, projected onto the constraint if
    `project` requests it, and checked with `singularity_status`; `sign` is the sign of the singularity measure at
    the start. This is the only loop over fixed steps of one-step methods, both for single bodies and for SIMD packs
    of bodies.
    """
    for number in range(first, stop):
        status, y = step(method, par, number * dt, dt, y)
        if status != RUNNING:
            return status, number + 1, y
        y = chart(par, y)
        if project > 0:
            y = projection(par, project == PROJECT_RATES, y)
        status = singularity_status(par, dt, threshold, sign, (number + 1) * dt, y)
        if status != RUNNING:
            return status, number + 1, y
    return RUNNING, stop, y


@compiled
def fixed_step_block(method, par, project, step_count, steps_per_sample, max_steps, dt, threshold, y, rows):
    """Advance by `len(rows)` samples of `steps_per_sample` steps of `dt` [s], but by at most `max_steps` steps. Each
    sample is written into `rows`.

    `project` selects the stabilization after every step: `PROJECT_NOTHING`, `PROJECT_P` or `PROJECT_RATES`.
    `step_count` is the number of steps made before the state `y`, which need not be a sample. Times are computed as
    multiples of dt, so that rounding errors do not add up.

    Returns `(status, samples written, time reached [s], y)`. The status says why the block ended early; it is `RUNNING`
    if the block is complete or `max_steps` steps were made. A state that is singular by `singularity_status` ends the lane at that
    step; the initial `y` is checked first.
    """
    sign = singularity(par, step_count * dt, y)
    status = singularity_status(par, dt, threshold, sign, step_count * dt, y)
    if status != RUNNING:
        return status, 0, step_count * dt, y
    # Values that are constant from the second row on would make the compiler repeat the whole loop for the first row.
    sample, last = step_count - step_count % steps_per_sample, step_count + max_steps
    for row in range(rows.shape[0]):
        sample += steps_per_sample
        stop = sample if sample < last else last
        status, step_count, y = make_steps(method, par, project, step_count, stop, dt, threshold, sign, y)
        if status != RUNNING or stop < sample:
            return status, row, step_count * dt, y
        if not math.isfinite(total(y)):
            return NOT_FINITE, row, step_count * dt, y
        store(rows, row, y)
    return RUNNING, rows.shape[0], step_count * dt, y


@compiled
def measure_rows(par, first, interval, y, rows, out):
    """Write `(lambda [J], singularity)` of each state in `rows` into `out` (n, 2). `y` gives the number of components
    of a state."""
    for row in range(rows.shape[0]):
        state = load(rows, row, y)
        time = (first + row) * interval
        out[row, 0] = multiplier(par, time, state)
        out[row, 1] = singularity(par, time, state)


@compiled
def derivative(par, t, y):
    """Return `(y', lambda)` of the state `y` at `t` [s], for verification without an integrator."""
    return rhs(par, t, y), multiplier(par, t, y)
