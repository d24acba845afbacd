"""Loads whose force is constant in space: gravity, and forces that keep their direction, as one force at one point."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quatviz.physics.exact._multiprecision import NOTHING, context, cross, dot, many, vector
from quatviz.physics.exact.base import ROUNDING, Problem
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.guided_spring import GuidedSpring


def force_and_point(load: Load) -> tuple[list[Any], list[Any]] | None:
    """f [N, space] and u [m, body] of a load whose force is constant in space; None for every other load."""
    constant = None if load.timed else load.constant
    if constant is None or constant.frame != "space" or constant.point is None:
        return None
    return vector(constant.vector), vector(constant.point)


def is_simple(load: Load) -> bool:
    """Whether a load is a constant force or a guided spring."""
    return (type(load) is GuidedSpring and not load.timed) or force_and_point(load) is not None


def force_in_body(problem: Problem, load: Load) -> tuple[list[Any], list[Any]]:
    """A constant force [N], or a guided spring's direction, and its point [m], in body components at the start."""
    if type(load) is GuidedSpring:
        return problem.to_body(vector(load.direction)), vector(load.point)
    pair = force_and_point(load)
    assert pair is not None
    return problem.to_body(pair[0]), pair[1]


def torque(problem: Problem) -> list[Any]:
    """The torque at the start [N m, body] of loads that are all simple."""
    total = vector((0.0, 0.0, 0.0))
    for load in problem.loads:
        force, point = force_in_body(problem, load)
        if type(load) is GuidedSpring:
            pull = -many(load.stiffness) * dot(force, point)
            force = [pull * component for component in force]
        total = [sum_ + more for sum_, more in zip(total, cross(point, force), strict=True)]
    return total


@dataclass(frozen=True)
class Field:
    """V = up . A moment: `up` is a unit vector of space, `moment` [N m] belongs to the body."""

    up: list[Any]
    moment: list[Any]

    @property
    def idle(self) -> bool:
        """Whether there is no moment at all."""
        return not any(self.moment)


def field_of(problem: Problem) -> Field | None:
    """All loads as one force at one point; None where they cannot be one."""
    pairs = [force_and_point(load) for load in problem.loads]
    found = [pair for pair in pairs if pair is not None]
    if len(found) < len(pairs):
        return None
    if not found:
        return Field(vector((0.0, 0.0, 1.0)), vector((0.0, 0.0, 0.0)))
    along = _along([force for force, _ in found])
    if along is not None:
        up = [-component for component in along]
        weights = [-dot(force, up) for force, _ in found]
        points = [point for _, point in found]
        return Field(up, [dot(weights, [point[i] for point in points]) for i in range(3)])
    along = _along([point for _, point in found])
    if along is None:
        return None
    arms = [dot(point, along) for _, point in found]
    total = [-dot(arms, [force[i] for force, _ in found]) for i in range(3)]
    size = context().sqrt(dot(total, total))
    if size < NOTHING * sum(abs(arm) for arm in arms):
        return Field(vector((0.0, 0.0, 1.0)), vector((0.0, 0.0, 0.0)))
    return Field([component / size for component in total], [size * component for component in along])


def _along(vectors: Sequence[list[Any]]) -> list[Any] | None:
    """The direction that all vectors have, one way or the other; None where they have none in common."""
    sizes = [context().sqrt(dot(v, v)) for v in vectors]
    first = [component / sizes[0] for component in vectors[0]]
    for v, size in zip(vectors, sizes, strict=True):
        off = cross(first, v)
        if dot(off, off) > (ROUNDING * size) ** 2:
            return None
    return first
