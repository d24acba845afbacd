"""A boundary: an initial angular velocity of 1 rad/s."""

from quatviz.analysis.sweeps.boundaries.base import Boundary
from quatviz.files.preset import Preset


class HalfSpeed(Boundary):
    name = "half_speed"
    title = "One radian per second"
    source = "a package from outside"
    measures = ("fastest",)

    @classmethod
    def applies_to(cls, preset: Preset) -> bool:
        return True

    @classmethod
    def value(cls, preset: Preset) -> float:
        omega = preset.initial.omega(preset.body)
        return float(omega @ omega) - 1.0
