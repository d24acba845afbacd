"""Panel of kinetic, potential and total energy: work of motors, losses by friction, and the exchange of T and V."""

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
        """Return strips for T, V and E, or only for E if no load has a potential, since then E = T."""
        if info.body.ring is None and not any(load.has_potential for load in info.loads):
            return (Strip("energy", label="E = T", weight=2.0),)
        return (Strip("kinetic"), Strip("potential"), Strip("energy"))

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return "energy_drift" not in info.constants
