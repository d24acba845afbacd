"""Kernels of the integrator `moser_veselov`."""

from typing import NamedTuple

import numpy as np

from quatviz.physics.integrators._kernels.momentum import (
    CONVERGENCE_TOLERANCE,
    MAX_NEWTON_ITERATIONS,
    apply_kick,
    cayley_increment,
    compose,
    load_state,
    newton_correction,
    save_state,
    to_rotated_axes,
)
from quatviz.physics.kernels.algebra import combined3, times_inertia
from quatviz.physics.kernels.binder import noinline, stepper
from quatviz.physics.kernels.blocks import RUNNING, STEP_FAILED


class MoserVeselovMethod(NamedTuple):
    """Data of the integrator `moser_veselov`: the `memory` (2, k) that `_kernels.momentum.load_state` and
    `save_state` use.
    """

    memory: np.ndarray


@noinline
def _cayley_vector(par, dt, h):
    """Solve J a + a x J a = dt/2 h (1 + a.a) for the Cayley vector a of the rotation of a step, and return
    `(converged, a)`.
    """
    zero = (0.0, 0.0, 0.0)
    b = combined3(0.5 * dt, h, 0.0, zero)
    a = times_inertia(par.principal, par.inverse_inertia, b)
    previous_size = np.inf
    for _ in range(MAX_NEWTON_ITERATIONS):
        a, size = newton_correction(par, b, zero, 1.0, a)
        if size == 0.0 or (size < CONVERGENCE_TOLERANCE and size >= previous_size):
            return True, a
        if not size < np.inf:
            return False, a
        previous_size = size
    return False, a


@stepper(MoserVeselovMethod)
def moser_veselov_step(method, par, t, dt, y):
    """Make one step: a half kick by the loads, the rotation whose discrete momentum is dt h, and a half kick.

    Before the second half kick, h is transformed to the rotated axes.
    """
    p, h = load_state(method, par, y)
    h = apply_kick(par, t, 0.5 * dt, p, h)
    has_converged, a = _cayley_vector(par, dt, h)
    if not has_converged:
        return STEP_FAILED, y
    increment = cayley_increment(a)
    p = compose(p, increment)
    h = apply_kick(par, t + dt, 0.5 * dt, p, to_rotated_axes(increment, h))
    return RUNNING, save_state(method, par, p, h)
