"""The orientation in the angles of one of the twelve sequences, with every jump marked by its cause."""

from quatviz.ui.frame import RunInfo
from quatviz.ui.plotting.choices import SEQUENCE, TURNS
from quatviz.ui.plotting.strip import Strip, components
from quatviz.ui.plotting.time_panel import TimePanel


class EulerAngles(TimePanel):
    name = "euler_angles"
    title = "Euler angles"
    order = 20
    choice = SEQUENCE
    form = TURNS

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return components(f"angles_{option}", scale="degrees")
