"""The implicit midpoint rule, which is symmetric and symplectic and preserves every quadratic invariant."""

import numpy as np

from quatviz.base.class_metadata import Performance
from quatviz.base.errors import phrase
from quatviz.physics.formulations.base import Formulation
from quatviz.physics.integrators.base import Integrator
from quatviz.physics.integrators.implicit_midpoint.kernel import ImplicitMidpointMethod


class ImplicitMidpoint(Integrator):
    """The implicit midpoint rule: one stage, error of order dt^2.

    It preserves every quadratic invariant of the state to 1e-14 and better over a million steps. In the
    formulations `newton_euler` and `hamilton` these are |p|, T and |h| without torque, and under gravity the
    energy, whose V is quadratic in p. The method remains stable at steps at which explicit methods diverge: the
    invariants are then correct, but the phase is wrong. It is solved to the last bits by fixed-point sweeps, or by
    Newton's method where these do not converge.
    """

    name = "implicit_midpoint"
    title = "Implicit midpoint"
    source = "Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3, IV.2.1, VIII.5, VIII.6"
    order = 2
    sort_order = 80
    measured = (Performance(193, 424, ("1.9e-05", "6.2e-06", "2.6e-04")),)
    preserves = ("|p|", "T and |h| without torque", "energy under gravity")

    def method(self, formulation: Formulation) -> ImplicitMidpointMethod:
        length = len(formulation.component_names)
        return ImplicitMidpointMethod(np.full((3, length), np.nan), np.zeros((length + 1, length)))

    def explain_failure(self) -> str:
        return phrase(
            "the implicit midpoint rule's Newton iteration found no midpoint: the step is too long for this motion. Try a "
            "smaller dt"
        )
