"""Kernels of the integrator `rattle`."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import combined4, dot4, load, store, total
from quatviz.physics.kernels.binder import compiled, force, inline, momenta, noinline, state, velocity
from quatviz.physics.kernels.blocks import NOT_FINITE, RUNNING, STEP_FAILED

MAX_SWEEPS = 80
CONVERGENCE_TOLERANCE = 1e-10
"""Change in a sweep, relative to p and g, below which an iteration that no longer improves has converged to
rounding errors. If a larger change stops decreasing, the iteration diverges.
"""
ROUNDING = 64.0 * float(np.finfo(float).eps)
"""Change of p.p that counts as a rounding error of the constraint p.p = 1.

A sweep for a body at rest, whose momenta are small, leaves such changes. They are large relative to the momenta,
but they are directed along p, and the end of the step removes them.
"""
TINY = 1e-300
"""Smallest scale that is used for the momenta.

It avoids a division by zero for a body at rest without a load.
"""


class RattleMethod(NamedTuple):
    """Data of the integrator `rattle`.

    `multiplier` (2) is lambda [J] at the start and at the end of the last step, the initial guess of the next step.
    `halfway` (2, 4) are p and the momenta between two samples, if a block of steps ended there. They are stored
    because values computed anew from the state would differ in the last digits.
    """

    multiplier: np.ndarray
    halfway: np.ndarray


@inline
def _distance4(a, b):
    """Return the sum of |a - b| over the four components."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) + abs(a[3] - b[3])


@inline
def _first_half(par, t, dt, p, g, guess):
    """Make the first half of a step and return `(converged, half, p1, lambda)`: `half` are the momenta at half the
    step, and p1 is p at its end.

    The equations are solved by sweeps. Each sweep corrects lambda by the error of the constraint p1.p1 = 1 divided
    by the derivative of this constraint, and reduces the error by a factor of about |omega| dt / 2.
    """
    half_force = combined4(1.0, force(par, t, p, g), -guess, p)
    half = combined4(1.0, g, 0.5 * dt, half_force)
    v = velocity(par, p, half)
    p1, lam = combined4(1.0, p, dt, v), guess
    inertia = 1.0 / dot4(p, velocity(par, p, p))  # the inertia along p: 4 J0
    nothing = (0.0, 0.0, 0.0, 0.0)
    size = _distance4(g, nothing) + abs(dt) * (_distance4(half_force, nothing) + abs(guess)) + TINY
    previous_change = np.inf
    for _ in range(MAX_SWEEPS):
        new = combined4(1.0, force(par, t, p, half), -lam, p)
        new = combined4(1.0, g, 0.5 * dt, new)
        q = combined4(1.0, velocity(par, p, new), 1.0, velocity(par, p1, new))
        q = combined4(1.0, p, 0.5 * dt, q)
        error = 0.5 * (dot4(q, q) - 1.0) / dot4(p, q)
        q = combined4(1.0, q, -error, p)
        lam += 2.0 * inertia * error / (dt * dt)
        new = combined4(1.0, new, -inertia * error / dt, p)
        turn, kick = _distance4(q, p1), _distance4(new, half)
        change = turn + kick / (size + abs(dt * lam))
        is_rounding = turn < ROUNDING and kick < ROUNDING * inertia / abs(dt)
        p1, half = q, new
        is_small = is_rounding or change < CONVERGENCE_TOLERANCE
        if change == 0.0 or (is_small and change >= previous_change):
            return True, half, p1, lam
        if not (change < 1e3 or is_rounding):
            return False, half, p1, lam
        previous_change = change
    return False, half, p1, lam


@noinline
def rattle_step(par, t, dt, p, g, guess):
    """Make one step and return `(converged, p, g, lambda, mu)`, with the multipliers lambda at its start and
    mu at its end; Hairer, Lubich, Wanner, VII.1.26.
    """
    has_converged, half, p1, lam = _first_half(par, t, dt, p, g, guess)
    unconstrained = combined4(1.0, half, 0.5 * dt, force(par, t + dt, p1, half))
    radial_part = dot4(p1, unconstrained) / dot4(p1, p1)
    return has_converged, p1, combined4(1.0, unconstrained, -radial_part, p1), lam, 2.0 * radial_part / dt


@compiled
def rattle_block(method, par, project, step_count, steps_per_sample, max_steps, dt, threshold, y, rows):
    """Advance by samples as `physics.kernels.blocks.fixed_step_block` does, and write lambda after the state in each
    row.

    Just before and just after a sample, lambda has errors of order dt with opposite signs, since it depends on p
    one step away. Their mean has an error of order dt^2. A sample is therefore written when the step after it is
    known; at the end of a block that step is made in advance.
    """
    memory, count, end = method.multiplier, rows.shape[0], step_count * dt
    if count == 0:
        return RUNNING, 0, end, y
    begin = step_count % steps_per_sample
    for row in range(count + 1):
        p, g = momenta(par, y)
        if begin > 0:
            halfway_p, halfway_g = load(method.halfway, 0, p), load(method.halfway, 1, g)
            if y == state(par, halfway_p, halfway_g):  # otherwise the method is new
                p, g = halfway_p, halfway_g
        for index in range(begin, steps_per_sample):
            if max_steps == 0 and index > 0:
                store(method.halfway, 0, p)
                store(method.halfway, 1, g)
                return RUNNING, row, end, y
            has_converged, p, g, lam, mu = rattle_step(par, step_count * dt, dt, p, g, memory[1])
            if has_converged and index == 0 and row > 0:
                rows[row - 1, len(y)] = 0.5 * (memory[1] + lam)
            if row == count or max_steps == 0:  # the step in advance, needed for lambda only
                return RUNNING, row, end, y
            step_count, max_steps = step_count + 1, max_steps - 1
            y, end = state(par, p, g), step_count * dt
            is_finite = math.isfinite(total(y))
            if not (has_converged and is_finite):
                return NOT_FINITE if has_converged else STEP_FAILED, row, end, y
            memory[0], memory[1] = lam, mu
        begin = 0
        store(rows, row, y)
        rows[row, len(y)] = mu
    return RUNNING, count, end, y


@compiled
def rattle_start(method, par, dt, y):
    """Return lambda [J] at t = 0.

    It is the mean of the values of a step forward and a step backward, which is possible since RATTLE is
    self-adjoint.
    """
    p, g = momenta(par, y)
    forward_converged, _, _, after, _ = rattle_step(par, 0.0, dt, p, g, 0.0)
    backward_converged, _, _, before, _ = rattle_step(par, 0.0, -dt, p, g, 0.0)
    return 0.5 * (after + before) if forward_converged and backward_converged else np.nan
