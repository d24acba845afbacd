"""Rotation at a constant rate about an axis that is fixed in the body and in space, and rest."""

from typing import Any

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact._multiprecision import Clock, context, cross, dot, floats
from quatviz.physics.exact._uniform_field import Field, field_of, is_simple, torque
from quatviz.physics.exact.base import Problem, Solution, named
from quatviz.physics.mechanics.rotations import multiply

_AWAKE = 1e-30
"""How far from the vertical, relative to its own rates, a top has to be in order to wake: from nearer than that it takes
seventy times as long as the tilt takes to grow by a factor e."""


class Steady(Solution):
    """p(t) = p(0) [cos(w t/2), sin(w t/2) a], with omega = w a. A free body about a principal axis; a body at rest; a top
    asleep or hanging. Stable or not: the exact motion stays where a computed one falls."""

    name = "steady"
    title = "steady rotation"
    needs = "omega parallel to h, and no torque on the way"
    source = "S0(17) with a constant rate"
    conditions = (
        r"$\omega$ parallel to $h$ and no torque on the way: a principal axis, a sphere, a body at rest in "
        "equilibrium, a top asleep or hanging, stable or not"
    )
    functions = "sine and cosine"
    order = 10

    @classmethod
    def misfit(cls, problem: Problem) -> str:
        if not problem.loads:
            return phrase("omega and h are not parallel") if any(cross(problem.rate, problem.h)) else ""
        field = field_of(problem)
        if field is None:
            still = not any(problem.rate) and all(is_simple(load) for load in problem.loads)
            return (
                ""
                if still and not any(torque(problem))
                else phrase("{loads} may turn it", loads=named(problem.loads))
            )
        if _length(cross(problem.rate, problem.h)) > _AWAKE * _size(problem, field) ** 2:
            return phrase("omega and h are not parallel")
        # the moment must lie along the vertical, and stay there
        arm = _length(cross(field.moment, problem.to_body(field.up)))
        turn = _length(cross(field.moment, problem.rate)) * context().sqrt(_trace(problem))
        moment = _length(field.moment)
        asleep = arm <= _AWAKE * moment and turn <= _AWAKE * moment * _size(problem, field)
        return "" if asleep else phrase("{loads} has an arm", loads=named(problem.loads))

    def __init__(self, problem: Problem) -> None:
        math = context()
        rate = math.sqrt(dot(problem.rate, problem.rate))
        self._p = floats(problem.unit_p)
        self._omega = problem.omega
        self._axis = floats(component / rate if rate else 0 for component in problem.rate)
        self._clock = Clock(rate / (4 * math.pi), math.mpf(0))

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        fraction, _ = self._clock.at(t)
        half = 2.0 * np.pi * fraction
        turn = np.concatenate((np.cos(half)[:, None], np.sin(half)[:, None] * self._axis), axis=1)
        return multiply(self._p, turn), np.tile(self._omega, (len(t), 1))


def _length(v: list[Any]) -> Any:
    return context().sqrt(dot(v, v))


def _trace(problem: Problem) -> Any:
    return sum(problem.inertia[i][i] for i in range(3))


def _size(problem: Problem, field: Field) -> Any:
    """The root of the larger of the kinetic energy and what the field can give [J^1/2]."""
    return context().sqrt(_length(field.moment) + _trace(problem) * dot(problem.rate, problem.rate))
