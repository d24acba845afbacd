"""A commutator-free Lie-group method of order four, which advances the attitude by exponentials of body rates."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._group import require_group_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.lie_rk4.kernel import LieRK4Method


class LieRK4(Integrator):
    """A commutator-free Lie-group method: four evaluations and five exponentials per step, error of order dt^4.

    The attitude is multiplied by unit quaternions and never added to, so that |p| stays 1 to rounding. omega or h
    is advanced as by `rk4`. The formulation `lie_group` makes other integrators respect the group by coordinates of
    its own; this method needs neither such coordinates nor the inverse of the exponential's derivative.
    """

    name = "lie_rk4"
    title = "Lie-group Runge–Kutta 4"
    source = "Celledoni, Marthinsen, Owren 2003 (CF4); Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8"
    order = 4
    sort_order = 100
    measured = (Performance(131, 193, ("2.0e-12", "7.7e-13", "2.4e-11")),)
    preserves = ("|p|",)
    stabilisations = ("none",)
    stabilised_by = "it keeps |p| = 1 by construction"

    def method(self, formulation: Formulation) -> LieRK4Method:
        require_group_state(formulation)
        return LieRK4Method()
