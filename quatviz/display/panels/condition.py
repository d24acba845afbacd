"""Panel of the condition number of the linear system that each formulation solves in every step."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.physics.formulations import formulation_class


class Condition(TimePanel):
    name = "condition"
    title = "Condition number"
    summary = "of the linear system that is solved in each step"
    order = 80
    supports_difference = False
    strips = (Strip("condition", scale="log", weight=2.0),)
    note = "linear system of a step, 1-norm"

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return True if a lane's formulation has a freely chosen inertia J0, on which the condition
        number depends most."""
        return any(formulation_class(name).has_free_inertia for name in info.formulations)
