"""The angular momentum."""

from quatviz.ui.scene.vector_item import VectorItem


class MomentumArrow(VectorItem):
    """h = J omega in space; it stands still where no torque acts."""

    name = "h"
    title = "Angular momentum h"
    symbol = "h"
    order = 50
