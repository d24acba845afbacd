"""Panel of the angle between the attitude of the body and the target of its controller."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip
from quatviz.physics.loads import target_attitude


class TargetAngle(TimePanel):
    name = "target_angle"
    title = "Angle to the target"
    summary = "of the rotation from the target of a controller to the attitude, 0 once the target is reached"
    unit = "deg"
    order = 8
    strips = (Strip("target_angle", scale="degrees"),)
    empty_text = "No load of the lanes has a target."

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        return tuple(
            lane
            for index, lane in enumerate(info.lanes)
            if lane in shown and target_attitude(info.loads_of(index)) is not None
        )

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        """Return True if a load of a lane has a target."""
        return target_attitude(info.all_loads) is not None
