"""Energy, where it is not a constant whose drift says it all: what a motor brings in and friction takes."""

from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.strip import Strip
from quatviz.ui.plotting.time_panel import TimePanel


class Energy(TimePanel):
    name = "energy"
    title = "Energy"
    order = 36
    strips = (Strip("energy"),)

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        return "energy_drift" not in info.constants
