"""The loops that Python calls: blocks of steps, and what is read of stored states."""

import math

from quatviz.physics.kernels.algebra import load, store, total
from quatviz.physics.kernels.binder import chart, compiled, multiplier, projection, rhs, singularity, step

RUNNING, SINGULAR, NOT_FINITE, STEP_FAILED = 0, 1, 2, 3
"""How a block of steps ended. `STEP_FAILED` is an integrator's own failure, such as Newton's iteration."""

PROJECT_NOTHING, PROJECT_P, PROJECT_RATES = 0, 1, 2
"""What a lane's stabilisation does after every step."""


@compiled
def fixed_step_block(method, par, project, step_count, steps_per_sample, max_steps, dt, threshold, y, rows):
    """Advance by `len(rows)` samples of `steps_per_sample` steps of `dt` [s] each, but by `max_steps` steps, writing each
    sample into `rows`.

    `project` is 0, or says that p (`PROJECT_P`), or p and its rates (`PROJECT_RATES`), are put back on the constraint
    after every step. `step_count` is the number of steps that led to `y`, which need not be a sample: times are multiples, never
    sums. Returns `(status, samples written, time reached [s], y)`; a block that ends early says why in the status, which is
    `RUNNING` after `max_steps` steps. A state whose `singularity` is within `threshold` of zero, or on the other side of it, ends
    the lane at that very step.
    """
    time = step_count * dt
    initial_sign = singularity(par, time, y)
    steps_to_sample = steps_per_sample - step_count % steps_per_sample
    for row in range(rows.shape[0]):
        stop = step_count + (steps_to_sample if steps_to_sample < max_steps else max_steps)
        for number in range(step_count, stop):
            status, y = step(method, par, number * dt, dt, y)
            time = (number + 1) * dt
            if status != RUNNING:
                return status, row, time, y
            y = chart(par, y)
            if project > 0:
                y = projection(par, project == PROJECT_RATES, y)
            measure = singularity(par, time, y)
            if not abs(measure) > threshold or measure * initial_sign < 0.0:
                return SINGULAR if math.isfinite(total(y)) else NOT_FINITE, row, time, y
        if max_steps < steps_to_sample:
            return RUNNING, row, time, y
        step_count, max_steps, steps_to_sample = stop, max_steps - steps_to_sample, steps_per_sample
        if not math.isfinite(total(y)):
            return NOT_FINITE, row, time, y
        store(rows, row, y)
    return RUNNING, rows.shape[0], time, y


@compiled
def measure_rows(par, first, interval, y, rows, out):
    """For each state in `rows` write `(lambda [J], singularity)` into `out` (n, 2); `y` gives the length."""
    for row in range(rows.shape[0]):
        state = load(rows, row, y)
        time = (first + row) * interval
        out[row, 0] = multiplier(par, time, state)
        out[row, 1] = singularity(par, time, state)


@compiled
def derivative(par, t, y):
    """`(y', lambda)` of the state `y` at `t` [s]: what verification looks at by itself, without an integrator."""
    return rhs(par, t, y), multiplier(par, t, y)
