"""How far the body axes are from the angular momentum: the cone angle of a spin that decays or grows."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips


class ConeAngles(TimePanel):
    name = "cone_angles"
    title = "Cone angles"
    summary = "between $h$ and each body axis; shown where it is asked for"
    unit = "deg"
    order = 47

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips("cone_angles", scale="degrees")

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Only where a person or a preset asks for it."""
        return False
