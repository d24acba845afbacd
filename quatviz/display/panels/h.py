"""Panel of the angular momentum in the body or space frame."""

from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips
from quatviz.display.view_state.choices import frame_choice


class AngularMomentum(TimePanel):
    name = "h"
    title = "Angular momentum"
    summary = "$h$, body or space components"
    unit = "kg m²/s"
    order = 40
    choice = frame_choice("h_frame")
    emblem = ("h", "h")

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips("h" if option == "body" else "h_space")

    def note_of(self, option: str, info: RunInfo) -> str:
        """Return the note "of body and rotors" if the body has rotors, whose momenta are part of h; ""
        without rotors."""
        return tr("of body and rotors") if info.body.rotors else ""
