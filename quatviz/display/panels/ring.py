"""Where the ring inside the body is, and how fast it turns in it."""

from quatviz.display.data.frame import RunInfo
from quatviz.display.panels.base import TimePanel
from quatviz.display.panels.base.strip import Strip


class RingMotion(TimePanel):
    name = "ring"
    title = "Ring in the body"
    summary = "angle and rate of a [ring damper](formulations.md#ring_damper-ring-damper-consistent)"
    order = 55
    strips = (Strip("ring_angle"), Strip("ring_rate"))
    empty_text = "This body carries no ring."

    @classmethod
    def is_relevant(cls, info: RunInfo) -> bool:
        return info.body.ring is not None

    def lanes_of(self, shown: tuple[str, ...], option: str, info: RunInfo) -> tuple[str, ...]:
        return shown if self.is_relevant(info) else ()
