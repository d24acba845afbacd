"""The ring damper as printed in the document, without the reactions of two of its constraints."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._ring import RingForm
from quatviz.physics.formulations.ring_damper_as_printed.kernel import KERNELS, AsPrintedParameters


class RingDamperAsPrinted(RingForm):
    """Equations with the energies and constraints of `ring_damper` but without the reactions about u and v, for
    comparison with `ring_damper`.

    Without damping the energy decreases and the angular momentum varies; with damping the energy increases. State
    (omega, p, beta, omega_m3), 9; no singularity.
    """

    name = "ring_damper_as_printed"
    title = "Ring damper, as printed"
    family = "Ring damper"
    summary = "Rotor with a ring of mercury, as the paper prints it"
    source = "S3(63-68)"
    sort_order = 170
    measured = (Performance(None, 140, ("", "", "another motion")),)
    yields_motion = False
    parameter_type = AsPrintedParameters
    kernels = KERNELS
