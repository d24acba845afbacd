"""Kernels of the integrator `implicit_midpoint`."""

from typing import NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import axpy, load, store, total, unroll
from quatviz.physics.kernels.binder import inline, noinline, rhs, stepper
from quatviz.physics.kernels.blocks import RUNNING, STEP_FAILED

EPS = float(np.finfo(float).eps)
MAX_SWEEPS = 30
"""Fixed-point sweeps before Newton is called: he does better where a sweep contracts by less than a half."""
MAX_NEWTON_ITERATIONS = 30
CONVERGENCE_TOLERANCE = 1e-9
"""Changes this small, relative to the state, that stop shrinking are rounding; larger ones are divergence."""
STATE, ROUNDING, CHANGE = 0, 1, 2
"""Rows of the memory: the state that the last step ended with, what rounding took from it, and half its change."""
_absolute_difference = unroll("a, b", "abs(a[#] - b[#])")
_magnitude_sum = unroll("y, z", "abs(y[#]) + abs(z[#])")


@inline
def _unsettled(y, z, gap, last):
    """1 where the gap of a component still shrinks and is more than rounding, else 0."""
    return 1.0 if gap > EPS * (abs(y) + abs(z)) and gap < last else 0.0


_count_unsettled = unroll("y, z, gap, last", "_unsettled(y[#], z[#], gap[#], last[#])", _unsettled=_unsettled)
_scale = unroll("y, a", "a * y[#]")


class ImplicitMidpointMethod(NamedTuple):
    """`memory` (3, k): see `STATE`, `ROUNDING`, `CHANGE`; `system` (k + 1, k): the columns of Newton's matrix and its
    right side."""

    memory: np.ndarray
    system: np.ndarray


@noinline
def _solve_in_place(system):
    """Solve in place. `system` (k + 1, k) holds the k columns of the matrix, then the right side, which becomes x.

    Gaussian elimination with partial pivoting; a singular matrix gives inf or NaN. `physics.kernels.linear_solve` is
    faster where the size is known and small.
    """
    length = system.shape[1]
    for column in range(length):
        pivot = column
        for row in range(column + 1, length):
            if abs(system[column, row]) > abs(system[column, pivot]):
                pivot = row
        for other in range(column, length + 1):
            system[other, column], system[other, pivot] = system[other, pivot], system[other, column]
        for row in range(column + 1, length):
            factor = system[column, row] / system[column, column]
            for other in range(column, length + 1):
                system[other, row] -= factor * system[other, column]
    for row in range(length - 1, -1, -1):
        for other in range(row + 1, length):
            system[length, row] -= system[other, row] * system[length, other]
        system[length, row] /= system[row, row]


@noinline
def _half_step_image(par, t, dt, y, z):
    """dt/2 f(t + dt/2, y + z), which z is to equal: y + z is the midpoint."""
    return _scale(rhs(par, t + 0.5 * dt, axpy(y, 1.0, z)), 0.5 * dt)


@inline
def _fixed_point(par, t, dt, y, z):
    """Whether fixed-point sweeps settle, and z. They go on until no component gets nearer: to the last bits."""
    last = _magnitude_sum(y, z)
    previous_change = np.inf
    for _ in range(MAX_SWEEPS):
        new = _half_step_image(par, t, dt, y, z)
        gap = _absolute_difference(new, z)
        z, change, size = new, total(gap), total(_magnitude_sum(y, new))
        if not change < np.inf or (change > previous_change and change > CONVERGENCE_TOLERANCE * size):
            return False, z
        if change < CONVERGENCE_TOLERANCE * size and total(_count_unsettled(y, z, gap, last)) == 0.0:
            return True, z
        last, previous_change = gap, change
    return False, z


@inline
def _newton(system, par, t, dt, y, z):
    """Whether Newton's iteration settles, and z; its matrix comes from differences and is new each time. For steps
    that are too long for the sweeps."""
    length = system.shape[1]
    previous_gap = np.inf
    for _ in range(MAX_NEWTON_ITERATIONS):
        image = z
        size = total(_magnitude_sum(y, z))
        increment = 1e-8 * size
        for column in range(-1, length):
            store(system, length, z)
            if column >= 0:
                system[length, column] += increment
            perturbed_image = _half_step_image(par, t, dt, y, load(system, length, y))
            if column < 0:
                image = perturbed_image
            else:
                store(system, column, _scale(axpy(image, -1.0, perturbed_image), 1.0 / increment))
                system[column, column] += 1.0
        store(system, length, axpy(image, -1.0, z))
        _solve_in_place(system)
        correction = load(system, length, y)
        z = axpy(z, 1.0, correction)
        gap = total(_magnitude_sum(correction, correction))
        if not gap < np.inf:
            return False, z
        if (gap < CONVERGENCE_TOLERANCE * size and gap >= 0.5 * previous_gap) or gap == 0.0:
            return True, z
        previous_gap = gap
    return False, z


@stepper(ImplicitMidpointMethod)
def implicit_midpoint_step(method, par, t, dt, y):
    """y1 = y + dt f(t + dt/2, (y + y1)/2), summed with the part that the last sum has rounded off."""
    rounding = z = _scale(y, 0.0)
    if y == load(
        method.memory, STATE, y
    ):  # neither the first step, nor was it altered by a chart or a stabilisation
        rounding, z = load(method.memory, ROUNDING, y), load(method.memory, CHANGE, y)
    has_converged, half_change = _fixed_point(par, t, dt, y, z)
    if not has_converged:
        has_converged, half_change = _newton(method.system, par, t, dt, y, z)
    if not has_converged:
        return STEP_FAILED, y
    change = axpy(rounding, 2.0, half_change)
    new = axpy(y, 1.0, change)
    store(method.memory, STATE, new)
    store(method.memory, ROUNDING, axpy(change, -1.0, axpy(new, -1.0, y)))  # what the sum has rounded off
    store(method.memory, CHANGE, half_change)
    return RUNNING, new
