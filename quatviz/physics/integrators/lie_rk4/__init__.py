"""A commutator-free Lie-group method of order four: the attitude moves along exponentials of body rates."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators._group import require_group_state
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.lie_rk4.kernel import LieRK4Method


class LieRK4(Integrator):
    """Four evaluations and five exponentials per step, error of order dt^4. The attitude is multiplied by unit
    quaternions and never added to, so that |p| stays 1 but for rounding; omega or h is advanced as by `rk4`. Unlike the
    formulation `lie_group`, which brings the group to any integrator by coordinates of its own, it needs no chart
    and no inverse of the exponential's derivative."""

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
