"""A thing in the 3D view."""

from quatviz.display.scene.items.stem import Stem


class SecondStem(Stem):
    """As the line from the pivot, and hidden at first."""

    name = "second_stem"
    title = "Line from outside"
    visible_by_default = False
