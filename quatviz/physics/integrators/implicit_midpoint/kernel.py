"""Kernels of the integrator `implicit_midpoint`."""

from typing import NamedTuple

import numpy as np

from quatviz.physics.kernels.algebra import axpy, load, store, total, unroll
from quatviz.physics.kernels.binder import inline, noinline, rhs, stepper
from quatviz.physics.kernels.blocks import RUNNING, STEP_FAILED

EPS = float(np.finfo(float).eps)
MAX_SWEEPS = 30
"""Number of fixed-point sweeps after which Newton's method is used instead.

If a sweep reduces the error by less than a half, Newton's method is faster.
"""
MAX_NEWTON_ITERATIONS = 30
CONVERGENCE_TOLERANCE = 1e-9
"""Relative change of the state below which an iteration that no longer improves has converged to rounding
errors. If a larger change stops decreasing, the iteration diverges.
"""
STATE, ROUNDING, CHANGE = 0, 1, 2
"""Rows of the memory: the state at the end of the last step, its rounding error, and half the change of the
state in that step."""
_absolute_difference = unroll("a, b", "abs(a[#] - b[#])")
_magnitude_sum = unroll("y, z", "abs(y[#]) + abs(z[#])")


@inline
def _unsettled(y, z, gap, last):
    """Return 1 if the iteration of a component still converges, otherwise 0.

    It converges if the change `gap` is less than the previous change `last` and exceeds rounding errors.
    """
    return 1.0 if gap > EPS * (abs(y) + abs(z)) and gap < last else 0.0


_count_unsettled = unroll("y, z, gap, last", "_unsettled(y[#], z[#], gap[#], last[#])", _unsettled=_unsettled)
_scale = unroll("y, a", "a * y[#]")


class ImplicitMidpointMethod(NamedTuple):
    """Data of the method: `memory` (3, k) with the rows `STATE`, `ROUNDING` and `CHANGE`, and `system` (k + 1, k), the
    columns of Newton's matrix followed by the right-hand side.
    """

    memory: np.ndarray
    system: np.ndarray


@noinline
def _solve_in_place(system):
    """Solve a linear system in place, by Gaussian elimination with partial pivoting.

    `system` (k + 1, k) holds the k columns of the matrix and then the right-hand side, which is replaced by the
    solution. A singular matrix gives inf or NaN. `physics.kernels.linear_solve` is faster, but only for small sizes
    that are known at compile time.
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
    """Return dt/2 f(t + dt/2, y + z) for a half step z.

    If the result equals z, y + z is the midpoint and the step is solved.
    """
    return _scale(rhs(par, t + 0.5 * dt, axpy(y, 1.0, z)), 0.5 * dt)


@inline
def _fixed_point(par, t, dt, y, z):
    """Solve for the half step z by fixed-point sweeps and return `(converged, z)`.

    The sweeps continue until the changes of all components have stopped decreasing, that is, to the last bits.
    """
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
    """Solve for the half step z by Newton's iteration and return `(converged, z)`.

    It is used for steps that are too long for fixed-point sweeps to converge. The Jacobian matrix is computed by
    finite differences in each iteration.
    """
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
    """Make a step y1 = y + dt f(t + dt/2, (y + y1)/2).

    The rounding error of the sum in the last step is added in this step.
    """
    rounding = z = _scale(y, 0.0)
    if y == load(
        method.memory, STATE, y
    ):  # not the first step, and the state was not altered by a chart or a stabilization
        rounding, z = load(method.memory, ROUNDING, y), load(method.memory, CHANGE, y)
    has_converged, half_change = _fixed_point(par, t, dt, y, z)
    if not has_converged:
        has_converged, half_change = _newton(method.system, par, t, dt, y, z)
    if not has_converged:
        return STEP_FAILED, y
    change = axpy(rounding, 2.0, half_change)
    new = axpy(y, 1.0, change)
    store(method.memory, STATE, new)
    store(method.memory, ROUNDING, axpy(change, -1.0, axpy(new, -1.0, y)))  # rounding error of the sum
    store(method.memory, CHANGE, half_change)
    return RUNNING, new
