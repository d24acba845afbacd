"""The angular momentum."""

from quatviz.display.scene.arrows import VectorItem


class MomentumArrow(VectorItem):
    """h = J omega in space. It is constant without torque."""

    name = "h"
    title = "Angular momentum h"
    summary = "magenta arrow, purple in the light and projector themes"
    symbol = "h"
    order = 50
