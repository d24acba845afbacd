"""Integrators that are explicit Runge-Kutta methods, given by a tableau. Not an integrator."""

from typing import ClassVar

from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._kernels.runge_kutta import ButcherTableau
from quatviz.physics.integrators.base import Integrator


class ExplicitRungeKutta(Integrator):
    """A method that is its tableau: a subclass gives that beside what every integrator says of itself."""

    tableau: ClassVar[ButcherTableau]

    def method(self, formulation: Formulation) -> ButcherTableau:
        return self.tableau
