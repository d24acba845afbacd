"""The card of Newton and Euler."""

from quatviz.cards.equation import Equation
from quatviz.cards.terms import KINEMATICS, MOMENTUM


def equations(variant: str) -> tuple[Equation, ...]:
    return MOMENTUM, KINEMATICS
