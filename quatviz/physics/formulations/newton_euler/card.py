"""The card of the Newton-Euler equations."""

from quatviz.physics.equations.equation import Equation
from quatviz.physics.equations.shared_terms import KINEMATICS, MOMENTUM


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
