"""The force of the pivot."""

from quatviz.display.scene.arrows import VectorItem


class PivotForceArrow(VectorItem):
    """F with which the pivot holds the body, in space, from the pivot. Nothing for a body without one."""

    name = "pivot_force"
    title = "Force of the pivot F"
    summary = "orange arrow; for a body about a pivot whose mass and center of mass are given"
    symbol = "F"
    order = 55
    visible_by_default = False
