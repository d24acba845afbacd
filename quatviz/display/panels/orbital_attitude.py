"""Panel of pitch, roll and yaw of a satellite relative to its orbital frame."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip, component_strips
from quatviz.physics.loads import orbiting_load


def has_orbit(info: RunInfo, lane: str) -> bool:
    """Return True if a load of a lane moves the body along an orbit."""
    return orbiting_load(info.loads_of_lane(lane)) is not None


class OrbitalAttitude(TimePanel):
    name = "orbital_attitude"
    title = "Attitude in the orbit"
    summary = "pitch, roll and yaw relative to the orbital frame (forward, normal, up) of a gravity gradient"
    unit = "deg"
    order = 21
    empty_text = "No load of this run has an orbit."

    def strips_of(self, option: str, info: RunInfo) -> tuple[Strip, ...]:
        return component_strips("orbital_angles", scale="degrees")

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        return tuple(lane for lane in shown if has_orbit(info, lane))

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return orbiting_load(info.all_loads) is not None
