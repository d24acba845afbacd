"""The torque of the loads."""

from quatviz.display.scene.arrows import VectorItem


class TorqueArrow(VectorItem):
    """n in space, of all loads about the fixed point: h' = n. Nothing where no load acts."""

    name = "torque"
    title = "Torque of the loads n"
    summary = "cyan arrow, teal in the light and projector themes"
    symbol = "n"
    order = 52
