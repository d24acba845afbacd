"""The d'Alembert-Lagrange equations with the full gyroscopic term, which does not contribute to lambda."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._lagrange import LagrangeForm
from quatviz.physics.formulations.lagrange_full.kernel import (
    KERNELS,
    LagrangeFullParameters,
)


class LagrangeFull(LagrangeForm):
    """Lagrange's equations of the Euler parameters with the full gyroscopic term.

    The terms with the mass matrix and the gyroscopic term begin with L^T. Multiplying the equation by p^T therefore
    removes both and leaves lambda = p^T Q. lambda is zero for the load form `torque`, where it measures only the
    accuracy of the linear solve. |p| drifts as the help describes under *Drift off the sphere*. State (p, p'), 8;
    no singularity.
    """

    name = "lagrange_full"
    title = "Lagrange, full"
    family = "Lagrange, Euler parameters"
    summary = "Lagrange's equations of the Euler parameters, with the whole gyroscopic term"
    source = "S0(23, 34, 38)"
    sort_order = 40
    measured = (
        Performance(175, 190, ("1.2e-11", "2.8e-12", "2.4e-09"), "closed"),
        Performance(493, 460, ("5.5e-11", "3.1e-10", "2.6e-09"), "augmented"),
    )
    parameter_type = LagrangeFullParameters
    supports_rotors = True
    kernels = KERNELS
    gyroscopic_terms = ()
