"""RATTLE: the index-3 problem itself, with p.p = 1 and p.p' = 0 among the equations of the step, and lambda unknown."""

import math
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.class_metadata import Measured
from quatviz.base.errors import InputError, listed, phrase
from quatviz.physics.formulations import FORMULATIONS
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.kernels.algebra import combined4, dot4, load, store, total
from quatviz.physics.kernels.binder import compiled, force, inline, momenta, outline, state, velocity
from quatviz.physics.kernels.blocks import NOT_FINITE, RUNNING, STEP_FAILED

SWEEPS = 80
SETTLED = 1e-10
"""Changes this small, relative to p and g, that stop shrinking are rounding; larger ones are divergence."""
TINY = 1e-300
"""A body at rest without a load has no scale."""


class RattleMethod(NamedTuple):
    """`multiplier` (2): lambda [J] at the start and at the end of the last step, the first guess of the next; `halfway` (2, 4): p
    and momenta between two samples, where a block has ended there."""

    multiplier: np.ndarray
    halfway: np.ndarray


@inline
def _apart(a, b):
    """Sum of |a - b|."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) + abs(a[3] - b[3])


@inline
def _first_half(par, t, dt, p, g, guess):
    """`(settled, half, p1, lambda)`: momenta at half the step and p at its end, by sweeps in which lambda follows the
    error of p1.p1 = 1 as the constraint's own slope says. Each contracts by about |omega| dt / 2."""
    push = combined4(1.0, force(par, t, p, g), -guess, p)
    half = combined4(1.0, g, 0.5 * dt, push)
    v = velocity(par, p, half)
    p1, lam = combined4(1.0, p, dt, v), guess
    inertia = 1.0 / dot4(p, velocity(par, p, p))  # what resists a push along p: 4 J0
    nothing = (0.0, 0.0, 0.0, 0.0)
    size = _apart(g, nothing) + abs(dt) * (_apart(push, nothing) + abs(guess)) + TINY
    before = np.inf
    for _ in range(SWEEPS):
        new = combined4(1.0, force(par, t, p, half), -lam, p)
        new = combined4(1.0, g, 0.5 * dt, new)
        q = combined4(1.0, velocity(par, p, new), 1.0, velocity(par, p1, new))
        q = combined4(1.0, p, 0.5 * dt, q)
        error = 0.5 * (dot4(q, q) - 1.0) / dot4(p, q)
        q = combined4(1.0, q, -error, p)
        lam += 2.0 * inertia * error / (dt * dt)
        new = combined4(1.0, new, -inertia * error / dt, p)
        moved = _apart(q, p1) + _apart(new, half) / (size + abs(dt * lam))
        p1, half = q, new
        if moved == 0.0 or (moved < SETTLED and moved >= before):
            return True, half, p1, lam
        if not moved < 1e3:
            return False, half, p1, lam
        before = moved
    return False, half, p1, lam


@outline
def rattle_step(par, t, dt, p, g, guess):
    """`(settled, p, g, lambda, mu)` one step later, with lambda at its start and mu at its end; HLW VII.1.26."""
    settled, half, p1, lam = _first_half(par, t, dt, p, g, guess)
    free = combined4(1.0, half, 0.5 * dt, force(par, t + dt, p1, half))
    along = dot4(p1, free) / dot4(p1, p1)
    return settled, p1, combined4(1.0, free, -along, p1), lam, 2.0 * along / dt


@compiled
def rattle_block(method, par, project, made, steps_per_sample, most, dt, threshold, y, rows):
    """As `kernels.blocks.fixed_step_block`, with lambda behind the state in each row.

    On either side of a sample lambda has an error of order dt, with opposite signs, because p at the next sample was
    asked for: the mean is of order dt^2. So a sample is written when the step behind it is known; the last one of
    a block makes that step in advance.
    """
    memory, count, end = method.multiplier, rows.shape[0], made * dt
    if count == 0:
        return RUNNING, 0, end, y
    begin = made % steps_per_sample
    for row in range(count + 1):
        p, g = momenta(par, y)
        if begin > 0:
            p, g = load(method.halfway, 0, p), load(method.halfway, 1, g)
        for index in range(begin, steps_per_sample):
            if most == 0 and index > 0:
                store(method.halfway, 0, p)
                store(method.halfway, 1, g)
                return RUNNING, row, end, y
            settled, p, g, lam, mu = rattle_step(par, made * dt, dt, p, g, memory[1])
            if settled and index == 0 and row > 0:
                rows[row - 1, len(y)] = 0.5 * (memory[1] + lam)
            if row == count or most == 0:  # in advance, for the sake of lambda
                return RUNNING, row, end, y
            made, most = made + 1, most - 1
            y, end = state(par, p, g), made * dt
            finite = math.isfinite(total(y))
            if not (settled and finite):
                return NOT_FINITE if settled else STEP_FAILED, row, end, y
            memory[0], memory[1] = lam, mu
        begin = 0
        store(rows, row, y)
        rows[row, len(y)] = mu
    return RUNNING, count, end, y


@compiled
def rattle_start(method, par, dt, y):
    """Lambda at t = 0: the mean of a step forwards and, RATTLE being its own adjoint, of one backwards."""
    p, g = momenta(par, y)
    settled, _, _, after, _ = rattle_step(par, 0.0, dt, p, g, 0.0)
    also, _, _, before, _ = rattle_step(par, 0.0, -dt, p, g, 0.0)
    return 0.5 * (after + before) if settled and also else np.nan


class Rattle(Integrator):
    """Half a step of momenta, a step of p, half a step of momenta, with a multiplier at either end: one keeps p.p = 1,
    the other p.p' = 0, to rounding and without renormalisation. Error of order dt^2 in the motion and in lambda, which
    is the unknown of these equations; rounding adds some J0 1e-15/dt^2 to it. Symplectic where the loads have
    a potential. Two evaluations for each of the sweeps that solve it, which need |omega| dt below about 1."""

    name = "rattle"
    title = "RATTLE (index 3)"
    source = "Andersen 1983; Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1.4"
    order = 2
    place = 90
    measured = (Measured(539, 1255, ("9.2e-06", "7.9e-06", "6.2e-04"), relative_to=(385, 392)),)
    preserves = ("|p|", "p.p'")
    block = staticmethod(rattle_block)
    stabilisations = ("none",)
    stabilised_by = "its own equations keep |p| = 1 and p.p' = 0"
    records = ("lambda",)

    def method(self, formulation: Formulation) -> RattleMethod:
        if not formulation.index3:
            raise InputError(
                "integrator",
                expected=phrase(
                    "a formulation that leaves p.p = 1 and its multiplier to the step: {names}",
                    names=listed(family().called for family in FORMULATIONS.values() if family().index3),
                ),
                found=phrase("{id}, {reason}", id=formulation.called, reason=_reason(formulation)),
                remedy="choose one of these, or another integrator",
                topic="errors#integrators",
            )
        return RattleMethod(np.zeros(2), np.zeros((2, 4)))

    def first_record(
        self, method: Any, parameters: Any, dt: float, state: tuple[float, ...]
    ) -> tuple[float, ...]:
        return (float(rattle_start(method, parameters, dt, state)),)

    def explain_failure(self) -> str:
        return phrase(
            "RATTLE's iteration found no step that ends on the sphere; the body turns too far in one step, "
            "try a dt with |omega| dt below 1"
        )


def _reason(formulation: Formulation) -> str:
    if formulation.has_multiplier:
        return phrase(
            "whose lambda comes from the closed inverse of a system for p'', which index 3 does not have"
        )
    return phrase("which has no multiplier left: its equations hold without the constraint")
