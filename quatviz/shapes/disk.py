"""A flat disk about z."""

from quatviz.shapes.cylinder import Cylinder


class Disk(Cylinder):
    name = "disk"
    title = "Disk"
    natural = (1.0, 1.0, 0.06)
