"""Kernels of the integrator `axis_splitting`."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.physics.integrators._kernels.momentum import (
    apply_kick,
    compose,
    load_state,
    save_state,
    to_rotated_axes,
)
from quatviz.physics.kernels.binder import noinline, stepper
from quatviz.physics.kernels.blocks import RUNNING

JACOBI_SWEEPS = 12
"""Number of sweeps of Jacobi's method. Five diagonalize a 3x3 matrix to the last bit."""


class AxisSplittingMethod(NamedTuple):
    """Data of the integrator `axis_splitting`.

    `axes` (4, 3) are the principal axes in the body and, in the last row, the inverse moments [1/(kg m^2)]; they
    are NaN before the first step. `memory` is described at `_kernels.momentum.load_state`.
    """

    axes: np.ndarray
    memory: np.ndarray


@noinline
def _find_axes(inertia, axes):
    """Compute the principal axes by Jacobi rotations, which are accurate to all digits for a nearly diagonal matrix."""
    matrix = np.zeros((3, 3))
    for row in range(3):
        for column in range(3):
            matrix[row, column] = inertia[3 * row + column]
            axes[row, column] = 1.0 if row == column else 0.0
    for sweep in range(3 * JACOBI_SWEEPS):
        i, j = (0, 1) if sweep % 3 == 0 else ((0, 2) if sweep % 3 == 1 else (1, 2))
        if matrix[i, j] == 0.0:
            continue
        slope = 0.5 * (matrix[j, j] - matrix[i, i]) / matrix[i, j]
        t = math.copysign(1.0, slope) / (abs(slope) + math.sqrt(slope * slope + 1.0))
        c = 1.0 / math.sqrt(t * t + 1.0)
        s = t * c
        for k in range(3):
            matrix[k, i], matrix[k, j] = (
                c * matrix[k, i] - s * matrix[k, j],
                s * matrix[k, i] + c * matrix[k, j],
            )
        for k in range(3):
            matrix[i, k], matrix[j, k] = (
                c * matrix[i, k] - s * matrix[j, k],
                s * matrix[i, k] + c * matrix[j, k],
            )
            axes[i, k], axes[j, k] = c * axes[i, k] - s * axes[j, k], s * axes[i, k] + c * axes[j, k]
    for row in range(3):
        axes[3, row] = 1.0 / matrix[row, row]


@noinline
def _rotate_about_axis(axes, axis, dt, p, h):
    """Return `(p, h)` after the time dt of the motion that belongs to T = (n.h)^2 / (2 J_n) alone.

    It is a steady rotation by the angle dt n.h / J_n about the principal axis n.
    """
    n = (axes[axis, 0], axes[axis, 1], axes[axis, 2])
    half = 0.5 * dt * (n[0] * h[0] + n[1] * h[1] + n[2] * h[2]) * axes[3, axis]
    quarter = math.sin(0.5 * half)
    sine = math.sin(half)
    increment = (-2.0 * quarter * quarter, sine * n[0], sine * n[1], sine * n[2])
    return compose(p, increment), to_rotated_axes(increment, h)


@stepper(AxisSplittingMethod)
def axis_splitting_step(method, par, t, dt, y):
    """Make one step: a half kick by the loads; rotations for half a step about the first and second axis, for
    a whole step about the third, and for half a step about the second and first; a half kick.
    """
    axes = method.axes
    if math.isnan(axes[3, 0]):
        _find_axes(par.inertia, axes)
    p, h = load_state(method, par, y)
    h = apply_kick(par, t, 0.5 * dt, p, h)
    for turn in range(5):
        axis = turn if turn < 3 else 4 - turn
        p, h = _rotate_about_axis(axes, axis, dt if turn == 2 else 0.5 * dt, p, h)
    h = apply_kick(par, t + dt, 0.5 * dt, p, h)
    return RUNNING, save_state(method, par, p, h)
