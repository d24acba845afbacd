"""Base class of the integration rules of game engines. This module defines no integrator."""

from typing import ClassVar

from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._kernels.engine import EngineMethod
from quatviz.physics.integrators._momentum import empty_memory, require_momentum_state
from quatviz.physics.integrators.base import Integrator


class EngineRule(Integrator):
    """Base class of the integration rules of game engines.

    The rules differ in how they apply the gyroscopic term. After that, all make the same semi-implicit step.
    """

    rule: ClassVar[int]
    order = 1
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"

    def method(self, formulation: Formulation) -> EngineMethod:
        require_momentum_state(formulation)
        return EngineMethod(self.rule, empty_memory(formulation))
