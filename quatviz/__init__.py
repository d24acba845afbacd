"""quatviz: rigid-body rotation, seen through every way of writing its equations of motion."""

__version__ = "0.1.0"
