"""The ring damper with all its constraints and their reactions."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._ring import RingForm
from quatviz.physics.formulations.ring_damper.kernel import KERNELS, RingDamperParameters


class RingDamper(RingForm):
    """Rotor and ring, which rotate together about the ring axes u and v. The reactions of these two constraints act on
    both.

    Energy is constant to rounding without damping. With the damping coefficient C_d, the radius R of the ring and its
    rate beta' in the body, it decreases at the rate C_d R^2 beta'^2. The total angular momentum is constant without
    gravity. State (omega, p, beta, omega_m3), 9; no singularity.
    """

    name = "ring_damper"
    title = "Ring damper, consistent"
    family = "Ring damper"
    summary = "Rotor with a ring of mercury, derived with all reactions"
    source = "derived in the help from the energies S3(48-50) and the constraints S3(58, 59)"
    sort_order = 160
    measured = (Performance(None, 275),)
    parameter_type = RingDamperParameters
    kernels = KERNELS
