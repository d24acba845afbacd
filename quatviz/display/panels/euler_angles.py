"""Panel of the attitude in Euler angles of one of the twelve sequences, with a marked cause for each jump."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips
from quatviz.display.view_state.choices import ANGLE_RANGE_CHOICE, SEQUENCE_CHOICE


class EulerAnglesPanel(TimePanel):
    name = "euler_angles"
    title = "Euler angles"
    summary = "any of the twelve sequences"
    unit = "deg"
    order = 20
    choice = SEQUENCE_CHOICE
    form = ANGLE_RANGE_CHOICE

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips(f"angles_{option}", scale="degrees")
