"""Udwadia and Schutte's intermediate result: the equations before the constraint is imposed."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._free_inertia import FreeInertiaForm
from quatviz.physics.formulations.udwadia_schutte_unconstrained.kernel import KERNELS, UnconstrainedParameters


class UdwadiaSchutteUnconstrained(FreeInertiaForm):
    """Equations that do not describe the motion of the body, since nothing keeps |u| = 1. They show the effect of the
    constraint.

    Soon after a start on the sphere, |u|^2 - 1 is T t^2 / J0. Later, without torque, |u| grows like t^(1/4), and u/|u|
    turns ever more slowly. State (u, u'), 8; regular for J0 > 0.
    """

    name = "udwadia_schutte_unconstrained"
    title = "Udwadia–Schutte, unconstrained"
    family = "Udwadia–Schutte"
    summary = "Equations before the constraint is imposed: not the motion of the body"
    source = "S4(10)"
    sort_order = 90
    measured = (Performance(320, 323, ("another motion", "another motion", "another motion")),)
    yields_motion = False
    stabilisations = ("none",)
    parameter_type = UnconstrainedParameters
    kernels = KERNELS
