"""Steady motions: rest, and rotation at a constant rate about an axis that is fixed both in the body and in
space.
"""

from typing import Any

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import LinearPhase, context, cross, dot, to_floats
from quatviz.physics.exact._uniform_field import UniformField, find_uniform_field, initial_torque, is_simple
from quatviz.physics.exact.base import ExactProblem, ExactSolution, load_names
from quatviz.physics.mechanics.rotations import multiply

_WAKING_TOLERANCE = 1e-30
"""Largest relative deviation from rotation about the vertical for which a top counts as rotating steadily.

The tilt of an unstable upright top grows exponentially. It needs about seventy times its growth time to become
visible from 1e-30, since ln 1e30 = 69.
"""


class Steady(ExactSolution):
    """The motion p(t) = p(0) [cos(w t/2), sin(w t/2) a] with omega = w a.

    The solution applies to a free body that rotates about a principal axis, a body at rest, and a sleeping or hanging
    top. The rotation may be unstable: the exact motion persists even where a computed one departs from it.
    """

    name = "steady"
    title = "steady rotation"
    needs = "omega parallel to h, and no torque during the motion"
    source = "S0(17) with a constant rate"
    conditions = (
        r"$\omega$ parallel to $h$ and no torque during the motion: a principal axis, a sphere, a body at rest in "
        "equilibrium, a sleeping or hanging top, stable or not"
    )
    functions = "sine and cosine"
    order = 10

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        if not problem.loads:
            return phrase("omega and h are not parallel") if any(cross(problem.rate, problem.h)) else ""
        field = find_uniform_field(problem)
        if field is None:
            is_at_rest = not any(problem.rate) and all(is_simple(load) for load in problem.loads)
            return (
                ""
                if is_at_rest and not any(initial_torque(problem))
                else phrase("these loads may exert a torque: {loads}", loads=load_names(problem.loads))
            )
        if _length(cross(problem.rate, problem.h)) > _WAKING_TOLERANCE * _size(problem, field) ** 2:
            return phrase("omega and h are not parallel")
        # The moment must lie along the vertical and stay there.
        arm = _length(cross(field.moment, problem.to_body(field.up)))
        turn = _length(cross(field.moment, problem.rate)) * context().sqrt(_trace(problem))
        moment = _length(field.moment)
        is_sleeping = arm <= _WAKING_TOLERANCE * moment and turn <= _WAKING_TOLERANCE * moment * _size(
            problem, field
        )
        return (
            ""
            if is_sleeping
            else phrase("these loads have a lever arm: {loads}", loads=load_names(problem.loads))
        )

    def __init__(self, problem: ExactProblem) -> None:
        math = context()
        rate = math.sqrt(dot(problem.rate, problem.rate))
        self._p = to_floats(problem.unit_p)
        self._omega = problem.omega
        self._axis = to_floats(component / rate if rate else 0 for component in problem.rate)
        self._phase = LinearPhase(rate / (4 * math.pi), math.mpf(0))

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        fraction, _ = self._phase.evaluate(t)
        half = 2.0 * np.pi * fraction
        turn = np.concatenate((np.cos(half)[:, None], np.sin(half)[:, None] * self._axis), axis=1)
        return multiply(self._p, turn), np.tile(self._omega, (len(t), 1))


def _length(v: list[Any]) -> Any:
    return context().sqrt(dot(v, v))


def _trace(problem: ExactProblem) -> Any:
    return sum(problem.inertia[i][i] for i in range(3))


def _size(problem: ExactProblem, field: UniformField) -> Any:
    """Return a scale [J^1/2] for rounding errors: the square root of kinetic plus potential energy, without constant
    factors."""
    return context().sqrt(_length(field.moment) + _trace(problem) * dot(problem.rate, problem.rate))
