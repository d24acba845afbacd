"""How well conditioned the equations are that each form solves at every step."""

from quatviz.formulations import FORMULATIONS
from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.strip import Strip
from quatviz.ui.plotting.time_panel import TimePanel


class Condition(TimePanel):
    name = "condition"
    title = "Condition number"
    order = 80
    compares = False
    strips = (Strip("condition", scale="log", weight=2.0),)
    note = "system of a step, 1-norm"

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """Only where lanes have a free moment of inertia, which changes little else: elsewhere a person asks."""
        return any(FORMULATIONS[name.partition("/")[0]].free_inertia for name in info.formulations)
