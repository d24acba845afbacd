"""The torque of the loads."""

from quatviz.ui.scene.vector_item import VectorItem


class TorqueArrow(VectorItem):
    """n in space, of all loads about the fixed point: h' = n. Nothing where no load acts."""

    name = "torque"
    title = "Torque of the loads n"
    symbol = "n"
    order = 52
