"""The card of the exact solution: the equations that it fulfils."""

from quatviz.cards._terms import KINEMATICS, MOMENTUM
from quatviz.cards.base import Card, Equation


class ExactCard(Card):
    name = "exact"

    def equations(self, variant: str) -> tuple[Equation, ...]:
        return MOMENTUM, KINEMATICS
