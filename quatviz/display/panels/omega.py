"""Panel of the angular velocity in the body or space frame."""

from quatviz.base.translation import tr
from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips
from quatviz.display.view_state.choices import frame_choice


class Omega(TimePanel):
    name = "omega"
    title = "Angular velocity"
    summary = r"$\omega$, body or space components"
    unit = "rad/s"
    order = 30
    choice = frame_choice("omega_frame")
    emblem = ("ω", "omega")

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips("omega" if option == "body" else "omega_space")

    def note_of(self, option: str, info: RunInfo) -> str:
        """Return the note "of the body" if the body has rotors, whose speeds are not part of omega; ""
        without rotors."""
        return tr("of the body") if info.body.rotors else ""
