"""3D item that draws the force of the pivot on the body."""

from quatviz.display.scene.arrows import VectorItem


class PivotForceArrow(VectorItem):
    """Force F of the pivot on the body, in space, drawn at the pivot. It is hidden for a body without a pivot."""

    name = "pivot_force"
    title = "Force of the pivot F"
    summary = "orange arrow; for a body about a pivot whose mass and center of mass are given"
    symbol = "F"
    order = 55
    visible_by_default = False
