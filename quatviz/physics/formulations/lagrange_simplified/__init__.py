"""The d'Alembert-Lagrange equations with the simplified gyroscopic term: one product less, and an additional 4T in
lambda."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._lagrange import LagrangeForm
from quatviz.physics.formulations.lagrange_simplified.kernel import (
    KERNELS,
    LagrangeSimplifiedParameters,
)


class LagrangeSimplified(LagrangeForm):
    """Lagrange's equations of the Euler parameters with a gyroscopic term of lower degree in p than in `lagrange_full`.

    The motion is the same; lambda includes four times the kinetic energy in addition to the contribution of the load
    form. |p| drifts as the help describes under *Drift off the sphere*. State (p, p'), 8; no singularity.
    """

    name = "lagrange_simplified"
    title = "Lagrange, simplified"
    family = "Lagrange, Euler parameters"
    summary = "Lagrange's equations with a shorter gyroscopic term; λ then contains 4T"
    source = "S0(29, 39, 40)"
    sort_order = 50
    measured = (
        Performance(120, 155, ("2.2e-11", "9.7e-13", "2.2e-09"), "closed"),
        Performance(454, 431, ("7.5e-11", "2.7e-10", "1.8e-09"), "augmented"),
    )
    parameter_type = LagrangeSimplifiedParameters
    supports_rotors = True
    kernels = KERNELS
    gyroscopic_terms = ("4T",)
