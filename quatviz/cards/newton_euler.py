"""The card of Newton and Euler."""

from quatviz.cards._terms import KINEMATICS, MOMENTUM
from quatviz.cards.base import Card, Equation


class NewtonEulerCard(Card):
    name = "newton_euler"

    def equations(self, variant: str) -> tuple[Equation, ...]:
        return MOMENTUM, KINEMATICS
