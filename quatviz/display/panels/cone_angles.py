"""Panel of the angles between the body axes and the angular momentum, such as the cone angle of a decaying spin."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips


class ConeAngles(TimePanel):
    name = "cone_angles"
    title = "Cone angles"
    summary = "between $h$ and each body axis; hidden by default"
    unit = "deg"
    order = 47

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips("cone_angles", scale="degrees")

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return False: the panel is shown only if the user or a preset asks for it."""
        return False
