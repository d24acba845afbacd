"""The energy of a run that does not keep it; where one does, its drift says more."""

from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.strip import Strip
from quatviz.ui.plotting.time_panel import TimePanel


class Energy(TimePanel):
    name = "energy"
    title = "Energy"
    order = 65
    strips = (Strip("energy", weight=1.5),)
    note = "kinetic and potential"

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        return "energy_drift" not in info.constants
