"""The fundamental equation of constrained motion, evaluated numerically."""

from quatviz.base.class_metadata import Performance
from quatviz.physics.formulations._free_inertia import FreeInertiaForm
from quatviz.physics.formulations._lagrange import (
    LAGRANGE_LOAD_FORMS,
    LOAD_FORM_SUMMARIES,
    LOAD_MULTIPLIER_TERMS,
)
from quatviz.physics.formulations.udwadia_schutte_fundamental.kernel import (
    KERNELS,
    FundamentalParameters,
)


class UdwadiaSchutteFundamental(FreeInertiaForm):
    """The fundamental equation of constrained motion, evaluated numerically for any J0 > 0.

    First the acceleration of four independent components is computed, then the contribution of the constraint force is
    added. J0 affects det M_u and the acceleration off the sphere, not the motion on it. For the load form `torque` the
    constraint force is -4T u; an unprojected load, S4(12), adds its component along u. State (u, u'), 8; regular for
    J0 > 0, and most accurate for a J0 close to the body's own moments, whose mean is the default.
    """

    name = "udwadia_schutte_fundamental"
    title = "Udwadia–Schutte, fundamental equation"
    family = "Udwadia–Schutte"
    summary = "Fundamental equation evaluated numerically, with any J₀ > 0"
    source = "S4(12, 18, 43-45)"
    sort_order = 80
    measured = (Performance(470, 490, ("1.3e-10", "1.6e-10", "1.6e-09")),)
    variants = LAGRANGE_LOAD_FORMS
    variant_summaries = LOAD_FORM_SUMMARIES
    parameter_type = FundamentalParameters
    supports_rotors = True
    kernels = KERNELS

    @property
    def load_form(self) -> str:  # type: ignore[override]
        return self.variant

    @property
    def multiplier_terms(self) -> tuple[str, ...]:
        return ("4T", *LOAD_MULTIPLIER_TERMS[self.variant])
