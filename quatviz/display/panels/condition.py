"""How well conditioned the equations are that each form solves at every step."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.physics.formulations import formulation_class


class Condition(TimePanel):
    name = "condition"
    title = "Condition number"
    summary = "of the matrix that a step solves with"
    order = 80
    supports_difference = False
    strips = (Strip("condition", scale="log", weight=2.0),)
    note = "system of a step, 1-norm"

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Only where lanes have a free moment of inertia, which changes little else: elsewhere a person asks."""
        return any(formulation_class(name).has_free_inertia for name in info.formulations)
