"""Energy, where it is not a constant whose drift says it all: what a motor brings in and friction takes."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip


class Energy(TimePanel):
    name = "energy"
    title = "Energy"
    summary = "kinetic, potential, total"
    order = 36
    strips = (Strip("energy", weight=2.0),)

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return "energy_drift" not in info.constants
