"""Equation card of the Newton-Euler equations: the equations, divided into terms whose values are displayed."""

from quatviz.physics.equations.equation import Equation
from quatviz.physics.equations.shared_terms import KINEMATICS, MOMENTUM


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
