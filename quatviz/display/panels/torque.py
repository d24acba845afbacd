"""Panel of the torque of all loads in the body or space frame."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips
from quatviz.display.view_state.choices import frame_choice


class TorquePanel(TimePanel):
    """Total torque n of all loads."""

    name = "torque"
    title = "Torque of the loads"
    summary = "$n$ of all loads together, body or space components; hidden by default"
    unit = "N m"
    order = 45
    choice = frame_choice("torque_frame")
    emblem = ("n", "torque")

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips("torque" if option == "body" else "torque_space")

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return False: the panel is shown only if the user or a preset asks for it."""
        return False
