"""The card of a recording: the equation that attitude and angular velocity fulfil in whatever motion."""

from quatviz.physics.equations.equation import Equation
from quatviz.physics.equations.shared_terms import KINEMATICS


def equations(variant: str) -> tuple[Equation, ...]:
    return (KINEMATICS,)
