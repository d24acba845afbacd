"""Boundary in maps: stability of an upright spinning top."""

from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.stability import sleeping_top
from quatviz.files.preset import Preset
from quatviz.physics.loads.gravity import Gravity

_MIN_UPRIGHT_COSINE = 0.999
"""Cosine of the largest angle from the vertical at which a top counts as upright."""


class SleepingTop(Boundary):
    """Boundary J3^2 omega3^2 = 4 J1 W l of a symmetric top whose weight W acts at height l above the pivot.
    If the left side is larger, the upright spin is stable."""

    name = "sleeping_top"
    title = "J₃² ω₃² = 4 J₁ W l"
    source = "Goldstein, Classical Mechanics, 5.7"
    measures = ("nutation", "lyapunov_exponent")

    @classmethod
    def applies_to(cls, preset: Preset) -> bool:
        e0, e1, e2, e3 = preset.initial.p()
        upright = e0 * e0 - e1 * e1 - e2 * e2 + e3 * e3 > _MIN_UPRIGHT_COSINE
        return bool(upright and len(preset.loads) == 1 and _is_symmetric_top(preset) and not preset.events)

    @classmethod
    def value(cls, preset: Preset) -> float:
        (load,) = preset.loads
        assert isinstance(load, Gravity)
        J, spin = preset.body.inertia, preset.initial.omega(preset.body)[2]
        return float(sleeping_top(J[0, 0], J[2, 2], spin, load.weight * load.centre[2]))


def _is_symmetric_top(preset: Preset) -> bool:
    """Return True if the only load is a weight on the third axis, which is the symmetry axis."""
    (load,), J = preset.loads, preset.body.inertia
    if not isinstance(load, Gravity) or load.timed or preset.body.has_inner_motion:
        return False
    asymmetries = [J[0, 1], J[0, 2], J[1, 2], J[0, 0] - J[1, 1], *load.centre[:2]]
    return not any(asymmetries)
