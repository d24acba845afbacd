"""The angular velocity."""

from quatviz.ui.scene.vector_item import VectorItem


class OmegaArrow(VectorItem):
    """omega in space; the body turns about it at this instant."""

    name = "omega"
    title = "Angular velocity ω"
    symbol = "ω"
    order = 40
