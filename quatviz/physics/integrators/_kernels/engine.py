"""Kernels of the rules by which game engines advance the angular velocity of a body."""

import math
from typing import NamedTuple

import numpy as np

from quatviz.physics.integrators._kernels.momentum import compose, load_state, loads_torque, save_state
from quatviz.physics.kernels.algebra import combined3, cross, dot3, times_inertia
from quatviz.physics.kernels.binder import noinline, stepper
from quatviz.physics.kernels.blocks import RUNNING
from quatviz.physics.kernels.linear_solve import pivoted_solve

EXPLICIT, IMPLICIT, CLAMPED = 0, 1, 2
"""Values of `EngineMethod.rule`: the gyroscopic term is evaluated at the old omega, at the new omega, or at the
old one with |h| restored afterwards."""
_solve = pivoted_solve(3)


class EngineMethod(NamedTuple):
    """Data of an integration rule of game engines. `rule` selects how the gyroscopic term is applied, and
    `memory` (2, k) is the array that `_kernels.momentum.load_state` reads."""

    rule: int
    memory: np.ndarray


@noinline
def _implicit_momentum(par, dt, omega, h):
    """Return the momentum J w (3) after one Newton iteration from w = omega for the implicit gyroscopic step
    J (w - omega) + dt w x J w = 0."""
    J = par.inertia
    w1, w2, w3 = omega
    h1, h2, h3 = h
    matrix = (
        J[0] + dt * (w2 * J[6] - w3 * J[3]),
        J[1] + dt * (w2 * J[7] - w3 * J[4] + h3),
        J[2] + dt * (w2 * J[8] - w3 * J[5] - h2),
        J[3] + dt * (w3 * J[0] - w1 * J[6] - h3),
        J[4] + dt * (w3 * J[1] - w1 * J[7]),
        J[5] + dt * (w3 * J[2] - w1 * J[8] + h1),
        J[6] + dt * (w1 * J[3] - w2 * J[0] + h2),
        J[7] + dt * (w1 * J[4] - w2 * J[1] - h1),
        J[8] + dt * (w1 * J[5] - w2 * J[2]),
    )
    step = _solve(matrix, cross(omega, h))
    return times_inertia(par.principal, J, combined3(1.0, omega, -dt, step))


@stepper(EngineMethod)
def engine_step(method, par, t, dt, y):
    """Make one step: change h by the gyroscopic term, then by the torque at the start, and rotate the body at the new
    omega.

    The rotation is about omega itself, so that the body components of omega and of h = J omega do not change in it.
    """
    p, h = load_state(method, par, y)
    omega = times_inertia(par.principal, par.inverse_inertia, h)
    new_h = combined3(1.0, h, dt, cross(h, omega))
    if method.rule == IMPLICIT:
        new_h = _implicit_momentum(par, dt, omega, h)
    elif method.rule == CLAMPED:
        scale = math.sqrt(dot3(h, h) / max(dot3(new_h, new_h), 1e-300))
        new_h = combined3(scale, new_h, 0.0, h)
    if par.loads.present:
        new_h = combined3(1.0, new_h, dt, loads_torque(par, t, p, h))
    w = times_inertia(par.principal, par.inverse_inertia, new_h)
    rate = math.sqrt(dot3(w, w))
    quarter = math.sin(0.25 * dt * rate)
    share = math.sin(0.5 * dt * rate) / rate if rate > 0.0 else 0.5 * dt
    p = compose(p, (-2.0 * quarter * quarter, share * w[0], share * w[1], share * w[2]))
    return RUNNING, save_state(method, par, p, new_h)
