"""Equation card of the exact solution: the equations that it satisfies."""

from quatviz.physics.equations.equation import Equation
from quatviz.physics.equations.shared_terms import KINEMATICS, MOMENTUM


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
