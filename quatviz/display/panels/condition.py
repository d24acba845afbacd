"""How well conditioned the equations are that each form solves at every step."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.physics.formulations import kind_of


class Condition(TimePanel):
    name = "condition"
    title = "Condition number"
    told = "of the matrix that a step solves with"
    order = 80
    compares = False
    strips = (Strip("condition", scale="log", weight=2.0),)
    note = "system of a step, 1-norm"

    @classmethod
    def concerns(cls, info: RunInfo) -> bool:
        """Only where lanes have a free moment of inertia, which changes little else: elsewhere a person asks."""
        return any(kind_of(name).free_inertia for name in info.formulations)
