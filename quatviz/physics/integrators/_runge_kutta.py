"""Base class of the explicit Runge-Kutta methods, which are given by a tableau. This module defines no integrator."""

from typing import ClassVar

from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators.base import Integrator


class ExplicitRungeKutta(Integrator):
    """A method that is defined by its tableau. A subclass defines `tableau` in addition to the usual attributes."""

    tableau: ClassVar[ButcherTableau]

    def method(self, formulation: Formulation) -> ButcherTableau:
        return self.tableau
