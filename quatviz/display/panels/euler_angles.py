"""The orientation in the angles of one of the twelve sequences, with every jump marked by its cause."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, components
from quatviz.display.view_state.choices import SEQUENCE, TURNS


class EulerAngles(TimePanel):
    name = "euler_angles"
    title = "Euler angles"
    told = "any of the twelve sequences"
    unit = "deg"
    order = 20
    choice = SEQUENCE
    form = TURNS

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return components(f"angles_{option}", scale="degrees")
