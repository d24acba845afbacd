"""The free rigid body as rotations about its principal axes, between two halves of a kick by the loads."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._momentum import (
    apply_kick,
    compose,
    empty_memory,
    load_state,
    require_momentum_state,
    save_state,
    to_rotated_axes,
)
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels.binder import noinline, stepper
from quatviz.physics.kernels.blocks import RUNNING

JACOBI_SWEEPS = 12
"""Sweeps that make a matrix of three rows diagonal to the last bit; five do."""


class AxisSplittingMethod(NamedTuple):
    """`axes` (4, 3): the principal axes in the body and, in the last row, the inverse moments [1/(kg m^2)]; NaN until the first
    step has found them. `memory`: see `_momentum.load_state`."""

    axes: np.ndarray
    memory: np.ndarray


@noinline
def _find_axes(inertia, axes):
    """Jacobi's rotations, which find the axes of a nearly diagonal matrix to all digits."""
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
    """`(p, h)` after dt of T = (n.h)^2 / (2 J_n) alone: a steady turn about n, by dt n.h / J_n."""
    n = (axes[axis, 0], axes[axis, 1], axes[axis, 2])
    half = 0.5 * dt * (n[0] * h[0] + n[1] * h[1] + n[2] * h[2]) * axes[3, axis]
    quarter = math.sin(0.5 * half)
    sine = math.sin(half)
    increment = (-2.0 * quarter * quarter, sine * n[0], sine * n[1], sine * n[2])
    return compose(p, increment), to_rotated_axes(increment, h)


@stepper(AxisSplittingMethod)
def axis_splitting_step(method, par, t, dt, y):
    """Half a kick; half a turn about the first axis and the second, a whole one about the third, and back; half a kick."""
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


class AxisSplitting(Integrator):
    """Strang's splitting of T into the energies of the three principal axes, each of which is a steady turn, and of the whole into
    free motion and loads. Explicit, with error of order dt^2; symplectic where the loads have a potential. Every part is a
    rotation: |p| and, free of torque, h in space stay to rounding at any step; the energy wanders within dt^2."""

    name = "axis_splitting"
    title = "Splitting about the axes"
    source = "McLachlan 1993; Reich 1994; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.5.3"
    order = 2
    sort_order = 91
    measured = (Performance(272, 244, ("2.3e-05", "1.5e-05", "5.7e-08")),)
    preserves = ("|p|", "h in space free of torque")
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$T = \frac{h_1^2}{2 J_1} + \frac{h_2^2}{2 J_2} + \frac{h_3^2}{2 J_3}$$

    Each of the three alone is a steady turn about its axis, by $dt\,h_i/J_i$. A step is half a kick by the torque, half a turn
    about the first axis and about the second, a whole one about the third, the same back, and half a kick.

    - **Source**: McLachlan 1993; Reich 1994; Hairer, Lubich and Wanner, *Geometric Numerical Integration*, VII.5.3.
    - **Order**: 2; symmetric, and symplectic where the loads have a potential. Torques that depend on the velocity keep the order.
    - **Preserves**: $|p|$ and, free of torque, $h$ in space, for every part is a rotation: 2e-13 after a million steps, at any
      step. The energy wanders with $dt^2$, by 1.4e-07 at 1 ms free of torque, and never drifts; under gravity $h$ about the
      vertical stays too.
    - **Cost**: five turns and, with loads, two torques; no equation is solved: 272 ns free (4.8 x), 244 ns with gravity (3.1 x).
    - **Choose it** for fast tops: what spins about an axis of the body is exact in it. On the heavy top at 0.1 ms it is 5000 times
      as exact as `implicit_midpoint`, for less; and it makes steps of ten radians.
    - **Refused with**: formulations whose state is not $p$ beside $\omega$ or $h$ of the body alone, and every stabilisation, for
      it is on the sphere already. Axes need not be principal: the first step finds those that are.
    """

    def method(self, formulation: Formulation) -> AxisSplittingMethod:
        require_momentum_state(formulation)
        return AxisSplittingMethod(np.full((4, 3), np.nan), empty_memory(formulation))
