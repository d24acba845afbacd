"""The energy-momentum method of Simo and Wong."""

from typing import NamedTuple

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._momentum import (
    CONVERGENCE_TOLERANCE,
    MAX_NEWTON_ITERATIONS,
    cayley_increment,
    compose,
    empty_memory,
    load_state,
    loads_torque,
    newton_correction,
    require_momentum_state,
    save_state,
    to_rotated_axes,
)
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels.algebra import combined3, times_inertia
from quatviz.physics.kernels.binder import stepper
from quatviz.physics.kernels.blocks import RUNNING, STEP_FAILED


class SimoWongMethod(NamedTuple):
    """What is remembered, see `_momentum.load_state`."""

    memory: np.ndarray


@stepper(SimoWongMethod)
def simo_wong_step(method, par, t, dt, y):
    """A1 h1 = A0 h0 + dt/2 (A0 n0 + A1 n1), where A1 is A0 turned by the Cayley vector a = dt/4 (omega0 + omega1)."""
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


class SimoWong(Integrator):
    """Balance of angular momentum in space, and a turn about the mean angular velocity of the step: error of order dt^2. T stays
    free of torque, and so does h in space; under gravity the energy does, and h about the vertical. Newton's method for the
    turn, which is Cayley's transform of that mean: with it gravity does in a step exactly the work that it should."""

    name = "simo_wong"
    title = "Simo–Wong"
    source = "Simo, Wong 1991, Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and momentum"
    order = 2
    sort_order = 94
    measured = (Performance(425, 514, ("3.4e-05", "1.9e-05", "1.0e-03")),)
    preserves = ("|p|", "T and |h| free of torque", "h in space free of torque", "energy under gravity")
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"
    help = r"""
    $$A_1 h_1 = A h + \tfrac12 dt (A n + A_1 n_1) \qquad A_1 = A\,\mathrm{cay}\left(\tfrac14 dt (\omega + \omega_1)\right)$$

    $\mathrm{cay}(a)$ is the turn with the Euler parameters $(1, a)$, normalised. $T$ changes by
    $\tfrac12 (\omega + \omega_1) \cdot (h_1 - h)$, and $\omega + \omega_1$ lies along the turn, so that free of torque it does
    not; a force $f$ in space at $r$ does the work $f \cdot (r_1 - r)$, which with Cayley's turn is just what the mean torque does.

    - **Source**: Simo and Wong 1991, *Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and
      momentum*; with Cayley's transform in place of their exponential, for the sake of gravity.
    - **Order**: 2; symmetric, but not symplectic.
    - **Preserves**: $|p|$; free of torque $T$, $|h|$ and $h$ in space; under gravity the energy and $h$ about the vertical: all to
      2e-13 after a million steps. Springs and other potentials that are not linear in a place cost it the energy, not the order.
    - **Cost**: Newton's method with a matrix of three rows, 425 ns free (7.5 x), 514 ns with gravity (6.5 x).
    - **Choose it** where energy and momentum are to hold at once, at any step: so they do at ten radians of spin per step. The
      phase is lost then; on its authors' top (preset `simo_wong_top`) the attitude is off by 0.1 rad after 10 s at 1 ms.
    - **Refused with**: formulations whose state is not $p$ beside $\omega$ or $h$ of the body alone, and every stabilisation, for
      it is on the sphere already.
    """

    def method(self, formulation: Formulation) -> SimoWongMethod:
        require_momentum_state(formulation)
        return SimoWongMethod(empty_memory(formulation))

    def explain_failure(self) -> str:
        return phrase(
            "Newton's iteration found no mean angular velocity of the step; it is too long for this motion, try a smaller dt"
        )
