"""Kinetic, potential and total energy: what a motor brings in and friction takes, and how T and V exchange."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip


class Energy(TimePanel):
    name = "energy"
    title = "Energy"
    summary = "kinetic, potential, total"
    unit = "J"
    order = 36

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        """T, V and E; E alone where no load has a potential, for then it equals T."""
        if info.body.ring is None and not any(load.has_potential for load in info.loads):
            return (Strip("energy", label="E = T", weight=2.0),)
        return (Strip("kinetic"), Strip("potential"), Strip("energy"))

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return "energy_drift" not in info.constants
