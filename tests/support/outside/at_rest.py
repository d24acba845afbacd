"""Closed form of a body at rest without loads."""

from collections.abc import Mapping, Sequence

import numpy as np

from quatviz.base.errors import phrase
from quatviz.physics.exact.base import ExactProblem, ExactSolution
from quatviz.physics.loads.base import Load
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.initial import Initial


class AtRest(ExactSolution):
    """Solution with constant p."""

    name = "at_rest"
    title = "rest from outside"
    needs = "neither rotation nor loads"
    source = "Newton"
    order = 1
    functions = "constants"

    @classmethod
    def samples(cls) -> Mapping[str, tuple[Body, Initial, Sequence[Load]]]:
        return {
            "rest": (
                Body(inertia=[1.0, 2.0, 3.0]),
                Initial(euler_parameters=[0.6, 0.0, 0.8, 0.0], angular_velocity=[0.0, 0.0, 0.0]),
                (),
            )
        }

    @classmethod
    def unsupported_reason(cls, problem: ExactProblem) -> str:
        return phrase("the body rotates or has loads") if problem.loads or problem.omega.any() else ""

    def __init__(self, problem: ExactProblem) -> None:
        self._p = problem.p

    def evaluate(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.tile(self._p, (len(t), 1)), np.zeros((len(t), 3))
