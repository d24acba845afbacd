"""Angular velocity in the body or the space frame."""

from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.choices import frame_choice
from quatviz.ui.plotting.strip import Strip, components
from quatviz.ui.plotting.time_panel import TimePanel


class Omega(TimePanel):
    name = "omega"
    title = "Angular velocity"
    order = 30
    choice = frame_choice("omega_frame")
    emblem = ("ω", "omega")

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return components("omega" if option == "body" else "omega_space")
