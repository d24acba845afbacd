"""Equation card of a lane that shows a recording. It has the kinematic equation, which holds for every motion."""

from quatviz.physics.equations.equation import Equation
from quatviz.physics.equations.shared_terms import KINEMATICS


def equations(variant: str) -> tuple[Equation, ...]:
    return (KINEMATICS,)
