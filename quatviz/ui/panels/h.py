"""Angular momentum in the body or the space frame."""

from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.choices import frame_choice
from quatviz.ui.plotting.strip import Strip, components
from quatviz.ui.plotting.time_panel import TimePanel


class AngularMomentum(TimePanel):
    name = "h"
    title = "Angular momentum"
    order = 40
    choice = frame_choice("h_frame")
    emblem = ("h", "h")

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return components("h" if option == "body" else "h_space")
