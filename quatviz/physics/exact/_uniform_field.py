"""Loads whose forces are constant in space, such as gravity, and the equivalent single force."""

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
    """Return the force f [N, space] and its body point u [m, body] if f is constant in space, or None for other
    loads."""
    constant = None if load.timed else load.constant
    if constant is None or constant.frame != "space" or constant.point is None:
        return None
    return to_multiprecision_vector(constant.vector), to_multiprecision_vector(constant.point)


def is_simple(load: Load) -> bool:
    """Return True if a load is a constant force or a guided spring."""
    return (type(load) is GuidedSpring and not load.timed) or force_and_point(load) is not None


def force_in_body(problem: ExactProblem, load: Load) -> tuple[list[Any], list[Any]]:
    """Return the vector of a load and the body point [m] at which it acts, both in body components at t = 0.

    The vector is the force [N] of a load that is constant in space, or the direction of a guided spring.
    """
    if type(load) is GuidedSpring:
        return problem.to_body(to_multiprecision_vector(load.direction)), to_multiprecision_vector(load.point)
    pair = force_and_point(load)
    assert pair is not None
    return problem.to_body(pair[0]), pair[1]


def initial_torque(problem: ExactProblem) -> list[Any]:
    """Return the torque at t = 0 [N m, body] of loads that all satisfy `is_simple`."""
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
    """A potential V = up . (A moment), where `up` (3) is a unit vector fixed in space, and `moment` (3) [N m] is
    fixed in the body."""

    up: list[Any]
    moment: list[Any]

    @property
    def is_zero(self) -> bool:
        """True if the moment is zero."""
        return not any(self.moment)


def find_uniform_field(problem: ExactProblem) -> UniformField | None:
    """Return the uniform field that is equivalent to all loads, or None if there is none."""
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
    """Return a unit vector that is parallel or antiparallel to each of the vectors, or None if there is none."""
    sizes = [context().sqrt(dot(v, v)) for v in vectors]
    first = [component / sizes[0] for component in vectors[0]]
    for v, size in zip(vectors, sizes, strict=True):
        cross_product = cross(first, v)
        if dot(cross_product, cross_product) > (SYMMETRY_TOLERANCE * size) ** 2:
            return None
    return first
