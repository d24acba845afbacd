"""Separatrix of a free body, between rotation about the axis of largest and of smallest moment."""

from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.analysis.sweeps.stability import separatrix
from quatviz.files.preset import Preset
from quatviz.physics.mechanics.body import principal_axes


class Separatrix(Boundary):
    """Boundary 2 T J2 = |h|^2, with the intermediate moment J2. On it, motions approach or leave the unstable
    spin about the intermediate axis."""

    name = "separatrix"
    title = "Separatrix"
    source = "Poinsot 1834; Landau and Lifshitz, Mechanics, 37"
    measures = ("flips", "first_flip", "period", "rotation_number", "lyapunov_exponent")

    @classmethod
    def applies_to(cls, preset: Preset) -> bool:
        is_loaded = any(not load.is_zero or load.timed for load in preset.loads)
        return not is_loaded and not preset.body.has_inner_motion and not preset.events

    @classmethod
    def value(cls, preset: Preset) -> float:
        moments, axes = principal_axes(preset.body.inertia)
        return float(separatrix(moments, axes.T @ preset.initial.omega(preset.body)))
