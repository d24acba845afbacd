"""Rotation at a constant rate about an axis that is fixed in the body and in space, and rest."""

from __future__ import annotations

import numpy as np

from quatviz.core.exact._fields import field_of, is_simple, torque
from quatviz.core.exact._numbers import Clock, context, cross, dot, floats
from quatviz.core.exact.base import Problem, Solution, named
from quatviz.core.rotations import multiply


class Steady(Solution):
    """p(t) = p(0) [cos(w t/2), sin(w t/2) a], with omega = w a. A free body about a principal axis; a body at rest; a top
    asleep or hanging. Stable or not: the exact motion stays where a computed one falls."""

    name = "steady"
    title = "steady rotation"
    needs = "omega parallel to h, and no torque on the way"
    source = "S0(17) with a constant rate"
    order = 10

    @classmethod
    def misfit(cls, problem: Problem) -> str:
        if any(cross(problem.rate, problem.h)):
            return "omega and h are not parallel"
        if not problem.loads:
            return ""
        if not any(problem.rate) and all(is_simple(load) for load in problem.loads):
            return f"{named(problem.loads)} turns it" if any(torque(problem)) else ""
        field = field_of(problem)
        if field is None:
            return f"{named(problem.loads)} may act"
        # the moment must lie along the vertical, and stay there
        off = [*cross(field.moment, problem.to_body(field.up)), *cross(field.moment, problem.rate)]
        return f"{named(problem.loads)} has an arm" if any(off) else ""

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
