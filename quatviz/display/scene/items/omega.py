"""3D item that draws the angular velocity."""

from quatviz.display.scene.arrows import VectorItem


class OmegaArrow(VectorItem):
    """omega in space, the instantaneous axis of rotation."""

    name = "omega"
    title = "Angular velocity ω"
    summary = "gold arrow, brown in the light and projector themes"
    symbol = "ω"
    order = 40
