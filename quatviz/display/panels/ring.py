"""Panel of the damper ring inside the body: its angle, its rate, and the torque between ring and body."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip


class RingMotion(TimePanel):
    name = "ring"
    title = "Ring in the body"
    summary = "angle, rate and multiplier $\\mu$ of a [ring damper](formulations.md#ring_damper-ring-damper-consistent)"
    order = 55
    strips = (Strip("ring_angle"), Strip("ring_rate"), Strip("ring_multiplier"))
    empty_text = "This body has no ring."

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return info.body.ring is not None

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        return shown if self.is_relevant(info) else ()
