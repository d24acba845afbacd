"""The angle of a body that turns about a fixed principal axis. This module defines no formulation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.integrate import DOP853, OdeSolution

from quatviz.base.errors import phrase
from quatviz.physics.exact import NoClosedForm
from quatviz.physics.loads.base import BoundLoad
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import multiply

_RTOL, _ATOL = 1e-13, 1e-14
"""Relative and absolute tolerance of the integration of the angle [rad] and its rate [rad/s].

With them, the error of the angle is smaller than that of the lanes which are compared with it.
"""
_MAX_STEP_ANGLE = 0.1
"""Largest rotation in a step [rad].

It is limited since the interpolation within a step is of lower order than the step.
"""
_AXIS_TOLERANCE = 1e-9
"""Largest component perpendicular to the axis that counts as a rounding error, as a fraction of the whole torque or
angular momentum."""
_PROBE_COUNT = 16
"""Number of angles at which the direction of the torque is checked."""


class AngleMotion:
    """The angle of a body about its fixed axis, as a function of time.

    Creating the object raises `NoClosedForm` if the body does not turn about a fixed principal axis.
    """

    def __init__(self, body: Body, loads: Sequence[BoundLoad], p: np.ndarray, omega: np.ndarray) -> None:
        if body.ring is not None:
            raise _refusal(phrase("the body has a ring"))
        if timed := [load.name for load in loads if load.load.timed]:
            name = phrase(timed[0].replace("_", " "))
            raise _refusal(phrase("the load {load} depends on t", load=name))
        self._loads, self._p, self.axis = loads, p, np.zeros(3)
        direction = omega if np.any(omega) else self._torque(np.zeros(1), np.zeros((1, 3)))[0]
        length = float(np.linalg.norm(direction))
        if length == 0.0:
            raise _refusal(phrase("the body is at rest and no load turns it"))
        self.axis = direction / length
        momentum = body.inertia @ self.axis
        self._inertia = float(self.axis @ momentum)
        if np.linalg.norm(np.cross(self.axis, momentum)) > _AXIS_TOLERANCE * self._inertia:
            raise _refusal(phrase("the body does not start to rotate about a principal axis"))
        angles = np.linspace(0.0, 2.0 * np.pi, _PROBE_COUNT, endpoint=False)
        torques = self._torque(angles, np.broadcast_to(omega, (_PROBE_COUNT, 3)))
        beside = np.linalg.norm(np.cross(self.axis, torques), axis=1)
        if (beside > _AXIS_TOLERANCE * max(float(np.abs(torques).max()), np.finfo(float).tiny)).any():
            raise _refusal(phrase("a torque tilts the axis of rotation"))
        self._solver = DOP853(
            self._rates, 0.0, (0.0, float(self.axis @ omega)), np.inf, rtol=_RTOL, atol=_ATOL
        )
        self._times = [0.0]
        self._pieces: list[Any] = []

    def attitudes(self, angles: np.ndarray) -> np.ndarray:
        """Return Euler parameters (n, 4) after rotations by angles (n,) [rad] about the axis."""
        half = 0.5 * angles[:, None]
        turns = np.concatenate((np.cos(half), np.sin(half) * self.axis), axis=1)
        return multiply(np.broadcast_to(self._p, (len(angles), 4)), turns)

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the angle (n,) [rad] and its rate (n,) [rad/s] at times t (n,) [s]."""
        while self._times[-1] < max(float(t.max(initial=0.0)), np.finfo(float).tiny):
            rate = abs(float(self._solver.y[1])) + np.sqrt(self._largest_acceleration)
            self._solver.max_step = _MAX_STEP_ANGLE / max(rate, np.finfo(float).tiny)
            self._solver.step()
            self._times.append(float(self._solver.t))
            self._pieces.append(self._solver.dense_output())
        angle, rate = OdeSolution(self._times, self._pieces)(t)
        return angle, rate

    @property
    def _largest_acceleration(self) -> float:
        return abs(float(self._rates(0.0, self._solver.y)[1]))

    def _rates(self, t: float, y: np.ndarray) -> tuple[float, float]:
        angle, rate = y
        torque = self._torque(np.array([angle]), rate * self.axis[None])[0]
        return rate, float(self.axis @ torque) / self._inertia

    def _torque(self, angles: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Return the torque (n, 3) [N m, body] at angles (n,) [rad] and omega (n, 3) [rad/s, body]."""
        p, t = self.attitudes(angles), np.zeros(len(angles))
        return sum((load.torque(t, p, omega) for load in self._loads), np.zeros((len(angles), 3)))


def _refusal(reason: str) -> NoClosedForm:
    return NoClosedForm(
        phrase("one angle needs a motion about one fixed principal axis, but {reason}", reason=reason)
    )
