"""Loads whose force is constant in space: gravity, and forces that keep their direction, as one force at one point."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quatviz.physics.exact._multiprecision import (
    ROUNDING_LIMIT,
    context,
    cross,
    dot,
    to_multiprecision,
    to_multiprecision_vector,
)
from quatviz.physics.exact.base import SYMMETRY_TOLERANCE, ExactProblem
from quatviz.physics.loads.base import Load
from quatviz.physics.loads.guided_spring import GuidedSpring


def force_and_point(load: Load) -> tuple[list[Any], list[Any]] | None:
    """f [N, space] and u [m, body] of a load whose force is constant in space; None for every other load."""
    constant = None if load.timed else load.constant
    if constant is None or constant.frame != "space" or constant.point is None:
        return None
    return to_multiprecision_vector(constant.vector), to_multiprecision_vector(constant.point)


def is_simple(load: Load) -> bool:
    """Whether a load is a constant force or a guided spring."""
    return (type(load) is GuidedSpring and not load.timed) or force_and_point(load) is not None


def force_in_body(problem: ExactProblem, load: Load) -> tuple[list[Any], list[Any]]:
    """A constant force [N], or a guided spring's direction, and its point [m], in body components at the start."""
    if type(load) is GuidedSpring:
        return problem.to_body(to_multiprecision_vector(load.direction)), to_multiprecision_vector(load.point)
    pair = force_and_point(load)
    assert pair is not None
    return problem.to_body(pair[0]), pair[1]


def initial_torque(problem: ExactProblem) -> list[Any]:
    """The torque at the start [N m, body] of loads that are all simple."""
    total = to_multiprecision_vector((0.0, 0.0, 0.0))
    for load in problem.loads:
        force, point = force_in_body(problem, load)
        if type(load) is GuidedSpring:
            spring_force = -to_multiprecision(load.stiffness) * dot(force, point)
            force = [spring_force * component for component in force]
        total = [sum_ + addend for sum_, addend in zip(total, cross(point, force), strict=True)]
    return total


@dataclass(frozen=True)
class UniformField:
    """V = up . A moment: `up` is a unit vector of space, `moment` [N m] belongs to the body."""

    up: list[Any]
    moment: list[Any]

    @property
    def is_zero(self) -> bool:
        """Whether there is no moment at all."""
        return not any(self.moment)


def find_uniform_field(problem: ExactProblem) -> UniformField | None:
    """All loads as one force at one point; None where they cannot be one."""
    pairs = [force_and_point(load) for load in problem.loads]
    constant_forces = [pair for pair in pairs if pair is not None]
    if len(constant_forces) < len(pairs):
        return None
    if not constant_forces:
        return UniformField(
            to_multiprecision_vector((0.0, 0.0, 1.0)), to_multiprecision_vector((0.0, 0.0, 0.0))
        )
    direction = _common_direction([force for force, _ in constant_forces])
    if direction is not None:
        up = [-component for component in direction]
        weights = [-dot(force, up) for force, _ in constant_forces]
        points = [point for _, point in constant_forces]
        return UniformField(up, [dot(weights, [point[i] for point in points]) for i in range(3)])
    direction = _common_direction([point for _, point in constant_forces])
    if direction is None:
        return None
    arms = [dot(point, direction) for _, point in constant_forces]
    total = [-dot(arms, [force[i] for force, _ in constant_forces]) for i in range(3)]
    size = context().sqrt(dot(total, total))
    if size < ROUNDING_LIMIT * sum(abs(arm) for arm in arms):
        return UniformField(
            to_multiprecision_vector((0.0, 0.0, 1.0)), to_multiprecision_vector((0.0, 0.0, 0.0))
        )
    return UniformField(
        [component / size for component in total], [size * component for component in direction]
    )


def _common_direction(vectors: Sequence[list[Any]]) -> list[Any] | None:
    """The direction that all vectors have, one way or the other; None where they have none in common."""
    sizes = [context().sqrt(dot(v, v)) for v in vectors]
    first = [component / sizes[0] for component in vectors[0]]
    for v, size in zip(vectors, sizes, strict=True):
        cross_product = cross(first, v)
        if dot(cross_product, cross_product) > (SYMMETRY_TOLERANCE * size) ** 2:
            return None
    return first
