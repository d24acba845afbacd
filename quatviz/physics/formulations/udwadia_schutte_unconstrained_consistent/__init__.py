"""Lagrange's equations for four independent parameters: eq. S4(10) with its misprint corrected."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._free_inertia import FreeInertiaForm
from quatviz.physics.formulations.udwadia_schutte_unconstrained_consistent.kernel import (
    KERNELS,
    ConsistentUnconstrainedParameters,
)


class UdwadiaSchutteUnconstrainedConsistent(FreeInertiaForm):
    """Equation S4(10) with the additional term -8 J0 (u.u') u' on the left, which the document omits.

    These equations do not describe the motion of the body either, since nothing keeps |u| = 1. With r = |u|^2 and
    without torque, r r'' = 2 T/J0, so that |u| grows like t^(1/2), and the kinetic energy of the four parameters, T
    + 2 J0 (u.u')^2, is conserved. By the printed equations |u| grows like t^(1/4) instead, and this energy
    decreases. State (u, u'), 8; regular for J0 > 0.
    """

    name = "udwadia_schutte_unconstrained_consistent"
    title = "Udwadia–Schutte, unconstrained, consistent"
    family = "Udwadia–Schutte"
    summary = "Equations before the constraint is imposed, with the misprint corrected: not the motion of the body either"
    source = "S4(10), corrected; derived in the help from the kinetic energy S4(4)"
    sort_order = 91
    measured = (Performance(errors=("another motion", "another motion", "another motion")),)
    yields_motion = False
    stabilisations = ("none",)
    parameter_type = ConsistentUnconstrainedParameters
    kernels = KERNELS
