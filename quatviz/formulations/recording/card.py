"""The card of a recording: the equation that attitude and angular velocity fulfil in whatever motion."""

from quatviz.cards.equation import Equation
from quatviz.cards.terms import KINEMATICS


def equations(variant: str) -> tuple[Equation, ...]:
    return (KINEMATICS,)
