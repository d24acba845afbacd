"""Udwadia and Schutte's quaternion equations in closed form."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._rates import RateForm
from quatviz.physics.formulations.udwadia_schutte.kernel import (
    KERNELS,
    UdwadiaSchutteParameters,
)


class UdwadiaSchutte(RateForm):
    """The fundamental equation of constrained motion in closed form. The arbitrary J0 and the multiplier cancel and do
    not appear in it.

    An error of |u| oscillates at |omega|/sqrt 2 and stays bounded. State (u, u'), 8; no singularity.
    """

    name = "udwadia_schutte"
    title = "Udwadia–Schutte, closed"
    family = "Udwadia–Schutte"
    summary = "Fundamental equation of constrained motion, solved in closed form"
    source = "S4(42)"
    sort_order = 70
    measured = (Performance(108, 119, ("1.9e-11", "2.1e-12", "1.5e-09")),)
    parameter_type = UdwadiaSchutteParameters
    supports_rotors = True
    kernels = KERNELS
