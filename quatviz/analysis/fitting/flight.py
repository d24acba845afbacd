"""Motions of a free body at the times of a recording, computed by the compiled engine."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from quatviz.analysis.fitting.fit_parameters import FitParameters
from quatviz.analysis.fitting.kernel import MATRIX_TEMPLATE, compute_states
from quatviz.physics.formulations import make_formulation
from quatviz.physics.formulations.newton_euler.kernel import NewtonEulerParameters as Parameters
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.loads import bind, pack_loads
from quatviz.physics.loads.damping import Damping
from quatviz.physics.mechanics.body import Body


class FreeMotionModel:
    """Model of the motion of a free body: Newton-Euler equations, integrated to given times by classical Runge-Kutta
    steps of at most `max_step` [s]."""

    def __init__(self, times: np.ndarray, max_step: float) -> None:
        self.times = np.ascontiguousarray(times, dtype=np.float64)
        self._max_step = max_step
        self._form = make_formulation("newton_euler")
        self._method: Any = INTEGRATORS["rk4"]().method(self._form)

    def simulate(
        self, guesses: Sequence[FitParameters], count: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return p (m, n, 4), as integrated, and omega (m, n, 3) [rad/s, body] of m guesses at the first `count` times."""
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
        """Return kernel parameters with the damping torque. `compute_states` replaces the inertia in them."""
        loads = pack_loads(bind((Damping(coefficient=damping),), _UNIT_BODY) if damping else (), "torque")
        return Parameters(False, MATRIX_TEMPLATE, MATRIX_TEMPLATE, loads)


_UNIT_BODY = Body(inertia=[1.0, 1.0, 1.0])
