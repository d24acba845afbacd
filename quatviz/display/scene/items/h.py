"""3D item that draws the angular momentum."""

from quatviz.base.translation import tr
from quatviz.display.scene.arrows import VectorItem


class MomentumArrow(VectorItem):
    """h in space, J omega plus the momenta of rotors. It is constant without torque."""

    name = "h"
    title = "Angular momentum h"
    summary = "magenta arrow, purple in the light and projector themes"
    symbol = "h"
    order = 50

    def legend_symbol(self) -> str:
        return tr("h of body and rotors") if self.source.info.body.rotors else self.symbol
