"""Kernels of the integrator `simo_wong`."""

from typing import NamedTuple

import numpy as np

from quatviz.physics.integrators._kernels.momentum import (
    CONVERGENCE_TOLERANCE,
    MAX_NEWTON_ITERATIONS,
    cayley_increment,
    compose,
    load_state,
    loads_torque,
    newton_correction,
    save_state,
    to_rotated_axes,
)
from quatviz.physics.kernels.algebra import combined3, times_inertia
from quatviz.physics.kernels.binder import stepper
from quatviz.physics.kernels.blocks import RUNNING, STEP_FAILED


class SimoWongMethod(NamedTuple):
    """Data of the integrator `simo_wong`. `memory` (2, k) holds the state after the last step and its momentum h, so
    that h is not recomputed from omega with rounding errors."""

    memory: np.ndarray


@stepper(SimoWongMethod)
def simo_wong_step(method, par, t, dt, y):
    """Make a step A1 h1 = A0 h0 + dt/2 (A0 n0 + A1 n1), where A1 is A0 rotated by the Cayley vector a = dt/4
    (omega0 + omega1)."""
    p, h = load_state(method, par, y)
    zero = (0.0, 0.0, 0.0)
    first_torque = loads_torque(par, t, p, h) if par.loads.present else zero
    half_kicked = combined3(1.0, h, 0.5 * dt, first_torque)
    a = times_inertia(par.principal, par.inverse_inertia, combined3(0.5 * dt, h, 0.0, zero))
    previous_size, has_converged = np.inf, False
    p1, h1 = p, h
    for _ in range(MAX_NEWTON_ITERATIONS):
        increment = cayley_increment(a)
        p1, h1 = compose(p, increment), to_rotated_axes(increment, half_kicked)
        last_torque = zero
        if par.loads.present:
            last_torque = loads_torque(par, t + dt, p1, combined3(1.0, h1, 0.5 * dt, first_torque))
            h1 = combined3(1.0, h1, 0.5 * dt, last_torque)
        if has_converged:
            break
        eighth = 0.125 * dt * dt
        b = combined3(0.5 * dt, h, eighth, combined3(1.0, first_torque, 1.0, last_torque))
        a, size = newton_correction(par, b, combined3(eighth, first_torque, -eighth, last_torque), 0.0, a)
        has_converged = size == 0.0 or (size < CONVERGENCE_TOLERANCE and size >= previous_size)
        previous_size = size
    if not has_converged:
        return STEP_FAILED, y
    return RUNNING, save_state(method, par, p1, h1)
