"""Motions of a free body at the times of a recording, by the compiled engine: what is fitted is this."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from quatviz.analysis.fitting.fit_parameters import FitParameters
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.newton_euler.kernel import NewtonEulerParameters as Parameters
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.kernels.algebra import load, store
from quatviz.physics.kernels.binder import compiled, inline, step
from quatviz.physics.loads import bind, pack_loads
from quatviz.physics.loads.damping import Damping
from quatviz.physics.mechanics.body import Body

_MATRIX_TEMPLATE, _STATE_TEMPLATE = (0.0,) * 9, (0.0,) * 7
"""How long what is loaded is."""


@compiled
def compute_states(method, par, times, max_step, bodies, starts, rows):
    """Write the states of several motions at `times` (n,) [s] into `rows` (m, n, 7), from `starts` (m, 7) at the first of them, by
    steps of equal length between two times, none over `max_step` [s]. `bodies` (m, 18) are inertias and their inverses, row-major,
    which take the place of those in `par`."""
    for index in range(starts.shape[0]):
        parameters = Parameters(
            False, load(bodies, index, _MATRIX_TEMPLATE), _inverse_inertia(bodies, index), par.loads
        )
        y = load(starts, index, _STATE_TEMPLATE)
        store(rows[index], 0, y)
        for row in range(1, times.shape[0]):
            span = times[row] - times[row - 1]
            count = max(1, math.ceil(span / max_step))
            dt = span / count
            for number in range(count):
                _, y = step(method, parameters, times[row - 1] + number * dt, dt, y)
            store(rows[index], row, y)


@inline
def _inverse_inertia(bodies, index):
    return load(bodies[:, 9:], index, _MATRIX_TEMPLATE)


class FreeMotionModel:
    """Motions at given times, in steps of at most `max_step` [s]: by Newton and Euler, classical Runge-Kutta."""

    def __init__(self, times: np.ndarray, max_step: float) -> None:
        self.times = np.ascontiguousarray(times, dtype=np.float64)
        self._max_step = max_step
        self._form = make_formulation("newton_euler")
        self._method: Any = INTEGRATORS["rk4"]().method(self._form)

    def simulate(
        self, guesses: Sequence[FitParameters], count: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """p (m, n, 4), as integrated, and omega (m, n, 3) [rad/s, body] of each guess at the first `count` times."""
        times = self.times[:count]
        rows = np.empty((len(guesses), len(times), 7))
        inertia = np.array([guess.inertia for guess in guesses])
        bodies = np.concatenate((inertia, np.linalg.inv(inertia)), axis=1).reshape(-1, 18)
        starts = np.array([(*guess.omega, *guess.p) for guess in guesses])
        damping = np.array([guess.damping for guess in guesses])
        for value in np.unique(damping):
            indices = np.flatnonzero(damping == value)
            states = np.empty((len(indices), len(times), 7))
            compute_states(
                self._method,
                self._parameters(float(value)),
                times,
                self._max_step,
                bodies[indices],
                starts[indices],
                states,
            )
            rows[indices] = states
        return rows[..., 3:], rows[..., :3]

    def _parameters(self, damping: float) -> Parameters:
        """Loads, beside a body that is not looked at: all of them have the trace 1."""
        loads = pack_loads(bind((Damping(coefficient=damping),), _UNIT_BODY) if damping else (), "torque")
        return Parameters(False, _MATRIX_TEMPLATE, _MATRIX_TEMPLATE, loads)


_UNIT_BODY = Body(inertia=[1.0, 1.0, 1.0])
