"""3D item that draws the torque of the loads."""

from quatviz.display.scene.arrows import VectorItem


class TorqueArrow(VectorItem):
    """Total torque n of all loads about the fixed point, in space: h' = n. It is hidden if no load acts."""

    name = "torque"
    title = "Torque of the loads n"
    summary = "cyan arrow, teal in the light and projector themes"
    symbol = "n"
    order = 52
