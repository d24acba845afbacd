"""An item of the 3D view."""

from quatviz.display.scene.items.stem import Stem


class SecondStem(Stem):
    """Line from the pivot, hidden by default."""

    name = "second_stem"
    title = "Line from outside"
    visible_by_default = False
